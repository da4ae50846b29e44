package dev.tacit.data.prepare;

/** An engine cannot do what was asked. The message is one sentence without its full stop, and says nothing about a record. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Who can put it right. */
    public enum Kind {
        /** How the engine is set up, or what was asked of it. */
        REFUSED,
        /** It cannot be reached, or failed meanwhile. */
        UNREACHABLE
    }

    private final Kind kind;

    /** Without a cause: what an engine throws may speak of records. */
    public EngineException(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    public static EngineException refused(String sentence) {
        return new EngineException(Kind.REFUSED, sentence);
    }

    public static EngineException unreachable(String sentence) {
        return new EngineException(Kind.UNREACHABLE, sentence);
    }

    public Kind kind() {
        return kind;
    }
}
