/** What the catalogue says about a data set, and its raw files. */
package dev.tacit.data.catalogue.entry;
