package dev.tacit.model.regression;

import dev.tacit.numerics.SpecialFunctions;
import java.io.Serializable;

/**
 * Logistic regression for expectation propagation, moments by quadrature.
 *
 * <pre>
 *   log Z = log E σ(±u),   u ~ N(μ, v);     derivatives in μ are E σ′ and E σ″ over E σ
 *   v ≤ 36:  h Σ_k φ(kh) f(μ + √v kh),   h = 0.45 / max(1, √v)                       trapezoidal rule for f = σ, σ′, σ″
 *   v &gt; 36:  h Σ_k σ′(kh) F((μ − kh)/√v),   h = 0.45, F = Φ, φ/√v, −z φ/v          the same integrals, by parts
 * </pre>
 *
 * The trapezoidal rule converges geometrically here (Trefethen and Weideman 2014); Gauss-Hermite quadrature does not, because of the
 * poles of σ. A label counts as 1 above one half and as 0 otherwise.
 */
public final class LogisticSites extends MarginSites implements Serializable {
    private static final long serialVersionUID = 1;

    private static final double LARGEST_VARIANCE_FOR_SIGMOIDS = 36;
    private static final double NORMAL_RANGE = 8.7;
    private static final double LOGISTIC_RANGE = 38;
    private static final double STEP = 0.45;

    /** P(1 − P) on average over the margins that fitted models produce: half of the largest, one quarter. */
    private static final double TYPICAL_CURVATURE = 0.125;

    /** @param startShare share of the budget for Σ x xᵀ; 0 for none */
    public LogisticSites(LogisticRegression model, long publicSize, double startShare) {
        super(new Design(model.parameterNames(), model.rowNormBound(), model.priorPrecision(), publicSize, startShare));
    }

    @Override
    double typicalCurvature(double[] own) {
        return TYPICAL_CURVATURE;
    }

    @Override
    double curvatureAt(double[] own, double margin) {
        return SpecialFunctions.sigmoid(margin) * SpecialFunctions.sigmoid(-margin);
    }

    @Override
    double[] ownConstants() {
        return new double[0];
    }

    @Override
    void tilt(double[] own, double label, double mean, double variance, Tilt tilt) {
        double sign = label > 0.5 ? 1 : -1;
        double deviation = Math.sqrt(variance);
        if (variance <= LARGEST_VARIANCE_FOR_SIGMOIDS) {
            overNormal(sign * mean, deviation, tilt);
        } else {
            overLogistic(sign * mean, deviation, tilt);
        }
        tilt.slope *= sign;
    }

    private static void overNormal(double mean, double deviation, Tilt tilt) {
        double step = STEP / Math.max(1, deviation);
        int last = (int) Math.ceil((NORMAL_RANGE + deviation) / step);
        double zeroth = 0;
        double first = 0;
        double second = 0;
        for (int k = -last; k <= last; k++) {
            double z = k * step;
            double p = SpecialFunctions.sigmoid(mean + deviation * z);
            double weight = SpecialFunctions.normalDensity(z);
            double slope = weight * p * (1 - p);
            zeroth += weight * p;
            first += slope;
            second += slope * (1 - 2 * p);
        }
        finish(step * zeroth, step * first, step * second, tilt);
    }

    private static void overLogistic(double mean, double deviation, Tilt tilt) {
        double zeroth = 0;
        double first = 0;
        double second = 0;
        int last = (int) (LOGISTIC_RANGE / STEP);
        for (int k = -last; k <= last; k++) {
            double u = k * STEP;
            double p = SpecialFunctions.sigmoid(u);
            double weight = p * SpecialFunctions.sigmoid(-u);
            double z = (mean - u) / deviation;
            double density = weight * SpecialFunctions.normalDensity(z) / deviation;
            zeroth += weight * SpecialFunctions.normalCdf(z);
            first += density;
            second -= density * z / deviation;
        }
        finish(STEP * zeroth, STEP * first, STEP * second, tilt);
    }

    private static void finish(double zeroth, double first, double second, Tilt tilt) {
        tilt.logPartition = Math.log(zeroth);
        tilt.slope = first / zeroth;
        tilt.curvature = tilt.slope * tilt.slope - second / zeroth;
    }
}
