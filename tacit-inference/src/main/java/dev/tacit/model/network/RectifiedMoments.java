package dev.tacit.model.network;

import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.VectorMillsRatio;

/**
 * Mean and variance of max(0, a) for a ~ N(m, v), with their derivatives.
 *
 * <pre>
 *   α = m/√v,  γ = φ(α)/Φ(α),  mean = Φ (m + √v γ),  variance = mean (m + √v γ) Φ(−α) + Φ v (1 − γ (γ + α))
 *   ∂mean/∂m = Φ,  ∂mean/∂v = φ/(2√v),  ∂variance/∂m = 2 mean Φ(−α),  ∂variance/∂v = Φ − mean φ/√v
 * </pre>
 *
 * Hernández-Lobato, Adams 2015, equations 14 and 15. γ comes from {@link VectorMillsRatio}, so it is exact where Φ is too small for a
 * double, and needs no separate branch.
 */
public final class RectifiedMoments {
    public final double[] mean;
    public final double[] variance;
    final double[] meanByMean;
    final double[] meanByVariance;
    final double[] varianceByMean;
    final double[] varianceByVariance;

    /** √v, α, Φ(−|α|)/φ(α), φ and γ of every unit, and Φ(−α). */
    private final double[] deviation;

    private final double[] alpha;
    private final double[] tail;
    private final double[] density;
    private final double[] ratio;
    private final double[] off;

    public RectifiedMoments(int units) {
        mean = new double[units];
        variance = new double[units];
        meanByMean = new double[units];
        meanByVariance = new double[units];
        varianceByMean = new double[units];
        varianceByVariance = new double[units];
        deviation = new double[units];
        alpha = new double[units];
        tail = new double[units];
        density = new double[units];
        ratio = new double[units];
        off = new double[units];
    }

    /** For every unit: three loops, of which processors do the first and the last to several units at once. */
    public void of(double[] means, double[] variances, int units) {
        for (int unit = 0; unit < units; unit++) {
            double root = Math.sqrt(variances[unit]);
            deviation[unit] = root;
            alpha[unit] = means[unit] / root;
            tail[unit] = Math.abs(means[unit] / root);
        }
        VectorMillsRatio.replace(tail, units);
        probabilities(units);
        for (int unit = 0; unit < units; unit++) {
            double v = variances[unit];
            double on = meanByMean[unit];
            double level = means[unit] + deviation[unit] * ratio[unit];
            double first = on * level;
            double slope = density[unit] / deviation[unit];
            mean[unit] = first;
            variance[unit] = first * level * off[unit] + on * v * (1 - ratio[unit] * (ratio[unit] + alpha[unit]));
            meanByVariance[unit] = 0.5 * slope;
            varianceByMean[unit] = 2 * first * off[unit];
            varianceByVariance[unit] = on - first * slope;
        }
    }

    /** φ, Φ(α), Φ(−α) and γ. */
    private void probabilities(int units) {
        for (int unit = 0; unit < units; unit++) {
            double at = SpecialFunctions.normalDensity(alpha[unit]);
            double below = at * tail[unit];
            boolean positive = alpha[unit] > 0;
            double on = positive ? 1 - below : below;
            density[unit] = at;
            meanByMean[unit] = on;
            off[unit] = positive ? below : 1 - below;
            ratio[unit] = positive ? at / on : 1 / tail[unit];
        }
    }
}
