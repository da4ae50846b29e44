/** Who is protected, and what neighbours are. */
package dev.tacit.door.unit;
