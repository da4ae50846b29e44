package dev.tacit.diagnostics;

import dev.tacit.numerics.SpecialFunctions;

/**
 * Scores of Gaussian predictions N(m_i, s_i²) of a number y_i.
 *
 * <pre>
 *   rmse            (mean of (y − m)²)^½
 *   logLikelihood   mean of log N(y; m, s²)
 *   crps            mean of s (z (2Φ(z) − 1) + 2φ(z) − 1/√π), z = (y − m)/s (Gneiting and Raftery 2007, equation 21)
 *   coverage        share of rows with |z| ≤ Φ⁻¹((1 + level)/2)
 *   intervalWidth   mean of 2 s Φ⁻¹((1 + level)/2)
 * </pre>
 *
 * Only for rows that may be looked at.
 *
 * @param rows how many rows were scored
 * @param level the probability that the intervals are meant to have
 */
public record RegressionScores(
        long rows,
        double rmse,
        double logLikelihood,
        double crps,
        double level,
        double coverage,
        double intervalWidth) {
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
    private static final double INVERSE_SQRT_PI = 1 / Math.sqrt(Math.PI);

    /** Scores predictions, with central intervals of the given level, strictly between 0 and 1. */
    public static RegressionScores of(double[] means, double[] standardDeviations, double[] targets, double level) {
        int n = Predictions.sameSize(means, targets, "targets");
        Predictions.sameSize(means, standardDeviations, "standard deviations");
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("the level of an interval must lie strictly between 0 and 1");
        }
        double halfWidth = -SpecialFunctions.normalQuantile(0.5 * (1 - level));
        double squares = 0;
        double likelihood = 0;
        double crps = 0;
        double covered = 0;
        double deviations = 0;
        for (int i = 0; i < n; i++) {
            double deviation = standardDeviations[i];
            if (!(deviation > 0 && deviation < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "the predicted standard deviation of row " + i + " is not positive and finite");
            }
            double residual = targets[i] - means[i];
            if (!Double.isFinite(residual)) {
                throw new IllegalArgumentException("the prediction or the target of row " + i + " is not finite");
            }
            double z = residual / deviation;
            squares += residual * residual;
            likelihood -= 0.5 * z * z + Math.log(deviation);
            crps += gaussianCrps(residual, deviation);
            covered += Math.abs(z) <= halfWidth ? 1 : 0;
            deviations += deviation;
        }
        return new RegressionScores(
                n,
                Math.sqrt(squares / n),
                likelihood / n - HALF_LOG_TWO_PI,
                crps / n,
                level,
                covered / n,
                2 * halfWidth * deviations / n);
    }

    /** The continuous ranked probability score of N(0, s²) at a residual: in the unit of the target, smaller is better. */
    public static double gaussianCrps(double residual, double standardDeviation) {
        double z = residual / standardDeviation;
        double spread = 2 * SpecialFunctions.normalCdf(z) - 1;
        return standardDeviation * (z * spread + 2 * SpecialFunctions.normalDensity(z) - INVERSE_SQRT_PI);
    }

    /** The root of the mean square of the residuals, where there are no standard deviations. */
    public static double rootMeanSquare(double[] predictions, double[] targets) {
        int n = Predictions.sameSize(predictions, targets, "targets");
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double residual = targets[i] - predictions[i];
            squares += residual * residual;
        }
        return Math.sqrt(squares / n);
    }
}
