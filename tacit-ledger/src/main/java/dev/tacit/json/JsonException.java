package dev.tacit.json;

/** A text is not JSON (RFC 8259); the message is one sentence that names the place and never repeats the text. */
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    JsonException(int line, int column, String problem) {
        super("line " + line + ", column " + column + ": " + problem);
        this.line = line;
        this.column = column;
    }

    /** The line of the first wrong character, counted from 1. */
    public int line() {
        return line;
    }

    /** The column of the first wrong character, counted from 1. */
    public int column() {
        return column;
    }
}
