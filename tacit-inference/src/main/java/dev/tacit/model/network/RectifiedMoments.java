package dev.tacit.model.network;

import dev.tacit.numerics.SpecialFunctions;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * Mean and variance of max(0, a) for a ~ N(m, v), with their derivatives.
 *
 * <pre>
 *   α = m/√v,  γ = φ(α)/Φ(α),  mean = Φ (m + √v γ),  variance = mean (m + √v γ) Φ(−α) + Φ v (1 − γ (γ + α))
 *   ∂mean/∂m = Φ,  ∂mean/∂v = φ/(2√v),  ∂variance/∂m = 2 mean Φ(−α),  ∂variance/∂v = Φ − mean φ/√v
 * </pre>
 *
 * Hernández-Lobato, Adams 2015, equations 14 and 15. γ comes from erfcx, so it is exact where Φ is too small for a double,
 * and needs no separate branch.
 */
final class RectifiedMoments {
    private static final double SQRT_HALF = Math.sqrt(0.5);

    /** Φ(x) = φ(x) √(π/2) erfcx(−x/√2) for x ≤ 0. */
    private static final double SQRT_HALF_PI = Math.sqrt(Math.PI / 2);

    final double[] mean;
    final double[] variance;
    final double[] meanByMean;
    final double[] meanByVariance;
    final double[] varianceByMean;
    final double[] varianceByVariance;

    RectifiedMoments(int units) {
        mean = new double[units];
        variance = new double[units];
        meanByMean = new double[units];
        meanByVariance = new double[units];
        varianceByMean = new double[units];
        varianceByVariance = new double[units];
    }

    /** For every unit. */
    void of(double[] means, double[] variances, int units) {
        for (int unit = 0; unit < units; unit++) {
            double m = means[unit];
            double v = variances[unit];
            double deviation = Math.sqrt(v);
            double alpha = m / deviation;
            double density = SpecialFunctions.normalDensity(alpha);
            double tail = SQRT_HALF_PI * Erfcx.value(Math.abs(alpha) * SQRT_HALF);
            double below = density * tail;
            double on = alpha > 0 ? 1 - below : below;
            double off = alpha > 0 ? below : 1 - below;
            double ratio = alpha > 0 ? density / on : 1 / tail;
            double level = m + deviation * ratio;
            double first = on * level;
            mean[unit] = first;
            variance[unit] = first * level * off + on * v * (1 - ratio * (ratio + alpha));
            meanByMean[unit] = on;
            meanByVariance[unit] = density / (2 * deviation);
            varianceByMean[unit] = 2 * first * off;
            varianceByVariance[unit] = on - first * density / deviation;
        }
    }
}
