package dev.tacit.data.source;

/**
 * A table cannot be read, for a reason that lies in its form and not in a record; the message is one sentence that never
 * holds a cell's value.
 */
public class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataException(String sentence) {
        super(sentence);
    }

    public DataException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
