package dev.tacit.model.network;

import dev.tacit.numerics.SpecialFunctions;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * log Z = log Φ(y m/√(1 + v)) of a label y = ±1 under an output N(m, v), with its derivatives.
 *
 * <pre>
 *   z = y m/√(1 + v),  r = φ(z)/Φ(z),     ∂logZ/∂m = y r/√(1 + v),     ∂logZ/∂v = −½ z r/(1 + v)
 * </pre>
 *
 * Rasmussen, Williams 2006, equations 3.80 and 3.82.
 */
public record ProbitMoments(double logZ, double byMean, double byVariance) {
    private static final double SQRT_HALF = Math.sqrt(0.5);
    private static final double SQRT_TWO_OVER_PI = Math.sqrt(2 / Math.PI);

    public static ProbitMoments of(double sign, double mean, double variance) {
        double scale = 1 / Math.sqrt(1 + variance);
        double z = sign * mean * scale;
        double logZ = SpecialFunctions.logNormalCdf(z);
        double ratio = z > 0
                ? SpecialFunctions.normalDensity(z) / SpecialFunctions.normalCdf(z)
                : SQRT_TWO_OVER_PI / Erfcx.value(-z * SQRT_HALF);
        return new ProbitMoments(logZ, sign * ratio * scale, -0.5 * z * ratio * scale * scale);
    }
}
