package dev.tacit.cli.shell;

/**
 * A verb cannot do what was asked. The message is one sentence that says what, where and what to do; it never quotes a
 * value from data.
 */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public CommandFailure(ExitCode exitCode, String sentence) {
        this(exitCode, sentence, null);
    }

    public CommandFailure(ExitCode exitCode, String sentence, Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
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
