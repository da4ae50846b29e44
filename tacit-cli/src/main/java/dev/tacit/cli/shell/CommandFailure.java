package dev.tacit.cli.shell;

import java.util.List;

/**
 * A verb cannot do what was asked. The message is one sentence that says what, where and what to do; it never quotes a
 * value from data.
 */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;
    private final String pointedAt;
    private final int position;

    public CommandFailure(ExitCode exitCode, String sentence) {
        this(exitCode, sentence, null);
    }

    public CommandFailure(ExitCode exitCode, String sentence, Throwable cause) {
        this(exitCode, sentence, "", 0, cause);
    }

    private CommandFailure(ExitCode exitCode, String sentence, String pointedAt, int position, Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
        this.pointedAt = pointedAt;
        this.position = position;
    }

    /** About one character of a text that was typed: below the sentence stand the text and a caret. */
    public static CommandFailure pointing(String sentence, String text, int position) {
        return new CommandFailure(ExitCode.USAGE, sentence, text, position, null);
    }

    /** The text and the caret under the character the sentence is about; nothing if it is about none. */
    public List<String> picture() {
        return pointedAt.isEmpty()
                ? List.of()
                : List.of("  " + pointedAt.replaceAll("\\p{Cntrl}", " "), "  " + " ".repeat(position) + "^");
    }

    public static CommandFailure usage(String sentence) {
        return new CommandFailure(ExitCode.USAGE, sentence);
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    /** One sentence with its end. */
    public static String sentence(String message) {
        return message.endsWith(".") || message.endsWith("?") ? message : message + ".";
    }
}
