package dev.tacit.posterior.family;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * A density on the line, known by its logarithm, as a mixture of narrow Gaussians on a grid.
 *
 * <pre>
 *   zoom to where the log-density is within 30 of its largest value; 128 nodes z_k, spacing h
 *   Σ_k w_k N(z_k, (0.7 h)²),   w_k ∝ density(z_k)
 * </pre>
 *
 * The density must be negligible at both ends of the interval and have one mode on the scale of a zoom. The spacing is a
 * tenth of a standard deviation or less for a Gaussian, so the variance is too large by less than a hundredth. A density that
 * is not a number counts as 0 there, and one that is 0 everywhere as constant.
 */
public final class GridMixture {
    private static final int NODES = 128;
    private static final int MOST_ZOOMS = 12;
    private static final double RELEVANT = 30;
    private static final double WIDTH = 0.7;
    private static final double FINEST = 1e-10;

    private GridMixture() {}

    /** The mixture for a log-density, up to a constant, on an interval. */
    public static ScalarGaussianMixture of(DoubleUnaryOperator logDensity, double low, double high) {
        double from = low;
        double to = high;
        double[] values = new double[NODES];
        for (int zoom = 0; ; zoom++) {
            double spacing = (to - from) / (NODES - 1);
            double best = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < NODES; k++) {
                double value = logDensity.applyAsDouble(from + k * spacing);
                values[k] = value < Double.POSITIVE_INFINITY ? value : Double.NEGATIVE_INFINITY;
                best = Math.max(best, values[k]);
            }
            if (best == Double.NEGATIVE_INFINITY) {
                Arrays.fill(values, 0);
                best = 0;
            }
            int first = 0;
            while (values[first] < best - RELEVANT) {
                first++;
            }
            int last = NODES - 1;
            while (values[last] < best - RELEVANT) {
                last--;
            }
            boolean fine = last - first > 0.8 * NODES;
            if (fine || zoom == MOST_ZOOMS || spacing < FINEST * (high - low)) {
                return mixture(from, spacing, values, best, first, last);
            }
            double start = from + Math.max(0, first - 1) * spacing;
            to = from + Math.min(NODES - 1, last + 1) * spacing;
            from = start;
        }
    }

    private static ScalarGaussianMixture mixture(
            double from, double spacing, double[] values, double best, int first, int last) {
        int size = last - first + 1;
        double[] weights = new double[size];
        double[] means = new double[size];
        double[] variances = new double[size];
        for (int i = 0; i < size; i++) {
            weights[i] = Math.max(Double.MIN_NORMAL, Math.exp(values[first + i] - best));
            means[i] = from + (first + i) * spacing;
            variances[i] = WIDTH * WIDTH * spacing * spacing;
        }
        return new ScalarGaussianMixture(weights, means, variances);
    }
}
