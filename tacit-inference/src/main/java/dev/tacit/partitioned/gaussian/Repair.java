package dev.tacit.partitioned.gaussian;

/**
 * How a noisy global approximation is read: never less certain than the prior, with noise taken for noise, and cautiously in
 * the first rounds.
 *
 * <pre>
 *   λ ← max(λ, prior λ),   then   λ ← λ + τ² / (signalVariance λ) + startPrecision 0.3^(rounds done)
 * </pre>
 *
 * τ² is the variance of the noise in h. The second term makes the mean h/λ the best linear guess if weights have the given
 * variance (Wiener). All of it is post-processing of released values; the raw approximation is kept beside. Differs from the paper,
 * whose code takes the absolute value of a negative precision, which turns means around.
 *
 * <p>The third term is for sums of sites of independent coordinates. Columns that say the same thing each ask for the whole step, so
 * the margin moves by as many steps as there are of them. Damping does not help at first: it shrinks h and λ alike. Once margins are
 * far out, records are sure of themselves, their curvature is nearly 0, and λ takes many rounds to come back; most of all if the parties
 * of the first round have one label. With a public precision beside it, such as that of all records at the start, the approximation
 * begins with short steps. It fades fast, because it slows down columns that say different things, and leaves fixed points where they are.
 *
 * @param signalVariance of the weights, in units of the prior's variance; infinite for no shrinking
 * @param startPrecision that is added before the first round, public; 0 for none
 */
public record Repair(double signalVariance, double startPrecision) {
    /** What a round leaves of the start precision. */
    private static final double FADING = 0.3;

    public Repair {
        if (!(signalVariance > 0)) {
            throw new IllegalArgumentException("a signal variance is positive");
        }
        if (!(startPrecision >= 0) || Double.isInfinite(startPrecision)) {
            throw new IllegalArgumentException("a start precision is a number from 0");
        }
    }

    /** Not more cautious in the first rounds than in the last. */
    public Repair(double signalVariance) {
        this(signalVariance, 0);
    }

    /** Raises precisions to those of the prior, and does nothing else. */
    public static Repair floor() {
        return new Repair(Double.POSITIVE_INFINITY);
    }

    /**
     * What a global approximation is read as; independent coordinates only are read cautiously.
     *
     * @param noiseVariance of its weighted means
     * @param roundsDone how many rounds are over
     */
    public NaturalGaussian read(NaturalGaussian global, NaturalGaussian prior, double noiseVariance, long roundsDone) {
        NaturalGaussian raised = global.withPrecisionOf(prior);
        double caution = startPrecision * Math.pow(FADING, (double) roundsDone);
        boolean noisy = noiseVariance > 0 && !Double.isInfinite(signalVariance);
        if ((!noisy && caution == 0) || global.family() != GaussianFamily.MEAN_FIELD) {
            return raised;
        }
        double[] precision = raised.precisionDiagonal();
        double[] priorPrecision = prior.precisionDiagonal();
        for (int i = 0; i < precision.length; i++) {
            precision[i] += (noisy ? noiseVariance * priorPrecision[i] / (signalVariance * precision[i]) : 0) + caution;
        }
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, raised.weightedMean(), precision);
    }
}
