package dev.tacit.model.conjugate;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.ScoreTrace;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GridMixture;
import dev.tacit.posterior.family.MixturePosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.List;

/**
 * How often a binary target is positive, by its score.
 *
 * <pre>
 *   y ~ Bernoulli(p),   φ = logit p,   p ~ Beta(priorSuccesses, priorFailures)
 *   score y − p ∈ {−p, 1 − p}, centred and of norm 1:     ψ = 2y − 1,   m = 2p* − 1,   V = 4 p* (1 − p*)
 * </pre>
 *
 * The score takes two values, so the smallest interval around them is the same wherever it is taken: every release says
 * the same, and nothing is clipped. N is the declared number of units.
 *
 * @param priorSuccesses shape of the prior
 * @param priorFailures shape of the prior
 * @param publicSize N, the declared number of units
 */
public record BetaBernoulliScore(double priorSuccesses, double priorFailures, long publicSize)
        implements ScoreFieldModel, PredictiveModel {
    private static final double PRIOR_REACH = 12;

    public BetaBernoulliScore {
        ConjugatePair.requirePositive(priorSuccesses, "priorSuccesses");
        ConjugatePair.requirePositive(priorFailures, "priorFailures");
        ConjugatePair.requireSize(publicSize);
    }

    @Override
    public List<String> parameterNames() {
        return List.of("logit-probability");
    }

    @Override
    public double[] start() {
        return new double[] {SpecialFunctions.digamma(priorSuccesses) - SpecialFunctions.digamma(priorFailures)};
    }

    @Override
    public double[] startPrecisions() {
        return new double[] {1 / (SpecialFunctions.trigamma(priorSuccesses) + SpecialFunctions.trigamma(priorFailures))
        };
    }

    @Override
    public ContributionSum score(double[] point) {
        return ContributionSum.of(1, (block, row, contribution) -> contribution.add(0, Rows.signedLabel(block, row)));
    }

    @Override
    public void expect(double[] point, double[] precisions, double[] mean, double[] slopes) {
        double probability = SpecialFunctions.sigmoid(point[0]);
        mean[0] = publicSize * (2 * probability - 1);
        slopes[0] = publicSize * 2 * probability * (1 - probability);
    }

    @Override
    public Posterior posterior(ScoreTrace trace) {
        double reach = PRIOR_REACH / Math.sqrt(startPrecisions()[0]);
        return new MixturePosterior(
                parameterNames(),
                List.of(GridMixture.of(
                        logit -> logPrior(logit) + trace.logLikelihood(0, field(SpecialFunctions.sigmoid(logit))),
                        start()[0] - reach,
                        start()[0] + reach)));
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        double probability = ConjugatePair.mean(posterior, SpecialFunctions::sigmoid);
        return (block, row) -> new Prediction.Probability(probability);
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        return random.uniform() < SpecialFunctions.sigmoid(parameters[0]) ? 1 : 0;
    }

    private double logPrior(double logit) {
        return priorSuccesses * SpecialFunctions.logSigmoid(logit)
                + priorFailures * SpecialFunctions.logSigmoid(-logit);
    }

    private ScoreTrace.Field field(double probability) {
        return new ScoreTrace.Field() {
            @Override
            public double mean(int step) {
                return publicSize * (2 * probability - 1);
            }

            @Override
            public double slope(int step) {
                return publicSize * 2 * probability * (1 - probability);
            }

            @Override
            public double variance(int step) {
                return publicSize * 4 * probability * (1 - probability);
            }

            @Override
            public double optimumDeviation() {
                return 1 / Math.sqrt(publicSize * probability * (1 - probability));
            }
        };
    }
}
