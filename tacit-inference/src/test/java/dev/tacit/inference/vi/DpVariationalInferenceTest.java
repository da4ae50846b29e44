package dev.tacit.inference.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.Runs;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.Golden;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import dev.tacit.run.InferenceRun;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DpVariationalInferenceTest {
    private static final int DRAWS = 10;

    /** x_j ~ N(θ_j, 1) for every column, θ_j ~ N(0, 1 / precision): everything is known about it. */
    private record NormalMeans(int columns, double precision) implements DifferentiableModel {
        @Override
        public List<String> parameterNames() {
            return Runs.names(columns);
        }

        @Override
        public double logPrior(double[] parameters, double[] gradient) {
            double sum = 0;
            for (int j = 0; j < columns; j++) {
                gradient[j] = -precision * parameters[j];
                sum -= 0.5 * precision * parameters[j] * parameters[j];
            }
            return sum;
        }

        @Override
        public double[] start() {
            return new double[columns];
        }

        @Override
        public Likelihood likelihood() {
            return (block, row, parameters, gradient) -> {
                double sum = 0;
                for (int j = 0; j < columns; j++) {
                    double gap = ((DenseBlock) block).values()[((DenseBlock) block).start(row) + j] - parameters[j];
                    gradient[j] += gap;
                    sum -= 0.5 * gap * gap;
                }
                return sum;
            };
        }
    }

    private static double[] publishedDraws(int columns) {
        double[] draws = new double[DRAWS * columns];
        for (int k = 0; k < DRAWS; k++) {
            for (int j = 0; j < columns; j++) {
                draws[k * columns + j] = 1.2 * Math.sin(1.3 * (k + 1) + 0.7 * (j + 1) * (j + 1));
            }
        }
        return draws;
    }

    private static double[] sum(RecordBlock block, ContributionSum query) {
        return Runs.sum(block, query, 10);
    }

    private static double[] map(double[] links, DoubleUnaryOperator function) {
        return Arrays.stream(links).map(function).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"y0.0", "y1.0"})
    void theGradientOfOneRecordIsThatOfThePublishedBound(String name) {
        Map<?, ?> golden = Golden.object(Golden.read("/dev/tacit/inference/logistic-bound-gradient.json"), name);
        double[] x = Golden.numbers(golden, "x");
        double[] means = Golden.numbers(golden, "mu");
        double[] links = Golden.numbers(golden, "u");
        double[] scales = map(links, SpecialFunctions::softplus);
        double[] slopes = map(links, SpecialFunctions::sigmoid);
        double[] draws = publishedDraws(3);
        double size = Golden.number(golden, "N");
        LogisticRegression model = new LogisticRegression(Runs.names(3), 2, 1);
        double[] likelihood = sum(
                DenseBlock.of(1, 3, x, new double[] {Golden.number(golden, "y")}),
                MeanFieldGradient.of(model, means, scales, slopes, draws, 1));
        double[] rest = DpVariationalInference.priorGradient(model, means, scales, slopes, draws);
        for (int j = 0; j < 3; j++) {
            assertThat(-likelihood[2 * j] - rest[j] / size)
                    .isCloseTo(Golden.numbers(golden, "grad_mu")[j], within(1e-7));
            assertThat(-likelihood[2 * j + 1] - rest[3 + j] / size)
                    .isCloseTo(Golden.numbers(golden, "grad_u")[j], within(1e-7));
        }
    }

    /** Margins with sparse and dense rows, and whole gradients, are three ways to the same numbers. */
    @Test
    void sparseRowsDenseRowsAndWholeGradientsAgree() {
        double[] dense = {0, 0.5, 0, -0.8, 0.3, 0, 0, 0.9};
        double[] labels = {1, 0};
        RecordBlock sparse = SparseBlock.of(
                2, 4, new int[] {0, 2, 4}, new int[] {1, 3, 0, 3}, new double[] {0.5, -0.8, 0.3, 0.9}, labels);
        LogisticRegression model = new LogisticRegression(Runs.names(4), 1, 0.3);
        DifferentiableModel whole = Runs.wholeGradients(model);
        double[] means = {0.4, -1, 0.2, 2};
        double[] scales = {0.1, 0.5, 0.3, 1};
        double[] slopes = {0.09, 0.4, 0.26, 0.6};
        double[] draws = publishedDraws(4);
        double[] first = sum(sparse, MeanFieldGradient.of(model, means, scales, slopes, draws, 7));
        double[] second =
                sum(DenseBlock.of(2, 4, dense, labels), MeanFieldGradient.of(model, means, scales, slopes, draws, 7));
        double[] third =
                sum(DenseBlock.of(2, 4, dense, labels), MeanFieldGradient.of(whole, means, scales, slopes, draws, 7));
        for (int i = 0; i < 8; i++) {
            assertThat(second[i]).isCloseTo(first[i], within(1e-7));
            assertThat(third[i]).isCloseTo(first[i], within(1e-7));
        }
    }

    /** Both gradients are the derivatives of what they are of: the mean over the draws of log p(x | μ + softplus(u) z_k). */
    @Test
    void gradientsOverDrawsAreThoseOfTheAverageLogLikelihood() {
        LogisticRegression model = new LogisticRegression(Runs.names(4), 2, 1);
        RecordBlock block = DenseBlock.of(1, 4, new double[] {0.7, 0, -1.1, 0.4}, new double[] {1});
        double[] means = {0.4, -1, 0.2, 2};
        double[] links = {-1, 0.3, -0.5, 0.8};
        double[] draws = publishedDraws(4);
        double[] gradient = sum(
                block,
                MeanFieldGradient.of(
                        model,
                        means,
                        map(links, SpecialFunctions::softplus),
                        map(links, SpecialFunctions::sigmoid),
                        draws,
                        3));
        for (int j = 0; j < 4; j++) {
            double[] moved = {0, 0};
            for (int sign = -1; sign <= 1; sign += 2) {
                double[] shifted = means.clone();
                shifted[j] += sign * 1e-4;
                moved[0] += sign * averageLogLikelihood(model, block, shifted, links, draws) / 2e-4;
                shifted = links.clone();
                shifted[j] += sign * 1e-4;
                moved[1] += sign * averageLogLikelihood(model, block, means, shifted, draws) / 2e-4;
            }
            assertThat(gradient[2 * j]).isCloseTo(moved[0], within(1e-7));
            assertThat(gradient[2 * j + 1]).isCloseTo(3 * moved[1], within(1e-7));
        }
    }

    private static double averageLogLikelihood(
            LogisticRegression model, RecordBlock block, double[] means, double[] links, double[] draws) {
        int d = means.length;
        double sum = 0;
        double[] point = new double[d];
        for (int k = 0; k < draws.length / d; k++) {
            for (int j = 0; j < d; j++) {
                point[j] = means[j] + SpecialFunctions.softplus(links[j]) * draws[k * d + j];
            }
            sum += model.logLikelihood(block.label(0), Rows.dot(block, 0, point, 0)) * d / draws.length;
        }
        return sum;
    }

    private static DenseBlock normalRecords(int rows, double[] means, RandomStream random) {
        double[] values = new double[rows * means.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = means[i % means.length] + random.normal();
        }
        return DenseBlock.of(rows, means.length, values, new double[rows]);
    }

    private static DpVariationalInference adam(int steps, double rate, double l2Bound, double sampling) {
        return new DpVariationalInference(new DpVariationalInference.Settings(
                steps,
                sampling < 1 ? new SamplingScheme.PoissonSampling(sampling) : new SamplingScheme.FullPass(),
                l2Bound,
                DRAWS,
                10,
                0.1,
                new GradientStep.Adam(rate),
                0.5));
    }

    /** The mean-field optimum of independent normal means is the exact posterior. */
    @Test
    void withoutNoiseItEndsAtTheExactPosteriorOfNormalMeans() {
        DenseBlock block = normalRecords(400, new double[] {0.7, -0.2}, RandomStream.ofSeed(8));
        NormalMeans model = new NormalMeans(2, 5);
        DpVariationalInference kernel = adam(4000, 0.003, 100, 1);
        PrivateDataset data = Runs.dataset(block);
        var result = InferenceRun.once(
                kernel,
                model,
                data.openNotPrivate(
                        RunRequest.of("test", kernel.plan(model, data.publicSize())), ReplayNoise.ofSeed(1)),
                RandomStream.ofSeed(1));
        Posterior posterior = kernel.iterateAverage(result.state(), model);
        for (int j = 0; j < 2; j++) {
            double total = 0;
            for (int row = 0; row < 400; row++) {
                total += block.values()[2 * row + j];
            }
            assertThat(posterior.mean()[j]).isCloseTo(total / 405, within(0.003));
            assertThat(posterior.standardDeviation()[j]).isCloseTo(1 / Math.sqrt(405), within(0.004));
        }
    }

    /**
     * Truths come from the prior. 90 % intervals of the noise-aware posterior hold them, those of the last iterate do not.
     * By Hoeffding's inequality the mean of 120 independent fits is off by more than 0.25 with probability below 1e-6.
     */
    @Test
    void theNoiseAwarePosteriorCoversWhereTheLastIterateDoesNot() throws Exception {
        RandomStream random = RandomStream.ofSeed(20261115);
        int fits = 120;
        double aware = 0;
        double naive = 0;
        for (int fit = 0; fit < fits; fit++) {
            double[] truth = {random.normal()};
            PrivateDataset data = Runs.dataset(normalRecords(500, truth, random));
            NormalMeans model = new NormalMeans(1, 1);
            DpVariationalInference kernel = adam(150, 0.05, 4, 1);
            ReleasePlan plan = kernel.plan(model, data.publicSize());
            double noise = 500;
            var state = InferenceRun.once(
                            kernel,
                            model,
                            data.open(
                                    RunRequest.of("test", plan),
                                    new DiscreteGaussianMechanism(noise),
                                    Runs.ledger(data, plan, noise),
                                    ReplayNoise.ofSeed(fit)),
                            random.fork(fit))
                    .state();
            aware += covers(kernel.posterior(state, model), truth[0]) / fits;
            naive += covers(kernel.lastIterate(state, model), truth[0]) / fits;
        }
        System.out.println("seed 20261115: noise-aware " + aware + ", last iterate " + naive);
        assertThat(aware).isBetween(0.65, 1.0);
        assertThat(naive).isLessThan(0.5);
    }

    private static double covers(Posterior posterior, double truth) {
        return posterior.quantile(0, 0.05) < truth && truth < posterior.quantile(0, 0.95) ? 1 : 0;
    }

    @Test
    void stepsMeasuredInNoiseNeedNoise() {
        NormalMeans model = new NormalMeans(1, 1);
        DpVariationalInference kernel = new DpVariationalInference(new DpVariationalInference.Settings(
                10, new SamplingScheme.FullPass(), 1, 1, 1, 0.1, new GradientStep.NoiseScaled(1), 0.2));
        PrivateDataset data = Runs.dataset(normalRecords(10, new double[] {0}, RandomStream.ofSeed(1)));
        assertThatThrownBy(() -> InferenceRun.once(
                        kernel,
                        model,
                        data.openNotPrivate(RunRequest.of("test", kernel.plan(model, 10)), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("choose Adam");
    }
}
