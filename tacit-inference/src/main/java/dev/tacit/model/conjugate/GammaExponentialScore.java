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
import java.util.List;

/**
 * The rate of waiting times by its clipped score.
 *
 * <pre>
 *   y ~ Exponential(λ),   φ = log λ,   λ ~ Gamma(priorShape, priorRate)
 *   score 1 − λ y, of variance 1, clipped to [−scoreBound, 1] and centred:     ψ = 1 − min(λ y, 2h) / h,   h = (1 + scoreBound) / 2
 *   k = λ/λ*,  a = 2h/k:     m = 1 − k (1 − e^−a) / h,     V = (k/h)² (2 (1 − e^−a (1 + a)) − (1 − e^−a)²)
 * </pre>
 *
 * Clipped: the score of one record, in absolute value. Centring adds (scoreBound − 1)/2 to every record and takes N times
 * that away again, N being the declared number of units; it brings the noise down from that of scoreBound to that of h.
 * There is no declared upper bound of y: what lies above the clip is foretold by the model, so a small scoreBound is sharp
 * only if the tail really is exponential. A target that is not a number contributes nothing.
 *
 * @param priorShape of the prior
 * @param priorRate of the prior
 * @param scoreBound in standard deviations of the score at the truth; at least 1
 * @param publicSize N, the declared number of units
 */
public record GammaExponentialScore(double priorShape, double priorRate, double scoreBound, long publicSize)
        implements ScoreFieldModel, PredictiveModel {
    /** Five standard deviations: 0.2 % of the records of a true model are clipped at the truth. */
    public static final double WIDE_BOUND = 5;

    private static final double PRIOR_REACH = 12;

    public GammaExponentialScore {
        ConjugatePair.requirePositive(priorShape, "priorShape");
        ConjugatePair.requirePositive(priorRate, "priorRate");
        ConjugatePair.requireSize(publicSize);
        if (!(scoreBound >= 1) || Double.isInfinite(scoreBound)) {
            throw new IllegalArgumentException("scoreBound is a number from 1");
        }
    }

    private double halfRange() {
        return (1 + scoreBound) / 2;
    }

    @Override
    public List<String> parameterNames() {
        return List.of("log-rate");
    }

    @Override
    public double[] start() {
        return new double[] {SpecialFunctions.digamma(priorShape) - Math.log(priorRate)};
    }

    @Override
    public double[] startPrecisions() {
        return new double[] {1 / SpecialFunctions.trigamma(priorShape)};
    }

    @Override
    public ContributionSum score(double[] point) {
        double rate = Math.exp(point[0]);
        double h = halfRange();
        return ContributionSum.of(1, (block, row, contribution) -> {
            double scaled = Math.max(0, rate * block.label(row));
            contribution.add(0, 1 - Math.min(scaled, 2 * h) / h);
        });
    }

    /** m at ratio k = λ/λ*. */
    public double mean(double k) {
        return 1 + k * Math.expm1(-2 * halfRange() / k) / halfRange();
    }

    /** Its derivative in log λ*. */
    public double slope(double k) {
        double a = 2 * halfRange() / k;
        return k * (1 - Math.exp(-a) * (1 + a)) / halfRange();
    }

    /** V at ratio k = λ/λ*. */
    public double variance(double k) {
        double a = 2 * halfRange() / k;
        double tail = Math.exp(-a);
        double share = k / halfRange();
        return share * share * (2 * (1 - tail * (1 + a)) - (1 - tail) * (1 - tail));
    }

    @Override
    public void expect(double[] point, double[] precisions, double[] mean, double[] slopes) {
        mean[0] = publicSize * mean(1);
        slopes[0] = publicSize * slope(1);
    }

    @Override
    public Posterior posterior(ScoreTrace trace) {
        double reach = PRIOR_REACH / Math.sqrt(startPrecisions()[0]);
        return new MixturePosterior(
                parameterNames(),
                List.of(GridMixture.of(
                        logRate -> logPrior(logRate) + trace.logLikelihood(0, field(trace, logRate)),
                        start()[0] - reach,
                        start()[0] + reach)));
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        double mean = ConjugatePair.mean(posterior, logRate -> Math.exp(-logRate));
        double square = ConjugatePair.mean(posterior, logRate -> 2 * Math.exp(-2 * logRate));
        double deviation = Math.sqrt(Math.max(0, square - mean * mean));
        return (block, row) -> new Prediction.Numeric(mean, deviation);
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        return random.gamma(1) * Math.exp(-parameters[0]);
    }

    private double logPrior(double logRate) {
        return priorShape * logRate - priorRate * Math.exp(logRate);
    }

    private ScoreTrace.Field field(ScoreTrace trace, double truth) {
        double deviation = Math.sqrt(variance(1) / publicSize) / slope(1);
        return new ScoreTrace.Field() {
            private double ratio(int step) {
                return Math.exp(trace.point(step, 0) - truth);
            }

            @Override
            public double mean(int step) {
                return publicSize * GammaExponentialScore.this.mean(ratio(step));
            }

            @Override
            public double slope(int step) {
                return publicSize * GammaExponentialScore.this.slope(ratio(step));
            }

            @Override
            public double variance(int step) {
                return publicSize * GammaExponentialScore.this.variance(ratio(step));
            }

            @Override
            public double optimumDeviation() {
                return deviation;
            }
        };
    }
}
