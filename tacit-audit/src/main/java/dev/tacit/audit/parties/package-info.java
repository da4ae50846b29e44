/** What those see who run a protocol of parties. */
package dev.tacit.audit.parties;
