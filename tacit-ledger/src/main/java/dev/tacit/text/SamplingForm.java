package dev.tacit.text;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;

/**
 * How each step chooses its records, as people and files write it: {@code none} or {@code full}, {@code poisson:RATE} or {@code
 * fixed:BATCH/POPULATION}. This is the only reader of that text.
 *
 * <p>{@code poisson:?} leaves the rate open, for calibration to find.
 */
public sealed interface SamplingForm {
    /** What precedes the rate. */
    String POISSON = "poisson:";

    /** What precedes batch and population. */
    String FIXED = "fixed:";

    /** Every step sees every record. */
    record None() implements SamplingForm {
        @Override
        public String text() {
            return "none";
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            return release;
        }

        @Override
        public SamplingScheme scheme() {
            return new SamplingScheme.FullPass();
        }
    }

    /** Every step sees each record independently with this probability, above 0 and at most 1. */
    record Poisson(double rate) implements SamplingForm {
        @Override
        public String text() {
            return POISSON + rate;
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            return release.poissonSampled(rate);
        }

        @Override
        public SamplingScheme scheme() {
            return new PoissonSampling(rate);
        }
    }

    /** Every step sees exactly this many records of a population of public size. */
    record Fixed(long batch, long population) implements SamplingForm {
        @Override
        public String text() {
            return FIXED + batch + "/" + population;
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            return release.fixedSizeSampled(batch, population);
        }

        @Override
        public SamplingScheme scheme() {
            return new FixedSizeSampling(batch, population);
        }
    }

    /** Poisson sampling at the rate that calibration finds. */
    record PoissonOfUnknownRate() implements SamplingForm {
        @Override
        public String text() {
            return POISSON + "?";
        }

        @Override
        public PrivacyEvent around(PrivacyEvent release) {
            throw new IllegalStateException("the rate is not known yet");
        }

        @Override
        public SamplingScheme scheme() {
            throw new IllegalArgumentException("needs a rate that is known");
        }
    }

    /** How it is written. */
    String text();

    /** One step: this release on the records that the sampling chooses. */
    PrivacyEvent around(PrivacyEvent release);

    /**
     * What draws such batches.
     *
     * @throws IllegalArgumentException if the rate is open, or too small for a batch to be drawn
     */
    SamplingScheme scheme();

    /** A scheme as text. */
    static SamplingForm of(SamplingScheme scheme) {
        if (scheme instanceof PoissonSampling poisson) {
            return new Poisson(poisson.samplingRate());
        }
        if (scheme instanceof FixedSizeSampling fixed) {
            return new Fixed(fixed.batch(), fixed.population());
        }
        return new None();
    }

    /**
     * Reads {@link #text()}.
     *
     * @throws IllegalArgumentException if it is not written so; the message goes on after the name of what holds the text, as in
     *     "--sampling must be ..."
     */
    static SamplingForm read(String text) {
        if (text.equals("none") || text.equals("full")) {
            return new None();
        }
        if (text.equals(POISSON + "?")) {
            return new PoissonOfUnknownRate();
        }
        if (text.startsWith(POISSON)) {
            return new Poisson(rate(text.substring(POISSON.length())));
        }
        if (text.startsWith(FIXED)) {
            return fixed(text.substring(FIXED.length()));
        }
        throw new IllegalArgumentException(
                "must be none, poisson:RATE or fixed:BATCH/POPULATION, for example poisson:0.01");
    }

    private static double rate(String text) {
        double rate = PlainNumber.parse(text);
        if (!(rate > 0 && rate <= 1)) {
            throw new IllegalArgumentException(
                    "needs a rate above 0 and at most 1, the probability with which a step sees a record, for example"
                            + " poisson:0.01");
        }
        return rate;
    }

    private static SamplingForm fixed(String text) {
        int slash = text.indexOf('/');
        long batch = slash < 0 ? -1 : PlainNumber.parseWhole(text.substring(0, slash));
        long population = slash < 0 ? -1 : PlainNumber.parseWhole(text.substring(slash + 1));
        if (batch < 1 || population < batch) {
            throw new IllegalArgumentException(
                    "needs two whole numbers, a batch of at least 1 and a population that is no smaller, for example"
                            + " fixed:100/10000");
        }
        return new Fixed(batch, population);
    }
}
