/** Whole runs on neighbours, and how likely each is on either. */
package dev.tacit.audit.transcript;
