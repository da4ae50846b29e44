/** Opens tables of every kind, and drafts a schema for one. */
package dev.tacit.data.source.table;
