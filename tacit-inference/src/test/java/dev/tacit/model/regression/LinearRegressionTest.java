package dev.tacit.model.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GammaPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.query.Rows;
import dev.tacit.run.InferenceRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearRegressionTest {
    private static final int ROWS = 4000;
    private static final double[] WEIGHTS = {1.5, -0.8, 0.4};
    private static final double NOISE = 0.15;

    /** Targets in [10, 30], of which the model sees (y − 20) / 10. */
    private static DenseBlock block() {
        DenseBlock rows = Runs.logistic(ROWS, WEIGHTS, RandomStream.ofSeed(8));
        RandomStream random = RandomStream.ofSeed(9);
        double[] targets = new double[ROWS];
        for (int row = 0; row < ROWS; row++) {
            double scaled = 0.4 * Rows.dot(rows, row, WEIGHTS, 0) + NOISE * random.normal();
            targets[row] = 20 + 10 * Math.max(-1, Math.min(1, scaled));
        }
        return (DenseBlock) Rows.withLabels(rows, targets);
    }

    private static ProductPosterior fit(DenseBlock block, LinearRegression model) {
        PrivateVariationalBayes<Posterior> kernel = new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(1, new SamplingScheme.FullPass(), new StepSchedule.Last()));
        PrivateDataset data = Runs.dataset(block);
        return (ProductPosterior) InferenceRun.once(
                        kernel,
                        model,
                        data.openNotPrivate(
                                RunRequest.of("test", kernel.plan(model, data.publicSize())), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1))
                .posterior();
    }

    @Test
    void itAgreesWithTheVariationalEquationsWrittenOut() {
        DenseBlock block = block();
        LinearRegression model = new LinearRegression(Runs.names(3), 1, 0.1, 10, 30, ROWS, 1);
        ProductPosterior posterior = fit(block, model);
        GammaPosterior precision = (GammaPosterior) posterior.block("noise-precision");
        double tau = precision.mean()[0];

        double[] gram = new double[9];
        double[] cross = new double[3];
        for (int row = 0; row < ROWS; row++) {
            double t = (block.label(row) - 20) / 10;
            for (int i = 0; i < 3; i++) {
                cross[i] += tau * t * block.values()[block.start(row) + i];
                for (int j = 0; j < 3; j++) {
                    gram[3 * i + j] +=
                            tau * block.values()[block.start(row) + i] * block.values()[block.start(row) + j];
                }
            }
        }
        for (int i = 0; i < 3; i++) {
            gram[4 * i] += 0.1;
        }
        assertThat(LinearAlgebra.java().invert(3, gram)).isTrue();
        double[] mean = posterior.block("weights").mean();
        double[] deviation = posterior.block("weights").standardDeviation();
        double expectedResiduals = 0;
        for (int i = 0; i < 3; i++) {
            double weight = gram[3 * i] * cross[0] + gram[3 * i + 1] * cross[1] + gram[3 * i + 2] * cross[2];
            assertThat(mean[i]).isCloseTo(weight, within(1e-8));
            assertThat(deviation[i]).isCloseTo(Math.sqrt(gram[4 * i]), within(1e-8));
        }
        for (int row = 0; row < ROWS; row++) {
            double residual = (block.label(row) - 20) / 10 - Rows.dot(block, row, mean, 0);
            double spread = 0;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    spread += gram[3 * i + j]
                            * block.values()[block.start(row) + i]
                            * block.values()[block.start(row) + j];
                }
            }
            expectedResiduals += residual * residual + spread;
        }
        assertThat(precision.rate()).isCloseTo(0.01 + expectedResiduals / 2, within(1e-6));
        assertThat(1 / Math.sqrt(tau)).isCloseTo(NOISE, within(0.02));
    }

    @Test
    void predictionsAreInTheTargetsOwnUnits() {
        DenseBlock block = block();
        LinearRegression model = new LinearRegression(Runs.names(3), 1, 0.1, 10, 30, ROWS, 1);
        Predictor predictor = model.predictor(fit(block, model));
        double squares = 0;
        double variance = 0;
        for (int row = 0; row < ROWS; row++) {
            Prediction.Numeric prediction = (Prediction.Numeric) predictor.predict(block, row);
            squares += Math.pow(prediction.mean() - block.label(row), 2) / ROWS;
            variance += prediction.standardDeviation() * prediction.standardDeviation() / ROWS;
        }
        assertThat(Math.sqrt(squares)).isCloseTo(10 * NOISE, within(0.2));
        assertThat(Math.sqrt(variance)).isCloseTo(Math.sqrt(squares), within(0.05));
    }

    /**
     * 80 noisy releases of 4 weights each, from all of little noise to nothing but noise: 90 % intervals cover the truth, which is drawn
     * from the prior. Intervals of 320 weights that cover 90 % are outside of the range with probability below 1e-6.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 5, 40, 400})
    void intervalsOfNoisyStatisticsCover(double noise) {
        int columns = 4;
        int rows = 800;
        LinearRegression model = new LinearRegression(Runs.names(columns), 2, 4, -1, 1, rows, 0.5);
        RandomStream random = RandomStream.ofSeed(31);
        int inside = 0;
        for (int fit = 0; fit < 80; fit++) {
            double[] truth = new double[columns];
            for (int j = 0; j < columns; j++) {
                truth[j] = random.normal() / 2;
            }
            double[] statistics = statistics(truth, rows, 0.5, random);
            for (int i = 0; i < statistics.length; i++) {
                statistics[i] += noise * random.normal();
            }
            Posterior weights = ((ProductPosterior) model.posterior(statistics, noise, new double[0])).block("weights");
            for (int j = 0; j < columns; j++) {
                double error = weights.mean()[j] - truth[j];
                inside += Math.abs(error) < 1.645 * weights.standardDeviation()[j] ? 1 : 0;
            }
        }
        assertThat(inside / 320.0).as("seed 31").isBetween(0.8, 0.975);
    }

    /** Sums over rows with columns of unequal spread; targets stay as they are, without clamping. */
    private static double[] statistics(double[] truth, int rows, double squareWeight, RandomStream random) {
        int columns = truth.length;
        double[] sums = new double[columns + columns * (columns + 1) / 2 + 1];
        double[] squares = new double[columns * columns];
        for (int row = 0; row < rows; row++) {
            double[] x = new double[columns];
            double target = 0.2 * random.normal();
            for (int j = 0; j < columns; j++) {
                x[j] = j == 0 ? 1 : 0.3 * j * random.normal();
                target += x[j] * truth[j];
            }
            for (int i = 0; i < columns; i++) {
                sums[i] += target * x[i];
                for (int j = 0; j < columns; j++) {
                    squares[columns * i + j] += squareWeight * x[i] * x[j];
                }
            }
            sums[sums.length - 1] += target * target;
        }
        SymmetricMatrix.toVector(columns, squares, sums, columns);
        return sums;
    }
}
