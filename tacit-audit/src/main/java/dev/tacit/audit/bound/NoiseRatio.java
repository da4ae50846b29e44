package dev.tacit.audit.bound;

import org.apache.commons.numbers.gamma.RegularizedGamma;

/**
 * The standard deviation of noise over what is claimed, from exact residuals.
 *
 * <pre>
 *   Σ (residual / claimed)² ~ ratio² χ²_n ,   ends of the interval where P(χ²_n ≤ Σ / ratio²) = share and 1 − share
 * </pre>
 *
 * A discrete Gaussian of a million steps has the moments of a continuous one to all digits of a double.
 *
 * @param squares sum of squares in units of the claimed variance
 * @param count how many residuals
 */
public record NoiseRatio(double squares, long count) {
    /** The estimate. */
    public double estimate() {
        return Math.sqrt(squares / count);
    }

    /** The ratio is below this, except with probability {@code share}. */
    public double atMost(double share) {
        return bound(share);
    }

    /** The ratio is above this, except with probability {@code share}. */
    public double atLeast(double share) {
        return bound(1 - share);
    }

    private double bound(double probability) {
        double low = 1e-3 * Math.max(estimate(), 1e-6);
        double high = 1e3 * Math.max(estimate(), 1e-6);
        for (int i = 0; i < 100; i++) {
            double ratio = Math.sqrt(low * high);
            // The probability falls as the ratio grows.
            if (RegularizedGamma.P.value(count / 2.0, squares / (2 * ratio * ratio)) > probability) {
                low = ratio;
            } else {
                high = ratio;
            }
        }
        return Math.sqrt(low * high);
    }
}
