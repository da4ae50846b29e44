/** What was done to the records, as a value. */
package dev.tacit.door.event;
