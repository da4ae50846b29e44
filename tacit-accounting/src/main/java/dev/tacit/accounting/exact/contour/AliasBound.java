package dev.tacit.accounting.exact.contour;

import java.util.function.DoubleUnaryOperator;

/**
 * What the trapezoid rule adds to the contour integral: its aliases, bounded by Chernoff bounds of delta at orders on either side of θ.
 *
 * <pre>
 *   Σ_{j≠0} e^{θjB} δ(ε + jB),   δ(x) ≤ min(1, M(τ) e^{−τx} τ^τ/(1+τ)^{1+τ})   for every τ &gt; 0
 * </pre>
 */
final class AliasBound {
    private final double theta;
    private final double[] orders;
    private final double[] constants;

    private final double logChernoff;

    AliasBound(DoubleUnaryOperator logMoments, double theta, double logMoment, double[] orders) {
        this.theta = theta;
        this.logChernoff = logMoment + ContourEngine.logKernel(theta);
        this.orders = orders.clone();
        this.constants = new double[orders.length];
        for (int i = 0; i < orders.length; i++) {
            constants[i] = logMoments.applyAsDouble(orders[i]) + ContourEngine.logKernel(orders[i]) + 1e-9;
        }
    }

    /** log of the Chernoff bound of delta(0) at θ. */
    double logChernoff() {
        return logChernoff;
    }

    /** The smallest period for which the aliases stay below a limit. */
    double period(double epsilon, double logLimit) {
        double below = -logLimit / theta;
        double above = Double.POSITIVE_INFINITY;
        for (int i = 0; i < orders.length; i++) {
            double needed = (constants[i] - orders[i] * epsilon - logLimit) / Math.abs(orders[i] - theta);
            if (orders[i] < theta) {
                below = Math.min(below, needed);
            } else {
                above = Math.min(above, needed);
            }
        }
        return Math.max(below, above);
    }

    /** Σ_{j≥1} e^{−θjB} δ(ε − jB) + Σ_{j≥1} e^{θjB} δ(ε + jB), divided by a delta given by its logarithm. */
    double relativeTo(double logDelta, double epsilon, double period) {
        double below = geometric(0, theta * period);
        double above = Double.POSITIVE_INFINITY;
        for (int i = 0; i < orders.length; i++) {
            double sum = geometric(constants[i] - orders[i] * epsilon, Math.abs(orders[i] - theta) * period);
            if (orders[i] < theta) {
                below = Math.min(below, sum);
            } else {
                above = Math.min(above, sum);
            }
        }
        return Math.exp(Math.min(700, below - logDelta)) + Math.exp(Math.min(700, above - logDelta));
    }

    private static double geometric(double logFirst, double logRatio) {
        return logFirst - logRatio - Math.log(-Math.expm1(-logRatio));
    }
}
