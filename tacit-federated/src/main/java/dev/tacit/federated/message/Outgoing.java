package dev.tacit.federated.message;

/**
 * A message of the coordinator and whom it is for.
 *
 * @param party by place
 * @param envelope the message
 */
public record Outgoing(int party, Envelope envelope) {}
