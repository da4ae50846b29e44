/** Invented records: ordinary ones, poisoned ones, and those at the corners of what a schema declares. */
package dev.tacit.audit.table;
