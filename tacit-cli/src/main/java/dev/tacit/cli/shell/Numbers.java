package dev.tacit.cli.shell;

import dev.tacit.door.unit.Neighbours;
import dev.tacit.text.PlainNumber;

/** Reads and checks the values of the command line and of batch requests; every check has one sentence, here. */
public final class Numbers {
    /** Counts up to here are exact in floating point, with room for sums. */
    static final long MOST_STEPS = 1_000_000_000_000_000L;

    private Numbers() {}

    /** A plain decimal number, or NaN if the text is anything else. */
    public static double parse(String text) {
        return PlainNumber.parse(text);
    }

    /** A whole number, also written 1e6, or -1 if the text is anything else. */
    public static long parseWhole(String text) {
        return PlainNumber.parseWhole(text);
    }

    public static double noiseMultiplier(double value, String where, ExitCode exitCode) {
        if (value == 0) {
            throw new CommandFailure(
                    exitCode,
                    where + " is 0, which adds no noise and protects nobody; give a positive number such as 1.0.");
        }
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new CommandFailure(
                    exitCode,
                    where
                            + " must be a positive number, the noise standard deviation divided by the L2 bound"
                            + " of one record, for example 1.0.");
        }
        return value;
    }

    public static long steps(long value, String where, ExitCode exitCode) {
        if (value < 1 || value > MOST_STEPS) {
            throw new CommandFailure(
                    exitCode,
                    where
                            + " must be a whole number between 1 and 1e15, the number of noisy releases, for"
                            + " example 1000.");
        }
        return value;
    }

    /** How many of something there shall be. */
    public static int count(long value, long most, String where, ExitCode exitCode) {
        if (value < 1 || value > most) {
            throw new CommandFailure(exitCode, where + " must be a whole number from 1 to " + most + ".");
        }
        return Math.toIntExact(value);
    }

    public static double delta(double value, String where, ExitCode exitCode) {
        if (!(value > 0 && value < 1)) {
            throw new CommandFailure(
                    exitCode,
                    where
                            + " must be strictly between 0 and 1, and should be well below one over the number"
                            + " of records, for example 1e-6.");
        }
        return value;
    }

    public static Neighbours neighbours(String text, String where, ExitCode exitCode) {
        try {
            return Neighbours.ofLabel(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(exitCode, where + " must be add-remove or replace-one.", e);
        }
    }

    public static double epsilon(double value, String where, ExitCode exitCode) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new CommandFailure(exitCode, where + " must be a finite number, 0 or more, for example 1.0.");
        }
        return value;
    }

    /** What a run may cost. */
    public static double payingEpsilon(double value, String where, ExitCode exitCode) {
        if (value == 0) {
            throw new CommandFailure(exitCode, where + " is 0, which pays for nothing; give a positive number.");
        }
        return epsilon(value, where, exitCode);
    }
}
