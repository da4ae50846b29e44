package dev.tacit.accounting.exact.contour;

/**
 * One direction of one phase as the contour engine sees it: the moment function of its loss on a vertical line.
 *
 * <pre>
 *   M(z) = E_P[e^{zL}],   K(θ) = log M(θ),   φ(t) = M(θ+it) / M(θ)
 * </pre>
 */
public interface MomentCurve {
    /** Number of independent releases. */
    double times();

    /** P-mass of one release that was left out of the moments; delta grows by at most this per release. */
    double lostMass();

    /** Adds times·(K, K′, K″) at θ to the first three entries, and a bound on the rounding error of times·K to the fourth. */
    void addCumulants(double theta, double[] sums);

    /**
     * Adds times·log φ(k·step) for k = 1..count to {@code real[k-1]}, {@code imaginary[k-1]}, and bounds on its absolute error (relative error of
     * φ^times) to {@code rounding[k-1]} and {@code quadrature[k-1]}.
     */
    void addLogCharacteristic(
            double theta,
            double step,
            int count,
            double[] real,
            double[] imaginary,
            double[] rounding,
            double[] quadrature);

    /** About times·K″ at small orders, in closed form: where to start looking for the saddle point; NaN if there is no such form. */
    default double roughVariance() {
        return Double.NaN;
    }

    /** How many complex terms {@link #addLogCharacteristic} would sum. */
    double work(double theta, double step, int count);

    /** A non-increasing upper bound of times·log|φ(t)|. */
    DecayBound decay(double theta);

    /** A bound at least as sharp as the one given, for the cases where that one makes the integral too long. */
    default DecayBound sharperDecay(double theta, DecayBound bound) {
        return bound;
    }

    /**
     * Chooses the law that serves all orders up to this one, if what is left out depends on the order, and returns its number: moments, decay and
     * characteristic function describe the same law as long as the number stays the same.
     */
    default int lawUpTo(double order) {
        return law();
    }

    /** The number of the present law; it grows whenever another is chosen, be it because an order is asked for that the present one does not serve. */
    default int law() {
        return 0;
    }

    /** See {@link #decay}. */
    interface DecayBound {
        double logAbsolute(double t);
    }
}
