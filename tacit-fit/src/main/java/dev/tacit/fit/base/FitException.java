package dev.tacit.fit.base;

import java.util.List;

/**
 * What was asked cannot be done. The message is one sentence that says what, where and what to do; it never quotes a value
 * from data.
 */
public final class FitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of thing is wrong, and so who can put it right. */
    public enum Kind {
        /** What was asked for: an option, a formula, a setting. */
        USAGE,
        /** The content of a file. */
        BAD_DATA,
        /** A file or folder that is not there or cannot be read. */
        MISSING_INPUT,
        /** The ledger refuses the charge. */
        BUDGET_EXHAUSTED,
        /** A schema, a folder or the installation; or a run diverged. */
        CONFIGURATION,
        /** Tacit itself. */
        DEFECT
    }

    private final Kind kind;
    private final String pointedAt;
    private final int position;

    public FitException(Kind kind, String sentence) {
        this(kind, sentence, null);
    }

    public FitException(Kind kind, String sentence, Throwable cause) {
        this(kind, sentence, "", 0, cause);
    }

    private FitException(Kind kind, String sentence, String pointedAt, int position, Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
        this.pointedAt = pointedAt;
        this.position = position;
    }

    /** About one character of a text that was given: a formula or a contrast. */
    public static FitException pointing(String sentence, String text, int position) {
        return new FitException(Kind.USAGE, sentence, text, position, null);
    }

    public static FitException usage(String sentence) {
        return new FitException(Kind.USAGE, sentence);
    }

    public Kind kind() {
        return kind;
    }

    /** The text and the caret under the character the sentence is about; nothing if it is about none. */
    public List<String> picture() {
        return pointedAt.isEmpty()
                ? List.of()
                : List.of("  " + pointedAt.replaceAll("\\p{Cntrl}", " "), "  " + " ".repeat(position) + "^");
    }

    /** One sentence with its end. */
    public static String sentence(String message) {
        return message.endsWith(".") || message.endsWith("?") ? message : message + ".";
    }
}
