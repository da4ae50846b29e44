package dev.tacit.json;

/**
 * A JSON value is not what was asked for; the message is one sentence that names the path and never repeats a value.
 */
public final class JsonFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String path;

    /** The problem must read well after the path, for example {@code must be a number}. */
    public JsonFieldException(String path, String problem) {
        super((path.isEmpty() ? "the outermost value" : path) + " " + problem);
        this.path = path;
    }

    /** Where, for example {@code events[3].event.rate}; empty for the outermost value. */
    public String path() {
        return path;
    }
}
