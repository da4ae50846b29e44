package dev.tacit.cli.account;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.door.event.PrivacyEvent;

/**
 * How each step chooses its records, as people write it: {@code none}, {@code poisson:RATE} or {@code
 * fixed:BATCH/POPULATION}.
 *
 * <p>{@code poisson:?} leaves the rate open, for {@code calibrate} to find.
 */
public sealed interface SamplingOption {
    /** Every step sees every record. */
    record None() implements SamplingOption {
        @Override
        public String text() {
            return "none";
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            return release;
        }
    }

    /** Every step sees each record independently with this probability. */
    record Poisson(double rate) implements SamplingOption {
        @Override
        public String text() {
            return "poisson:" + rate;
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            return release.poissonSampled(rate);
        }
    }

    /** Every step sees exactly this many records of a population of public size. */
    record Fixed(long batch, long population) implements SamplingOption {
        @Override
        public String text() {
            return "fixed:" + batch + "/" + population;
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            return release.fixedSizeSampled(batch, population);
        }
    }

    /** Poisson sampling at the rate that calibration finds. */
    record PoissonOfUnknownRate() implements SamplingOption {
        @Override
        public String text() {
            return "poisson:?";
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            throw new IllegalStateException("the rate is not known yet");
        }
    }

    /** The spelling of the command line and of batch requests. */
    String text();

    /** One step: this release on the records that the sampling chooses. */
    PrivacyEvent around(PrivacyEvent release);

    /**
     * Reads {@link #text()}; {@code where} names the option or key in an error, whose exit code is {@code exitCode}.
     */
    static SamplingOption parse(String text, String where, ExitCode exitCode) {
        if (text.equals("none")) {
            return new None();
        }
        if (text.equals("poisson:?")) {
            return new PoissonOfUnknownRate();
        }
        if (text.startsWith("poisson:")) {
            return new Poisson(rate(text.substring("poisson:".length()), where, exitCode));
        }
        if (text.startsWith("fixed:")) {
            return fixed(text.substring("fixed:".length()), where, exitCode);
        }
        throw new CommandFailure(
                exitCode, where + " must be none, poisson:RATE or fixed:BATCH/POPULATION, for example poisson:0.01.");
    }

    private static double rate(String text, String where, ExitCode exitCode) {
        double rate = Numbers.parse(text);
        if (!(rate > 0 && rate <= 1)) {
            throw new CommandFailure(
                    exitCode,
                    where
                            + " needs a rate above 0 and at most 1, the probability with which a step sees a"
                            + " record, for example poisson:0.01.");
        }
        return rate;
    }

    private static SamplingOption fixed(String text, String where, ExitCode exitCode) {
        int slash = text.indexOf('/');
        long batch = slash < 0 ? -1 : Numbers.parseWhole(text.substring(0, slash));
        long population = slash < 0 ? -1 : Numbers.parseWhole(text.substring(slash + 1));
        if (batch < 1 || population < batch) {
            throw new CommandFailure(
                    exitCode,
                    where
                            + " needs two whole numbers, a batch of at least 1 and a population that is no"
                            + " smaller, for example fixed:100/10000.");
        }
        return new Fixed(batch, population);
    }
}
