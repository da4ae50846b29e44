package dev.tacit.inference.ep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.Runs;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.TiltedMomentModel.Field;
import dev.tacit.model.TiltedMomentModel.TiltedMoments;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearSites;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.LogisticSites;
import dev.tacit.model.regression.ProbitRegression;
import dev.tacit.model.regression.ProbitSites;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.InferenceRun;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The posterior that counts the noise of all releases: beside simulations of its model, and of whole runs. */
class FieldPosteriorTest {
    private static final long SEED = 21;
    private static final double NINETY_PERCENT = 1.6448536269514722;

    private static LogisticSites model() {
        return new LogisticSites(new LogisticRegression(Runs.names(2), 1, 0.5), 1000, 0);
    }

    /**
     * Truth from the prior, scores of variance G, K releases with noise and batches: errors are as large as the covariance says. 40 000
     * draws, so a variance has a relative standard error of 0.7 %; five of them are a false alarm with probability below 1e-6.
     */
    @Test
    void errorsAreAsLargeAsTheCovarianceSays() {
        double[] curvature = {9, 4, 4, 3};
        double[] score = {5, 2, 2, 2};
        double[] points = {0.3, -1.2, 0.9, 0.4};
        int releases = 6;
        double noise = 1.5;
        double batch = 3;
        RandomStream random = RandomStream.ofSeed(SEED);
        double[] squares = new double[3];
        int draws = 40_000;
        FieldPosterior found = null;
        for (int draw = 0; draw < draws; draw++) {
            double[] truth = {random.normal() / Math.sqrt(0.5), random.normal() / Math.sqrt(0.5)};
            double[] shared = correlated(score, random);
            double[] field = new double[2];
            double[] point = new double[2];
            for (int t = 0; t < releases; t++) {
                double[] at = {points[t % 4], points[(t + 1) % 4]};
                double[] chance = correlated(score, random);
                for (int i = 0; i < 2; i++) {
                    double sum = shared[i] + Math.sqrt(batch) * chance[i] + noise * random.normal();
                    for (int j = 0; j < 2; j++) {
                        sum += curvature[2 * i + j] * (truth[j] - at[j]);
                    }
                    field[i] += sum / releases;
                    point[i] += at[i] / releases;
                }
            }
            found = FieldPosterior.of(
                    model(),
                    new Field(curvature.clone(), score.clone()),
                    new FieldPosterior.Averages(
                            releases, field, point, new double[] {noise * noise, noise * noise}, batch));
            double first = found.mean()[0] - truth[0];
            double second = found.mean()[1] - truth[1];
            squares[0] += first * first / draws;
            squares[1] += second * second / draws;
            squares[2] += first * second / draws;
        }
        assertThat(squares[0] / found.covariance()[0]).as("seed %d", SEED).isCloseTo(1, within(0.035));
        assertThat(squares[1] / found.covariance()[3]).as("seed %d", SEED).isCloseTo(1, within(0.035));
        assertThat(squares[2] / found.covariance()[1]).as("seed %d", SEED).isCloseTo(1, within(0.05));
        assertThat(found.covarianceWithoutPrivacyNoise()[0]).isLessThan(0.8 * found.covariance()[0]);
    }

    private static double[] correlated(double[] matrix, RandomStream random) {
        double a = Math.sqrt(matrix[0]);
        double b = matrix[1] / a;
        double first = random.normal();
        return new double[] {a * first, b * first + Math.sqrt(matrix[3] - b * b) * random.normal()};
    }

    /** At the fixed point s = Λ_p (m − m_p), and no error of F moves it. */
    @Test
    void withoutNoiseTheFixedPointStays() {
        double[] fixedPoint = {0.7, -0.2};
        double[] field = {0.5 * 0.7, 0.5 * -0.2};
        for (double scale : new double[] {0.1, 1, 30}) {
            double[] curvature = {2 * scale, scale, scale, 4 * scale};
            FieldPosterior found = FieldPosterior.of(
                    model(),
                    new Field(curvature, curvature.clone()),
                    new FieldPosterior.Averages(5, field, fixedPoint, new double[2], 0));
            assertThat(found.mean()[0]).isCloseTo(0.7, within(1e-9));
            assertThat(found.mean()[1]).isCloseTo(-0.2, within(1e-9));
            assertThat(found.covariance()).isEqualTo(found.covarianceWithoutPrivacyNoise());
        }
    }

