/**
 * Partitioned variational inference: parties keep their records, a coordinator keeps a global approximation, and only
 * noisy factors or sums travel between them.
 */
package dev.tacit.partitioned;
