package dev.tacit.inference.noiseaware;

/**
 * What is known about the noise of a trace, and what is assumed about the rest.
 *
 * @param samplingRate κ, the share of records in a release
 * @param noiseStandardDeviations τ_i of the noise in each coordinate of a released gradient sum, in the units of φ
 * @param subsamplingScale of the half-normal prior of the standard deviation s that random batches add to τ; 0 if
 *     there is none, or if it is already part of τ (known subsampling variance)
 * @param optimumStandardDeviation s₀ of the prior N(φ̄, s₀²) of the optimum
 */
public record TraceNoise(
        double samplingRate,
        double[] noiseStandardDeviations,
        double subsamplingScale,
        double optimumStandardDeviation) {

    /** Checks the values. */
    public TraceNoise {
        noiseStandardDeviations = noiseStandardDeviations.clone();
        if (!(samplingRate > 0 && samplingRate <= 1)) {
            throw new IllegalArgumentException("the sampling rate must lie between 0 and 1");
        }
        if (!(subsamplingScale >= 0 && subsamplingScale < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the scale of the subsampling noise must be finite and not negative");
        }
        if (!(optimumStandardDeviation > 0 && optimumStandardDeviation < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "the prior standard deviation of the optimum must be positive and finite");
        }
        for (double deviation : noiseStandardDeviations) {
            if (!(deviation > 0 && deviation < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("the noise standard deviations must be positive and finite");
            }
        }
    }

    /** As published: s₀ = 1 and subsampling noise with scale 1. */
    public static TraceNoise published(double samplingRate, double[] noiseStandardDeviations) {
        return new TraceNoise(samplingRate, noiseStandardDeviations, 1, 1);
    }

    /** Without subsampling noise. */
    public TraceNoise withoutSubsampling() {
        return new TraceNoise(samplingRate, noiseStandardDeviations, 0, optimumStandardDeviation);
    }

    /** With subsampling variances that are known: they are added to τ². */
    public TraceNoise withKnownSubsampling(double[] variances) {
        double[] total = noiseStandardDeviations.clone();
        for (int i = 0; i < total.length; i++) {
            total[i] = Math.sqrt(total[i] * total[i] + variances[i]);
        }
        return new TraceNoise(samplingRate, total, 0, optimumStandardDeviation);
    }
}
