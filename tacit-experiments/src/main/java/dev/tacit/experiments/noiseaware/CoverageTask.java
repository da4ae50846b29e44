package dev.tacit.experiments.noiseaware;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.conjugate.BetaBernoulliScore;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.GammaExponentialScore;
import dev.tacit.model.regression.LinearRegressionScore;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;
import java.util.List;

/**
 * A model to which records are simulated: parameters from the prior, records from the parameters.
 *
 * <p>The priors are those of Alrawajfeh, Jälkö, Honkela 2025, Section 5 and appendix.
 */
interface CoverageTask {
    /** N. */
    int RECORDS = 5_000;

    /**
     * One simulated table.
     *
     * @param truth in the coordinates of the score model
     * @param records what a person would have
     * @param plainDeviations standard deviations of the posterior without privacy
     */
    record Table(double[] truth, DenseBlock records, double[] plainDeviations) {}

    /** What rows call it. */
    String label();

    /** The model for a noise level of the mean release. */
    ScoreFieldModel model(double averageNoise);

    /** Draws parameters and records. */
    Table simulate(RandomStream random);

    /** Waiting times; Gamma-shaped with the same mean if the shape is not 1, so that the model's tail is wrong. */
    record Waiting(double shape) implements CoverageTask {
        private static final double PRIOR_SHAPE = 8;
        private static final double PRIOR_RATE = 2;

        @Override
        public String label() {
            return shape == 1 ? "Gamma-Exponential" : "Gamma-Exponential, records Gamma of shape " + shape;
        }

        @Override
        public ScoreFieldModel model(double averageNoise) {
            return new GammaExponentialScore(PRIOR_SHAPE, PRIOR_RATE, GammaExponentialScore.WIDE_BOUND, RECORDS);
        }

        @Override
        public Table simulate(RandomStream random) {
            double rate = random.gamma(PRIOR_SHAPE) / PRIOR_RATE;
            double[] targets = new double[RECORDS];
            for (int n = 0; n < RECORDS; n++) {
                targets[n] = random.gamma(shape) / (shape * rate);
            }
            return new Table(
                    new double[] {Math.log(rate)},
                    DenseBlock.of(RECORDS, 1, new double[RECORDS], targets),
                    new double[] {Math.sqrt(SpecialFunctions.trigamma(PRIOR_SHAPE + RECORDS))});
        }
    }

    /** Yes or no. */
    record Coin() implements CoverageTask {
        private static final double PRIOR = 10;

        @Override
        public String label() {
            return "Beta-Bernoulli";
        }

        @Override
        public ScoreFieldModel model(double averageNoise) {
            return new BetaBernoulliScore(PRIOR, PRIOR, RECORDS);
        }

        @Override
        public Table simulate(RandomStream random) {
            double[] p = dirichlet(2, PRIOR, random);
            double[] targets = new double[RECORDS];
            for (int n = 0; n < RECORDS; n++) {
                targets[n] = random.uniform() < p[0] ? 1 : 0;
            }
            return new Table(
                    new double[] {SpecialFunctions.logit(p[0])},
                    DenseBlock.of(RECORDS, 1, new double[RECORDS], targets),
                    new double[] {
                        Math.sqrt(SpecialFunctions.trigamma(PRIOR + RECORDS * p[0])
                                + SpecialFunctions.trigamma(PRIOR + RECORDS * p[1]))
                    });
        }
    }

    /** One of three. */
    record Die() implements CoverageTask {
        private static final double PRIOR = 5;
        private static final int SIDES = 3;
        private static final DirichletCategoricalScore MODEL =
                new DirichletCategoricalScore(List.of("a", "b", "c"), PRIOR, RECORDS);

        @Override
        public String label() {
            return "Dirichlet-Categorical";
        }

        @Override
        public ScoreFieldModel model(double averageNoise) {
            return MODEL;
        }

        @Override
        public Table simulate(RandomStream random) {
            double[] p = dirichlet(SIDES, PRIOR, random);
            double[] cells = new double[SIDES * RECORDS];
            double[] targets = new double[RECORDS];
            for (int n = 0; n < RECORDS; n++) {
                double u = random.uniform();
                int side = u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2;
                cells[SIDES * n + side] = 1;
                targets[n] = side;
            }
            double[] t = new double[SIDES];
            for (int i = 0; i < SIDES; i++) {
                t[i] = SpecialFunctions.trigamma(PRIOR + RECORDS * p[i]);
            }
            return new Table(MODEL.contrasts(p), DenseBlock.of(RECORDS, SIDES, cells, targets), new double[] {
                Math.sqrt((t[0] + t[1]) / 2), Math.sqrt((t[0] + t[1] + 4 * t[2]) / 6)
            });
        }
    }

    /** Ten standard normal columns and an intercept. */
    record Regression() implements CoverageTask {
        private static final int COLUMNS = 10;
        private static final double PRIOR_PRECISION = 0.25;
        private static final double PRIOR_SHAPE = 20;
        private static final double PRIOR_RATE = 0.5;

        @Override
        public String label() {
            return "linear regression, 10 columns";
        }

        @Override
        public ScoreFieldModel model(double averageNoise) {
            return LinearRegressionScore.of(
                    new LinearRegressionScore.Setting(
                            List.of("x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10"),
                            true,
                            PRIOR_PRECISION,
                            PRIOR_SHAPE,
                            PRIOR_RATE,
                            RECORDS),
                    averageNoise);
        }

        @Override
        public Table simulate(RandomStream random) {
            int weights = COLUMNS + 1;
            double variance = PRIOR_RATE / random.gamma(PRIOR_SHAPE);
            double[] truth = new double[weights + 1];
            for (int j = 0; j < weights; j++) {
                truth[j] = Math.sqrt(variance / PRIOR_PRECISION) * random.normal();
            }
            truth[weights] = Math.log(variance);
            double[] cells = new double[RECORDS * weights];
            double[] targets = new double[RECORDS];
            for (int n = 0; n < RECORDS; n++) {
                targets[n] = Math.sqrt(variance) * random.normal();
                for (int j = 0; j < weights; j++) {
                    cells[n * weights + j] = j < COLUMNS ? random.normal() : 1;
                    targets[n] += truth[j] * cells[n * weights + j];
                }
            }
            double[] plain = new double[weights + 1];
            Arrays.fill(plain, Math.sqrt(variance / (RECORDS + PRIOR_PRECISION)));
            plain[weights] = Math.sqrt(SpecialFunctions.trigamma(PRIOR_SHAPE + RECORDS / 2.0));
            return new Table(truth, DenseBlock.of(RECORDS, weights, cells, targets), plain);
        }
    }

    private static double[] dirichlet(int size, double concentration, RandomStream random) {
        double[] p = new double[size];
        double sum = 0;
        for (int i = 0; i < size; i++) {
            p[i] = random.gamma(concentration);
            sum += p[i];
        }
        for (int i = 0; i < size; i++) {
            p[i] /= sum;
        }
        return p;
    }
}
