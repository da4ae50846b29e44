/**
 * The named data sets of the papers: where their raw files come from, whether a copy is the original, and how each
 * becomes tables with a schema of public bounds.
 *
 * <p>All of them are public benchmark data. Bounds and categories come from documentation or common knowledge of the
 * field, never from the file, so that what is measured on them carries over to data that is private.
 */
package dev.tacit.data.catalogue;
