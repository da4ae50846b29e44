package dev.tacit.federated.store;

/** A log was changed in its middle: what comes behind is whole, and would be lost if the log went on from there. */
public final class LogDamaged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogDamaged(String message) {
        super(message);
    }
}