    /** Directions that no record has keep the prior. */
    @Test
    void whatIsNotSeenStaysAsItWas() {
        FieldPosterior found = FieldPosterior.of(
                model(),
                new Field(new double[] {8, 0, 0, 0}, new double[] {8, 0, 0, 0}),
                new FieldPosterior.Averages(1, new double[] {4, 50}, new double[2], new double[] {0.1, 0.1}, 0));
        assertThat(found.mean()[1]).isCloseTo(0, within(1e-9));
        assertThat(found.covariance()[3]).isCloseTo(2, within(1e-9));
        assertThat(found.covariance()[0]).isLessThan(0.2);
    }

    private static DenseBlock rows(int rows, double[] weights, String target, RandomStream random) {
        int columns = weights.length;
        double[] values = new double[rows * columns];
        double[] labels = new double[rows];
        for (int row = 0; row < rows; row++) {
            double shared = random.normal();
            double margin = 0;
            for (int j = 0; j < columns; j++) {
                double x = Math.max(-1, Math.min(1, 0.3 * (0.6 * shared + 0.8 * random.normal())));
                values[row * columns + j] = x;
                margin += x * weights[j];
            }
            labels[row] = switch (target) {
                case "logistic" -> random.uniform() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
                case "probit" -> margin + random.normal() > 0 ? 1 : 0;
                default -> margin + 0.2 * random.normal();
            };
        }
        return DenseBlock.of(rows, columns, values, labels);
    }

    /** F of rows that are nearly Gaussian is the curvature that records have at the truth. */
    @Test
    void fieldsOfRegressionsHaveTheCurvatureOfTheirRecords() {
        int rows = 20_000;
        double[] weights = {3, -1.5, 0.5};
        for (String target : new String[] {"logistic", "probit", "linear"}) {
            DenseBlock block = rows(rows, weights, target, RandomStream.ofSeed(SEED));
            TiltedMomentModel model = regression(target, 3, rows);
            double[] constants = InferenceRun.once(
                            kernel(1),
                            model,
                            Runs.dataset(block)
                                    .openNotPrivate(
                                            RunRequest.of("test", kernel(1).plan(model, rows)),
                                            ReplayNoise.ofSeed(SEED)),
                            RandomStream.ofSeed(SEED))
                    .state()
                    .constants();
            double[] found = model.field(weights, constants, 1e9).orElseThrow().curvature();
            TiltedMoments moments = model.tiltedMoments(constants);
            moments.cavity(weights, new double[9]);
            double[] expected = new double[9];
            double[] curvature = new double[9];
            for (int row = 0; row < rows; row++) {
                moments.derivatives(block, row, new double[3], curvature);
                for (int i = 0; i < 9; i++) {
                    expected[i] += curvature[i];
                }
            }
            for (int i = 0; i < 9; i++) {
                assertThat(found[i]).as("%s %d", target, i).isCloseTo(expected[i], within(0.05 * expected[0]));
            }
        }
    }

    private static TiltedMomentModel regression(String target, int columns, int rows) {
        double norm = Math.sqrt(columns);
        return switch (target) {
            case "logistic" -> new LogisticSites(new LogisticRegression(Runs.names(columns), norm, 0.3), rows, 0.15);
            case "probit" -> new ProbitSites(new ProbitRegression(Runs.names(columns), norm, 1), rows, 0.15);
            default ->
                new LinearSites(new LinearRegression(Runs.names(columns), norm, 1, -1, 1, rows, 1), 0.04, false, 0.15);
        };
    }

