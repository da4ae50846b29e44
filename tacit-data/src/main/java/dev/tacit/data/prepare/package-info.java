/** From coded rows to encoded private records, by declared facts only. */
package dev.tacit.data.prepare;
