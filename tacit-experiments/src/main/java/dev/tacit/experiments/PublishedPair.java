package dev.tacit.experiments;

import dev.tacit.inference.DpVariationalInference;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.sampling.SamplingScheme;
import java.util.List;

/**
 * The conjugate pairs of Alrawajfeh, Jälkö, Honkela 2025 as they are fitted there, in the coordinates and with the settings
 * of their code: 10,000 Poisson batches of rate 0.1, ten draws, burn-in 20 %, steps measured in the noise.
 */
enum PublishedPair {
    /** Logit of the probability. */
    COIN(new CoverageTask.Coin(), 2, 120, -4) {
        @Override
        double logPrior(double[] point, double[] gradient) {
            gradient[0] = 10 - 20 * SpecialFunctions.sigmoid(point[0]);
            return 10 * (SpecialFunctions.logSigmoid(point[0]) + SpecialFunctions.logSigmoid(-point[0]));
        }

        @Override
        double logDensity(RecordBlock block, int row, double[] point, double[] gradient) {
            double label = block.label(row);
            gradient[0] += label - SpecialFunctions.sigmoid(point[0]);
            return 0;
        }

        @Override
        double[] truth(double[] scoreCoordinates) {
            return scoreCoordinates;
        }

        @Override
        double[] deviations(CoverageTask.Table table) {
            return table.plainDeviations();
        }
    },

    /** Log-ratios to the last category. */
    DIE(new CoverageTask.Die(), Math.sqrt(2), 100, -6) {
        @Override
        double logPrior(double[] point, double[] gradient) {
            double total = Math.log(1 + Math.exp(point[0]) + Math.exp(point[1]));
            gradient[0] = 5 - 15 * Math.exp(point[0] - total);
            gradient[1] = 5 - 15 * Math.exp(point[1] - total);
            return 5 * (point[0] + point[1]) - 15 * total;
        }

        @Override
        double logDensity(RecordBlock block, int row, double[] point, double[] gradient) {
            double first = Math.exp(point[0]);
            double second = Math.exp(point[1]);
            double side = block.label(row);
            gradient[0] += (side == 0 ? 1 : 0) - first / (1 + first + second);
            gradient[1] += (side == 1 ? 1 : 0) - second / (1 + first + second);
            return 0;
        }

        /** From contrasts (a − b)/√2 and (a + b − 2c)/√6 of log-probabilities. */
        @Override
        double[] truth(double[] scoreCoordinates) {
            double middle = scoreCoordinates[1] * Math.sqrt(6) / 2;
            double half = scoreCoordinates[0] * Math.sqrt(2) / 2;
            return new double[] {middle + half, middle - half};
        }

        @Override
        double[] deviations(CoverageTask.Table table) {
            double[] logits = truth(table.truth());
            double sum = 1 + Math.exp(logits[0]) + Math.exp(logits[1]);
            double last = SpecialFunctions.trigamma(5 + CoverageTask.RECORDS / sum);
            double[] deviations = new double[2];
            for (int j = 0; j < 2; j++) {
                double count = CoverageTask.RECORDS * Math.exp(logits[j]) / sum;
                deviations[j] = Math.sqrt(SpecialFunctions.trigamma(5 + count) + last);
            }
            return deviations;
        }
    },

    /** Inverse softplus of the rate. */
    WAITING(new CoverageTask.Waiting(1), 2, 100, -4) {
        @Override
        double logPrior(double[] point, double[] gradient) {
            double rate = SpecialFunctions.softplus(point[0]);
            double slope = SpecialFunctions.sigmoid(point[0]);
            gradient[0] = slope * (7 / rate - 2) + 1 - slope;
            return 7 * Math.log(rate) - 2 * rate + SpecialFunctions.logSigmoid(point[0]);
        }

        @Override
        double logDensity(RecordBlock block, int row, double[] point, double[] gradient) {
            double e = Math.exp(-Math.abs(point[0]));
            double rate = Math.max(point[0], 0) + Math.log(1 + e);
            double slope = point[0] >= 0 ? 1 / (1 + e) : e / (1 + e);
            gradient[0] += slope * (1 / rate - block.label(row));
            return 0;
        }

        @Override
        double[] truth(double[] scoreCoordinates) {
            return new double[] {SpecialFunctions.inverseSoftplus(Math.exp(scoreCoordinates[0]))};
        }

        @Override
        double[] deviations(CoverageTask.Table table) {
            double rate = Math.exp(table.truth()[0]);
            double slope = SpecialFunctions.sigmoid(SpecialFunctions.inverseSoftplus(rate));
            return new double[] {table.plainDeviations()[0] * rate / slope};
        }
    };

    static final double EPSILON = 0.1;
    private static final int STEPS = 10_000;
    private static final double RATE = 0.1;
    private static final int DRAWS = 10;
    private static final double BURN_IN = 0.2;

    @SuppressWarnings("ImmutableEnumChecker") // records of constants
    private final CoverageTask task;

    private final double l2Bound;
    private final double scaleWeight;
    private final double startLink;

    PublishedPair(CoverageTask task, double l2Bound, double scaleWeight, double startLink) {
        this.task = task;
        this.l2Bound = l2Bound;
        this.scaleWeight = scaleWeight;
        this.startLink = startLink;
    }

    abstract double logPrior(double[] point, double[] gradient);

    /** Up to whatever does not matter: gradients are all that is asked of it. */
    abstract double logDensity(RecordBlock block, int row, double[] point, double[] gradient);

    /** Parameters in these coordinates. */
    abstract double[] truth(double[] scoreCoordinates);

    /** Standard deviations without privacy in these coordinates. */
    abstract double[] deviations(CoverageTask.Table table);

    CoverageTask task() {
        return task;
    }

    DpVariationalInference kernel() {
        return new DpVariationalInference(new DpVariationalInference.Settings(
                STEPS,
                new SamplingScheme.PoissonSampling(RATE),
                l2Bound,
                DRAWS,
                scaleWeight,
                SpecialFunctions.softplus(startLink),
                new GradientStep.NoiseScaled(Math.sqrt(2)),
                BURN_IN));
    }

    DifferentiableModel model() {
        List<String> names = this == DIE ? List.of("first", "second") : List.of("parameter");
        return new DifferentiableModel() {
            @Override
            public List<String> parameterNames() {
                return names;
            }

            @Override
            public double logPrior(double[] parameters, double[] gradient) {
                return PublishedPair.this.logPrior(parameters, gradient);
            }

            @Override
            public double[] start() {
                return new double[names.size()];
            }

            @Override
            public Likelihood likelihood() {
                return PublishedPair.this::logDensity;
            }
        };
    }
}
