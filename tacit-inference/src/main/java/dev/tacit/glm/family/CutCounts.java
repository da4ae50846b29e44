package dev.tacit.glm.family;

/**
 * Expectations of counts that are cut at two points, term by term.
 *
 * <pre>
 *   P(Y = k + 1) = P(Y = k) (a + b k)/(k + 1)      (Panjer 1981)
 *     Poisson of mean λ                     a = λ,         b = 0,           P(0) = e^(−λ)
 *     negative binomial, p = s/(s + m)      a = (1 − p) s, b = 1 − p,       P(0) = p^s
 *     mean λ and variance s λ               a = λ/s,       b = (s − 1)/s,   P(0) = s^(−λ/(s − 1))
 * </pre>
 *
 * What is above the upper cut is one less the sum of what is below, so no tail is added up.
 */
final class CutCounts {
    /** The largest upper cut: beyond it families have closed forms, which cost the same however many terms there would be. */
    static final int MOST_TERMS = 150;

    private static final double[] INVERSE = new double[MOST_TERMS + 2];

    static {
        for (int k = 1; k < INVERSE.length; k++) {
            INVERSE[k] = 1.0 / k;
        }
    }

    private CutCounts() {}

    /** E clip(Y, low, high). */
    static double mean(double zero, double a, double b, double low, double high) {
        double term = zero;
        double below = 0;
        double sum = 0;
        for (int k = 0; k < high; k++) {
            below += term;
            sum += Math.max(low, k) * term;
            term *= (a + b * k) * INVERSE[k + 1];
        }
        return sum + high * Math.max(0, 1 - below);
    }

    /** E (clip(Y, low, high) − centre)². */
    static double square(double zero, double a, double b, double low, double high, double centre) {
        double term = zero;
        double below = 0;
        double sum = 0;
        for (int k = 0; k < high; k++) {
            double residual = Math.max(low, k) - centre;
            below += term;
            sum += term * residual * residual;
            term *= (a + b * k) * INVERSE[k + 1];
        }
        return sum + Math.max(0, 1 - below) * (high - centre) * (high - centre);
    }

    /** E[Y; low &lt; Y ≤ high]: how E clip grows with the logarithm of the mean. */
    static double slope(double zero, double a, double b, double low, double high) {
        double term = zero;
        double sum = 0;
        for (int k = 0; k <= high; k++) {
            sum += k > low ? k * term : 0;
            term *= (a + b * k) * INVERSE[k + 1];
        }
        return sum;
    }
}
