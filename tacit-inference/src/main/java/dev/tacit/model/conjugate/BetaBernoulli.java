package dev.tacit.model.conjugate;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.BetaPosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;

/**
 * How often a binary target is positive.
 *
 * <pre>
 *   y_n ~ Bernoulli(θ),   θ ~ Beta(priorSuccesses, priorFailures)
 *   statistic of one record: y_n − ½, of size ½;     successes = N/2 + Σ_n (y_n − ½)
 *   θ | y ~ Beta(priorSuccesses + successes, priorFailures + N − successes)
 * </pre>
 *
 * Bernardo, Smith 1994, Section 5.2. Centring halves what one record can add; N is the declared number of units. With
 * noise of standard deviation s, successes are moved into [0, N], and the shapes are scaled down so that the variance of
 * the posterior grows by (s / (N + priors))²: the interval includes the noise of the release, by matching moments.
 *
 * @param priorSuccesses shape of the prior
 * @param priorFailures shape of the prior
 * @param publicSize declared number of units
 */
public record BetaBernoulli(double priorSuccesses, double priorFailures, long publicSize)
        implements ConjugateExponentialModel<BetaPosterior>, PredictiveModel {
    public static final String NAME = "beta-bernoulli";

    private static final String PARAMETER = "probability";

    public BetaBernoulli {
        ConjugatePair.requirePositive(priorSuccesses, "priorSuccesses");
        ConjugatePair.requirePositive(priorFailures, "priorFailures");
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
    public BetaPosterior start(double[] hyperParameters, RandomStream random) {
        return new BetaPosterior(PARAMETER, priorSuccesses, priorFailures);
    }

    @Override
    public double[] hyperParameters() {
        return new double[0];
    }

    @Override
    public double[] hyperParameters(BetaPosterior posterior, double[] before) {
        return before;
    }

    @Override
    public ContributionSum expectedStatistics(BetaPosterior posterior) {
        return ContributionSum.of(
                1, (block, row, contribution) -> contribution.add(0, 0.5 * Rows.signedLabel(block, row)));
    }

    @Override
    public BetaPosterior posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        double successes = Math.max(0, Math.min((double) publicSize, publicSize / 2.0 + statistics[0]));
        double total = priorSuccesses + priorFailures + publicSize;
        double mean = (priorSuccesses + successes) / total;
        double noise = noiseStandardDeviation / total;
        double variance = mean * (1 - mean) / (total + 1) + noise * noise;
        double matched = ConjugatePair.matchedTotal(mean * (1 - mean), variance, total);
        return new BetaPosterior(PARAMETER, mean * matched, (1 - mean) * matched);
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        double probability = posterior.mean()[0];
        return (block, row) -> new Prediction.Probability(probability);
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        return random.uniform() < parameters[0] ? 1 : 0;
    }
}
