/** Checks in integers: what one unit moves, and what a resumed run draws. */
package dev.tacit.audit.exact;
