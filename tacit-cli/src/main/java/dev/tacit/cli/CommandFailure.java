package dev.tacit.cli;

/**
 * A verb cannot do what was asked. The message is one sentence that says what, where and what to do; it never quotes a
 * value from data.
 */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    CommandFailure(ExitCode exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    CommandFailure(ExitCode exitCode, String sentence, Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
    }

    static CommandFailure usage(String sentence) {
        return new CommandFailure(ExitCode.USAGE, sentence);
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
