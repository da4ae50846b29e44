/** Who asks the parties, in which order, and what is made of their answers. */
package dev.tacit.partitioned.coordinator;
