package dev.tacit.diagnostics;

import java.util.Arrays;

/**
 * Scores of one prediction that is known by draws, in the unit of the truth; smaller is better.
 *
 * <pre>
 *   crps       mean |x_i − y| − ½ mean |x_i − x_j| over all pairs, i = j included (Gneiting, Raftery 2007, eq. 20)
 *   fair       the same with ½ Σ_{i≠j} |x_i − x_j| / (n (n − 1)): unbiased for the score of what the draws come from
 *   transform  (draws below y + ½ equal ones + ½) / (n + 1)
 *   width      of the central interval: what sharpness means, among calibrated predictions
 * </pre>
 */
public final class SampleScores {
    private SampleScores() {}

    /** The continuous ranked probability score of the draws themselves; n log n. */
    public static double crps(double[] draws, double truth) {
        return distance(draws, truth) - halfSpread(draws) / draws.length / draws.length;
    }

    /** The score that is fair to few draws (Ferro 2014). */
    public static double fairCrps(double[] draws, double truth) {
        if (draws.length < 2) {
            throw new IllegalArgumentException("a fair score needs at least two draws");
        }
        return distance(draws, truth) - halfSpread(draws) / draws.length / (draws.length - 1);
    }

    private static double distance(double[] draws, double truth) {
        double sum = 0;
        for (double draw : draws) {
            sum += Math.abs(draw - truth);
        }
        return sum / draws.length;
    }

    /** Σ_{i&lt;j} |x_i − x_j| = Σ_k (2k − n + 1) x_(k), k = 0, …, n − 1, x around the middle for accuracy. */
    private static double halfSpread(double[] draws) {
        double[] sorted = draws.clone();
        Arrays.sort(sorted);
        double middle = sorted[sorted.length / 2];
        double sum = 0;
        for (int k = 0; k < sorted.length; k++) {
            sum += (2.0 * k - sorted.length + 1) * (sorted[k] - middle);
        }
        return sum;
    }

    /** The probability integral transform of a truth, strictly between 0 and 1. */
    public static double transform(double[] draws, double truth) {
        double below = 0;
        for (double draw : draws) {
            below += draw < truth ? 1 : draw == truth ? 0.5 : 0;
        }
        return (below + 0.5) / (draws.length + 1);
    }

    /** The width of the central interval of this level, by linear interpolation of the order statistics. */
    public static double intervalWidth(double[] draws, double level) {
        double[] sorted = draws.clone();
        Arrays.sort(sorted);
        return quantile(sorted, 0.5 * (1 + level)) - quantile(sorted, 0.5 * (1 - level));
    }

    private static double quantile(double[] sorted, double probability) {
        double position = (sorted.length - 1) * probability;
        int low = Math.min(sorted.length - 2, (int) position);
        return sorted[low] + (position - low) * (sorted[low + 1] - sorted[low]);
    }
}
