package dev.tacit.model.regression;

import dev.tacit.numerics.SpecialFunctions;
import java.io.Serializable;

/**
 * Probit regression for expectation propagation, moments in closed form.
 *
 * <pre>
 *   z = ±E u / √(1 + Var u),   r = φ(z) / Φ(z):     log Z = log Φ(z),   a = ±r / √(1 + Var u),   b = r (r + z) / (1 + Var u)
 * </pre>
 *
 * Rasmussen, Williams 2006, equations 3.82 to 3.85. A label counts as 1 above one half and as 0 otherwise.
 */
public final class ProbitSites extends MarginSites implements Serializable {
    private static final long serialVersionUID = 1;

    /** r (r + z) on average over the margins that fitted models produce; 2/π at the origin. */
    private static final double TYPICAL_CURVATURE = 0.4;

    private static final double LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    /** @param startShare share of the budget for Σ x xᵀ; 0 for none */
    public ProbitSites(ProbitRegression model, long publicSize, double startShare) {
        super(new Design(model.parameterNames(), model.rowNormBound(), model.priorPrecision(), publicSize, startShare));
    }

    @Override
    double typicalCurvature(double[] own) {
        return TYPICAL_CURVATURE;
    }

    /** φ(u)² / (Φ(u) Φ(−u)), over both labels. */
    @Override
    double curvatureAt(double[] own, double margin) {
        double logTails = SpecialFunctions.logNormalCdf(margin) + SpecialFunctions.logNormalCdf(-margin);
        return Math.exp(-margin * margin - 2 * LOG_ROOT_TWO_PI - logTails);
    }

    @Override
    double[] ownConstants() {
        return new double[0];
    }

    @Override
    void tilt(double[] own, double label, double mean, double variance, Tilt tilt) {
        double sign = label > 0.5 ? 1 : -1;
        double root = Math.sqrt(1 + variance);
        double z = sign * mean / root;
        tilt.logPartition = SpecialFunctions.logNormalCdf(z);
        double ratio = Math.exp(-0.5 * z * z - LOG_ROOT_TWO_PI - tilt.logPartition);
        tilt.slope = sign * ratio / root;
        tilt.curvature = ratio * (ratio + z) / (root * root);
    }
}
