/** Collections of documents. */
package dev.tacit.data.catalogue.corpus;
