/** Tables by name and how each is prepared. */
package dev.tacit.data.catalogue.table;
