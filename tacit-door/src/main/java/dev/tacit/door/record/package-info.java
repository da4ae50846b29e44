/** Private records as blocks of numbers, and where they come from. */
package dev.tacit.door.record;
