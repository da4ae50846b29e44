package dev.tacit.model.conjugate;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GammaPosterior;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;

/**
 * The rate of waiting times or other positive numbers.
 *
 * <pre>
 *   y_n ~ Exponential(λ),   λ ~ Gamma(priorShape, priorRate),     0 ≤ y_n ≤ upperBound
 *   statistic of one record: y_n/upperBound − ½, of size at most ½;     Σ y_n = upperBound (N/2 + Σ_n (y_n/upperBound − ½))
 *   λ | y ~ Gamma(priorShape + N, priorRate + Σ y_n)
 * </pre>
 *
 * Bernardo, Smith 1994, Section 5.2. The target is clamped to its declared bounds, so numbers above the bound count as the
 * bound; a target that is not a number contributes nothing. N is the declared number of units. With noise, a sum below
 * its own noise is raised to it, and the shape is lowered so that the relative variance of λ grows by that of the noisy
 * rate: the interval includes the noise of the release, by matching moments to first order.
 *
 * @param priorShape of the prior
 * @param priorRate of the prior, in the target's units
 * @param upperBound declared upper bound of the target
 * @param publicSize declared number of units
 */
public record GammaExponential(double priorShape, double priorRate, double upperBound, long publicSize)
        implements ConjugateExponentialModel<GammaPosterior>, PredictiveModel, Serializable {
    public static final String NAME = "gamma-exponential";

    private static final String PARAMETER = "rate";

    public GammaExponential {
        ConjugatePair.requirePositive(priorShape, "priorShape");
        ConjugatePair.requirePositive(priorRate, "priorRate");
        ConjugatePair.requirePositive(upperBound, "the upper bound of the target");
        ConjugatePair.requireSize(publicSize);
    }

    @Override
    public int statisticsDimension() {
        return 1;
    }

    @Override
    public double statisticsL2Bound() {
        return 0.5;
    }

    @Override
    public GammaPosterior start(double[] hyperParameters, RandomStream random) {
        return new GammaPosterior(PARAMETER, priorShape, priorRate);
    }

    @Override
    public double[] hyperParameters() {
        return new double[0];
    }

    @Override
    public double[] hyperParameters(GammaPosterior posterior, double[] before) {
        return before;
    }

    @Override
    public ContributionSum expectedStatistics(GammaPosterior posterior) {
        return ContributionSum.of(1, (block, row, contribution) -> {
            double share = Math.max(0, Math.min(1, block.label(row) / upperBound));
            contribution.add(0, share - 0.5);
        });
    }

    @Override
    public GammaPosterior posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        double noise = upperBound * noiseStandardDeviation;
        double sum = Math.max(noise, upperBound * (publicSize / 2.0 + statistics[0]));
        double shape = priorShape + publicSize;
        double rate = priorRate + Math.max(0, Math.min(sum, publicSize * upperBound));
        double relative = noise / rate;
        double matched = 1 / (1 / shape + relative * relative);
        return new GammaPosterior(PARAMETER, matched, matched * rate / shape);
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        GammaPosterior gamma = (GammaPosterior) posterior;
        double mean = gamma.rate() / Math.max(1e-9, gamma.shape() - 1);
        double deviation = mean * Math.sqrt(gamma.shape() / Math.max(1e-9, gamma.shape() - 2));
        return (block, row) -> new Prediction.Numeric(mean, deviation);
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        return Math.min(upperBound, random.gamma(1) / parameters[0]);
    }
}
