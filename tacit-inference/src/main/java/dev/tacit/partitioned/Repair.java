package dev.tacit.partitioned;

/**
 * How a noisy global approximation is read: never less certain than the prior, and with noise taken for noise.
 *
 * <pre>
 *   λ ← max(λ, prior λ),   then   λ ← λ + τ² / (signalVariance λ)        τ²: variance of the noise in h
 * </pre>
 *
 * The second step makes the mean h/λ the best linear guess if weights have the given variance (Wiener). Both are
 * post-processing of released values; the raw approximation is kept beside. Differs from the paper, whose code takes the
 * absolute value of a negative precision, which turns means around.
 *
 * @param signalVariance of the weights, in units of the prior's variance; infinite for no shrinking
 */
public record Repair(double signalVariance) {
    public Repair {
        if (!(signalVariance > 0)) {
            throw new IllegalArgumentException("a signal variance is positive");
        }
    }

    /** Raises precisions to those of the prior, and does not shrink. */
    public static Repair floor() {
        return new Repair(Double.POSITIVE_INFINITY);
    }

    /** What a global approximation is read as; independent coordinates only are shrunk. */
    public NaturalGaussian read(NaturalGaussian global, NaturalGaussian prior, double noiseVariance) {
        NaturalGaussian raised = global.withPrecisionOf(prior);
        if (Double.isInfinite(signalVariance) || noiseVariance == 0 || global.family() != GaussianFamily.MEAN_FIELD) {
            return raised;
        }
        double[] precision = raised.precisionDiagonal();
        double[] priorPrecision = prior.precisionDiagonal();
        for (int i = 0; i < precision.length; i++) {
            precision[i] += noiseVariance * priorPrecision[i] / (signalVariance * precision[i]);
        }
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, raised.weightedMean(), precision);
    }
}
