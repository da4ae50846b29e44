package dev.tacit.federated.protocol;

/** The process is gone. */
final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
