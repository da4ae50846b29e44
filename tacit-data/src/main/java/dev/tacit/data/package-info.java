/** From files of records to private data sets, by declared facts only. */
package dev.tacit.data;
