package dev.tacit.federated.store;

/** Another process writes a log; two would give a role two histories. */
public final class LogTaken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogTaken(String message) {
        super(message);
    }
}
