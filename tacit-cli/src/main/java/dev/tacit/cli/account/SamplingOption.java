package dev.tacit.cli.account;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.text.SamplingForm;

/** The option {@code --sampling}, and the key of that name in batch requests. */
public final class SamplingOption {
    private SamplingOption() {}

    /** Reads it; {@code where} names the option or key in an error, whose exit code is {@code exitCode}. */
    public static SamplingForm parse(String text, String where, ExitCode exitCode) {
        try {
            return SamplingForm.read(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(exitCode, where + " " + e.getMessage() + ".", e);
        }
    }
}
