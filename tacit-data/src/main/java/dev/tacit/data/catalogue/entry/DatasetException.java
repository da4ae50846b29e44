package dev.tacit.data.catalogue.entry;

/** A named data set cannot be found, trusted or written; one sentence says what, where and what to do. */
public final class DatasetException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What went wrong, for callers that answer each kind differently. */
    public enum Kind {
        /** No data set or option has that name, or an option has no such value. */
        UNKNOWN_NAME,
        /** A raw file, or the folder that should hold it, is not there. */
        NO_INPUT,
        /** A raw file is not the published one, or is broken. */
        BAD_DATA,
        /** The output cannot be written. */
        NO_OUTPUT
    }

    private final Kind kind;

    public DatasetException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public DatasetException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