    private static FixedPrecisionStochasticEp kernel(int steps) {
        return new FixedPrecisionStochasticEp(
                new FixedPrecisionStochasticEp.Settings(steps, new SamplingScheme.FullPass(), 2, 0.7, 1, 0, 0.3));
    }

    /** What the clip leaves of a component's field is its slope and its variance over simulated records. */
    @Test
    void fieldsOfMixturesKnowTheirClip() {
        MixtureMeans model = new MixtureMeans(
                Runs.names(3), MixtureMeans.equalWeights(2), 0.25, new double[6], 0.1, 1000, Optional.empty());
        double bound = 0.6;
        double shift = 0.02;
        RandomStream random = RandomStream.ofSeed(SEED);
        int draws = 400_000;
        double slope = 0;
        double square = 0;
        for (int draw = 0; draw < draws; draw++) {
            double[] record = {0.5 * random.normal(), 0.5 * random.normal(), 0.5 * random.normal()};
            square += clipped(record, 0, bound) * clipped(record, 0, bound) / draws;
            slope += (clipped(record, -shift, bound) - clipped(record, shift, bound)) / (2 * shift) / draws;
        }
        Field field = model.field(new double[6], new double[0], bound).orElseThrow();
        double whole = model.fixedPrecision(new double[0])[0];
        assertThat(field.curvature()[0] / whole).isCloseTo(slope, within(0.005));
        assertThat(field.scoreVariance()[0] / whole).isCloseTo(square / 0.25, within(0.005));
        assertThat(field.curvature()[9]).isEqualTo(field.curvature()[0]);
    }

    private static double clipped(double[] record, double mean, double bound) {
        double first = record[0] - mean;
        double length = Math.sqrt(first * first + record[1] * record[1] + record[2] * record[2]);
        return length > bound ? first * bound / length : first;
    }

    /**
     * 60 whole runs with much noise, 5 weights each, truth from the prior: 90 % intervals cover, and those without privacy noise do not.
     * With 0.9 a share below 0.81 or above 0.97 has probability below 1e-6.
     */
    @Test
    void intervalsOfNoisyRunsCoverTheTruth() throws BudgetExhausted {
        for (String target : new String[] {"logistic", "probit"}) {
            int inside = 0;
            int plainInside = 0;
            int weights = 0;
            for (int fit = 0; fit < 60; fit++) {
                RandomStream random = RandomStream.ofSeed(SEED + fit);
                double[] truth = new double[5];
                for (int j = 0; j < truth.length; j++) {
                    truth[j] = random.normal() / Math.sqrt(target.equals("logistic") ? 0.3 : 1);
                }
                PrivateDataset data = Runs.dataset(rows(1000, truth, target, random));
                TiltedMomentModel model = regression(target, 5, 1000);
                FixedPrecisionStochasticEp kernel = kernel(10);
                ReleasePlan plan = kernel.plan(model, 1000);
                var result = InferenceRun.once(
                        kernel,
                        model,
                        data.open(
                                RunRequest.of("test", plan),
                                new DiscreteGaussianMechanism(8),
                                Runs.ledger(data, plan, 8),
                                ReplayNoise.ofSeed(SEED + fit)),
                        RandomStream.ofSeed(SEED + fit));
                inside += covered(result.posterior(), truth);
                plainInside += covered(kernel.posteriorWithoutPrivacyNoise(result.state(), model), truth);
                weights += truth.length;
            }
            assertThat(inside / (double) weights)
                    .as("%s, seed %d", target, SEED)
                    .isBetween(0.81, 0.97);
            assertThat(plainInside / (double) weights)
                    .as("%s, seed %d", target, SEED)
                    .isLessThan(0.81);
        }
    }

    private static int covered(Posterior posterior, double[] truth) {
        double[] deviation = posterior.standardDeviation();
        return (int) IntStream.range(0, truth.length)
                .filter(i -> Math.abs(posterior.mean()[i] - truth[i]) < NINETY_PERCENT * deviation[i])
                .count();
    }
}
