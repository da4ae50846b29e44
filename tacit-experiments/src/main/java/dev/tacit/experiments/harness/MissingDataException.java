package dev.tacit.experiments.harness;

/** An experiment's raw data are not here; the message is one sentence that says which and where to get them. */
public final class MissingDataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MissingDataException(String message, Throwable cause) {
        super(message, cause);
    }
}
