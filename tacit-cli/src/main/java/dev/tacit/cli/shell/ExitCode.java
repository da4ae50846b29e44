package dev.tacit.cli.shell;

import dev.tacit.fit.base.FitException;

/** What the process returns: the codes of sysexits.h that scripts may rely on. */
public enum ExitCode {
    OK(0),
    USAGE(64),
    BAD_DATA(65),
    NO_INPUT(66),
    INTERNAL(70),
    BUDGET_EXHAUSTED(75),
    CONFIG(78),
    /**
     * The reader of standard output went away, as after {@code | head}: 128 plus SIGPIPE, what every other tool returns
     * then.
     */
    OUTPUT_CLOSED(141);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** What a failure of the library is to a script. */
    public static ExitCode of(FitException.Kind kind) {
        return switch (kind) {
            case USAGE -> USAGE;
            case BAD_DATA -> BAD_DATA;
            case MISSING_INPUT -> NO_INPUT;
            case BUDGET_EXHAUSTED -> BUDGET_EXHAUSTED;
            case CONFIGURATION -> CONFIG;
            case DEFECT -> INTERNAL;
        };
    }

    public int code() {
        return code;
    }
}
