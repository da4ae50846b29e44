/** What survives a crash: logs that are written, forced and then acted on, and secrets that are erased when a round is over. */
package dev.tacit.federated.store;
