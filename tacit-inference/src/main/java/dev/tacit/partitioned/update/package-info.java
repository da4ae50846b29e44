/** What a party computes in a round. */
package dev.tacit.partitioned.update;
