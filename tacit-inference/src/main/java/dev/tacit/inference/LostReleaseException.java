package dev.tacit.inference;

/** A crash took a release without which a run cannot go on; the message says what to do. */
public final class LostReleaseException extends Exception {
    private static final long serialVersionUID = 1L;

    public LostReleaseException(String message) {
        super(message);
    }
}
