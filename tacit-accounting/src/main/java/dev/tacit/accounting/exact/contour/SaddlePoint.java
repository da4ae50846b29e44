package dev.tacit.accounting.exact.contour;

/**
 * The order at which the integrand of delta is stationary for an epsilon, and the approximation of log delta there.
 *
 * <pre>
 *   ε = K′(θ) − 1/θ − 1/(1+θ),   log δ ≈ K(θ) − θε − log θ(1+θ) − ½ log 2π(K″(θ) + 1/θ² + 1/(1+θ)²)
 * </pre>
 *
 * Alghamdi et al. 2023, Section 4. Used only to choose where to integrate; nothing certified rests on it.
 */
public record SaddlePoint(double theta, double epsilon, double logDelta) {
    /** From the sums (K, K′, K″) at θ. */
    static SaddlePoint of(double theta, double[] cumulants) {
        double epsilon = cumulants[1] - 1 / theta - 1 / (1 + theta);
        double logDelta = cumulants[0]
                - theta * epsilon
                - Math.log(theta)
                - Math.log1p(theta)
                - 0.5 * Math.log(2 * Math.PI * curvature(theta, cumulants));
        return new SaddlePoint(theta, epsilon, logDelta);
    }

    /** Second derivative of the exponent, dε/dθ. */
    static double curvature(double theta, double[] cumulants) {
        return cumulants[2] + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
    }

    /** The point between two others that belongs to a value of log delta between theirs, about. */
    static SaddlePoint between(SaddlePoint first, SaddlePoint second, double logDelta) {
        double share = (logDelta - first.logDelta) / (second.logDelta - first.logDelta);
        return new SaddlePoint(
                first.theta + share * (second.theta - first.theta),
                first.epsilon + share * (second.epsilon - first.epsilon),
                logDelta);
    }

    /** The same line, asked about another point. */
    SaddlePoint at(double newEpsilon, double newLogDelta) {
        return new SaddlePoint(theta, newEpsilon, newLogDelta);
    }
}
