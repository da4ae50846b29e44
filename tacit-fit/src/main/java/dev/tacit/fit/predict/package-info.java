/** What a fit says about new records. */
package dev.tacit.fit.predict;
