package dev.tacit.testkit.accountant;

import org.apache.commons.numbers.gamma.Erfc;

/**
 * The guarantee of Gaussian noise in closed form, written apart from the library so that tests can disagree with it.
 *
 * <pre>
 *   delta(epsilon) = Φ(μ/2 − epsilon/μ) − e^epsilon Φ(−μ/2 − epsilon/μ),      μ = shift over noise standard deviation
 * </pre>
 *
 * Balle, Wang 2018, Theorem 8. Plain double precision: good to about 1e-12 relative for deltas above 1e-12.
 */
public final class AnalyticGaussian {
    private AnalyticGaussian() {}

    /** The smallest delta that holds at an epsilon. */
    public static double delta(double shift, double epsilon) {
        return normalBelow(shift / 2 - epsilon / shift) - Math.exp(epsilon) * normalBelow(-shift / 2 - epsilon / shift);
    }

    /** The smallest epsilon that holds at a delta, by bisection; 0 if delta(0) is below it. */
    public static double epsilon(double shift, double delta) {
        double low = 0;
        double high = 1;
        if (delta(shift, 0) <= delta) {
            return 0;
        }
        while (delta(shift, high) > delta) {
            low = high;
            high *= 2;
        }
        for (int i = 0; i < 80; i++) {
            double middle = (low + high) / 2;
            if (delta(shift, middle) > delta) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double normalBelow(double value) {
        return Erfc.value(-value / Math.sqrt(2)) / 2;
    }
}
