/** Files of odd records, with one of them removed at a time. */
package dev.tacit.audit.reader;
