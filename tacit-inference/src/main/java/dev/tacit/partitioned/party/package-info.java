/** A party: its door, its plan, its answers. */
package dev.tacit.partitioned.party;
