package dev.tacit.door.session;

/** A run's sealed releases are in use by another process, or do not belong to what is asked for; the message says which. */
public final class SealedConflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SealedConflict(String message) {
        super(message);
    }
}
