package dev.tacit.diagnostics;

import org.apache.commons.numbers.gamma.RegularizedGamma;

/**
 * How evenly numbers that should be uniform fill bins of equal probability: probability integral transforms of truths,
 * or their ranks among posterior draws (simulation-based calibration).
 *
 * <pre>
 *   χ² = Σ_b (n_b − n/B)² / (n/B),  p-value P(χ²_{B−1} ≥ χ²)
 * </pre>
 *
 * Talts, Betancourt, Simpson, Vehtari, Gelman 2018, section 4.1: a ∪ shape means intervals that are too narrow, a ∩
 * shape too wide ones, a slope a bias.
 *
 * @param counts of the bins
 */
public record UniformHistogram(long[] counts) {

    /** From numbers between 0 and 1. */
    public static UniformHistogram ofTransforms(double[] transforms, int bins) {
        long[] counts = bins(bins);
        for (double u : transforms) {
            if (!(u >= 0 && u <= 1)) {
                throw new IllegalArgumentException("a probability integral transform must lie between 0 and 1");
            }
            counts[Math.min(bins - 1, (int) (u * bins))]++;
        }
        return new UniformHistogram(counts);
    }

    /**
     * From ranks.
     *
     * @param ranks how many draws are below the truth, between 0 and {@code draws}
     * @param bins must divide draws + 1, so that all bins have the same probability
     */
    public static UniformHistogram ofRanks(int[] ranks, int draws, int bins) {
        if ((draws + 1) % bins != 0) {
            throw new IllegalArgumentException("the number of bins must divide the number of draws plus one");
        }
        long[] counts = bins(bins);
        for (int rank : ranks) {
            counts[java.util.Objects.checkIndex(rank, draws + 1) / ((draws + 1) / bins)]++;
        }
        return new UniformHistogram(counts);
    }

    private static long[] bins(int bins) {
        if (bins < 2) {
            throw new IllegalArgumentException("at least two bins are needed");
        }
        return new long[bins];
    }

    /** The rank of a truth: how many draws are below it; equal draws are counted by half, rounded down. */
    public static int rank(double truth, double[] draws) {
        int below = 0;
        int equal = 0;
        for (double draw : draws) {
            below += draw < truth ? 1 : 0;
            equal += draw == truth ? 1 : 0;
        }
        return below + equal / 2;
    }

    /** χ². */
    public double chiSquared() {
        double total = 0;
        for (long count : counts) {
            total += count;
        }
        double expected = total / counts.length;
        double sum = 0;
        for (long count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }

    /**
     * The chance of bins at least as uneven, if the numbers are uniform and independent; needs about five in each bin.
     */
    public double pValue() {
        return RegularizedGamma.Q.value(0.5 * (counts.length - 1), 0.5 * chiSquared());
    }
}
