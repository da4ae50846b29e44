package dev.tacit.experiments.backpropagation;

/**
 * A Gamma distribution over a precision, moved by assumed-density filtering through Gaussians of variance s + 1/precision.
 *
 * <pre>
 *   log Z, log Z₁, log Z₂: of N(r; 0, s + b/(a − 1)), s + b/a, s + b/(a + 1)        2π dropped
 *   a ← 1 / (Z₂ Z / Z₁² (a + 1)/a − 1),     b ← 1 / (Z₂/Z₁ (a + 1)/b − Z₁/Z a/b)
 * </pre>
 *
 * Hernández-Lobato, Adams 2015, equations 7 and 8. The update matches the first two moments of the precision; where it
 * leaves the family (a ≤ 1, b ≤ 0 or not a number) the distribution stays as it is.
 */
final class GammaNoise {
    private double shape;
    private double rate;
    private double logZ;

    GammaNoise(double shape, double rate) {
        this.shape = shape;
        this.rate = rate;
    }

    double shape() {
        return shape;
    }

    double rate() {
        return rate;
    }

    /** The mean of 1/precision. */
    double variance() {
        return rate / (shape - 1);
    }

    void set(double newShape, double newRate) {
        shape = newShape;
        rate = newRate;
    }

    /** log Z as of the last update. */
    double logZ() {
        return logZ;
    }

    /** Moves the distribution after a residual whose own variance is known; says whether it could be. */
    boolean update(double residual, double variance) {
        double a = shape;
        double b = rate;
        double square = residual * residual;
        logZ = logDensity(square, variance + b / (a - 1));
        double logZ1 = logDensity(square, variance + b / a);
        double logZ2 = logDensity(square, variance + b / (a + 1));
        double newShape = 1 / (Math.exp(logZ2 - 2 * logZ1 + logZ) * (a + 1) / a - 1);
        double newRate = 1 / (Math.exp(logZ2 - logZ1) * (a + 1) / b - Math.exp(logZ1 - logZ) * a / b);
        if (!(newShape > 1 && newRate > 0 && newShape < 1e300 && newRate < 1e300)) {
            return false;
        }
        shape = newShape;
        rate = newRate;
        return true;
    }

    private static double logDensity(double square, double variance) {
        return -0.5 * (Math.log(variance) + square / variance);
    }
}
