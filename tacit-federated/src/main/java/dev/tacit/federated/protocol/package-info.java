/** Masked sums across parties as two state machines over signed envelopes; they know neither network nor clock. */
package dev.tacit.federated.protocol;
