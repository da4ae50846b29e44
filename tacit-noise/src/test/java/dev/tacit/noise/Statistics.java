package dev.tacit.noise;

import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.RegularizedBeta;
import org.apache.commons.numbers.gamma.RegularizedGamma;

/**
 * Tests of laws with a stated false-alarm probability.
 *
 * <p>A correct sampler fails one check with probability at most {@link #LEVEL}; there are fewer than 200 checks, so all
 * of them together raise a false alarm in fewer than one run in a million. Seeds are fresh at every run and named in
 * the message of a failure; {@code -Dtacit.test.seed=N} repeats one.
 */
public final class Statistics {
    /** The probability that one check fails though all is well. */
    public static final double LEVEL = 5e-9;

    private Statistics() {}

    /** The seed of a test. */
    public static long seed() {
        Long given = Long.getLong("tacit.test.seed");
        return given != null ? given : SecureNoise.create().nextLong() >>> 1;
    }

    /** The message of a failing check. */
    public static String because(String what, long seed) {
        return what + ", repeat with -Dtacit.test.seed=" + seed;
    }

    /**
     * The probability that Pearson's statistic is this large; cells that expect less than 50 are pooled with their
     * neighbours.
     */
    public static double chiSquarePValue(long[] observed, double[] probabilities, long total) {
        double statistic = 0;
        int cells = 0;
        double expected = 0;
        double seen = 0;
        double expectedLeft = total;
        for (int cell = 0; cell < observed.length; cell++) {
            expected += total * probabilities[cell];
            seen += observed[cell];
            if ((expected >= 50 && expectedLeft - expected >= 50) || cell == observed.length - 1) {
                statistic += (seen - expected) * (seen - expected) / expected;
                cells++;
                expectedLeft -= expected;
                expected = 0;
                seen = 0;
            }
        }
        return chiSquareTail(statistic, cells - 1);
    }

    /** P(chi-square with the given degrees of freedom &gt; statistic). */
    public static double chiSquareTail(double statistic, int degreesOfFreedom) {
        return RegularizedGamma.Q.value(degreesOfFreedom / 2.0, statistic / 2);
    }

    /** The distribution function of the standard normal law. */
    public static double normalCdf(double x) {
        return 0.5 * Erfc.value(-x / Math.sqrt(2));
    }

    /** Clopper-Pearson: with the given probability of error at most, the success rate is at least this. */
    public static double rateAtLeast(long successes, long trials, double error) {
        if (successes == 0) {
            return 0;
        }
        double low = 0;
        double high = (double) successes / trials;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            // P(Binomial(trials, middle) ≥ successes)
            if (RegularizedBeta.value(middle, (double) successes, trials - successes + 1.0) > error) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** Clopper-Pearson: with the given probability of error at most, the success rate is at most this. */
    public static double rateAtMost(long successes, long trials, double error) {
        return 1 - rateAtLeast(trials - successes, trials, error);
    }
}
