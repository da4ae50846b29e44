package dev.tacit.data.source;

/** There is no such table; the message is one sentence. */
public final class NoInputException extends DataException {
    private static final long serialVersionUID = 1L;

    public NoInputException(String sentence) {
        super(sentence);
    }
}
