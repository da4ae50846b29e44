package dev.tacit.inference.noiseaware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.Runs;
import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.model.conjugate.NoisyBetaBernoulli;
import dev.tacit.model.conjugate.NoisyDirichletCategorical;
import dev.tacit.model.conjugate.NoisyGammaExponential;
import dev.tacit.model.regression.NoisyLinearRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Rows;
import dev.tacit.run.InferenceRun;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Posteriors from noisy statistics are calibrated, are conjugate without noise, and are not calibrated if noise is ignored. */
class NoisyStatisticsGibbsTest {
    private static final NoisyStatisticsGibbs.Settings SHORT = new NoisyStatisticsGibbs.Settings(200, 600);

    /** A model, its simulated records and the parameters behind them. */
    private record Simulated(NoisyStatisticsModel model, DenseBlock block, double[] truth) {}

    private static Simulated simulated(String name, int rows, RandomStream random) {
        return switch (name) {
            case "beta" -> {
                double p = beta(10, random);
                double[] labels = new double[rows];
                for (int n = 0; n < rows; n++) {
                    labels[n] = random.uniform() < p ? 1 : 0;
                }
                yield new Simulated(
                        new NoisyBetaBernoulli(10, 10, rows),
                        DenseBlock.of(rows, 1, new double[rows], labels),
                        new double[] {p});
            }
            case "dirichlet" -> {
                double[] p = {random.gamma(5), random.gamma(5), random.gamma(5)};
                double sum = p[0] + p[1] + p[2];
                double[] cells = new double[3 * rows];
                for (int n = 0; n < rows; n++) {
                    double u = random.uniform() * sum;
                    cells[3 * n + (u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2)] = 1;
                }
                yield new Simulated(
                        new NoisyDirichletCategorical(List.of("a", "b", "c"), 5, rows),
                        DenseBlock.of(rows, 3, cells, new double[rows]),
                        new double[] {p[0] / sum, p[1] / sum, p[2] / sum});
            }
            case "gamma" -> {
                double rate = random.gamma(8) / 2;
                double[] times = new double[rows];
                for (int n = 0; n < rows; n++) {
                    times[n] = random.exponential() / rate;
                }
                yield new Simulated(
                        NoisyGammaExponential.of(8, 2, 0.025, rows),
                        DenseBlock.of(rows, 1, new double[rows], times),
                        new double[] {rate});
            }
            default -> {
                double variance = 0.5 / random.gamma(20);
                double[] truth = {0, 0, variance};
                double[] cells = new double[2 * rows];
                double[] labels = new double[rows];
                for (int j = 0; j < 2; j++) {
                    truth[j] = 2 * Math.sqrt(variance) * random.normal();
                }
                for (int n = 0; n < rows; n++) {
                    cells[2 * n] = random.normal();
                    cells[2 * n + 1] = 1;
                    labels[n] = truth[0] * cells[2 * n] + truth[1] + Math.sqrt(variance) * random.normal();
                }
                yield new Simulated(
                        new NoisyLinearRegression(List.of("a", "intercept"), 0.25, 20, 0.5, 12, 1, false, rows),
                        DenseBlock.of(rows, 2, cells, labels),
                        truth);
            }
        };
    }

    private static double beta(double shape, RandomStream random) {
        double x = random.gamma(shape);
        return x / (x + random.gamma(shape));
    }

    private static NoisyStatisticsGibbs.State released(Simulated simulated, double noise, long seed) throws Exception {
        NoisyStatisticsGibbs kernel = new NoisyStatisticsGibbs(new NoisyStatisticsGibbs.Settings(0, 2));
        PrivateDataset data = Runs.dataset(simulated.block());
        ReleasePlan plan = kernel.plan(simulated.model(), data.publicSize());
        RunRequest run = RunRequest.of("test", plan);
        return InferenceRun.once(
                        kernel,
                        simulated.model(),
                        noise > 0
                                ? data.open(
                                        run,
                                        new DiscreteGaussianMechanism(noise),
                                        Runs.ledger(data, plan, noise),
                                        ReplayNoise.ofSeed(seed))
                                : data.openNotPrivate(run, ReplayNoise.ofSeed(seed)),
                        RandomStream.ofSeed(seed))
                .state();
    }

    /**
     * 400 truths from the prior. 90 % intervals that are right cover between 0.82 and 0.97 of them but for a probability
     * below 1e-6; the same releases read as if their noise were a hundredth of what it is cover fewer than 0.8.
     */
    @ParameterizedTest
    @CsvSource({"beta, 400, 30", "dirichlet, 400, 30", "gamma, 400, 30", "regression, 100, 0.6"})
    void intervalsCoverUnlessNoiseIsIgnored(String name, int rows, double noise) throws Exception {
        NoisyStatisticsGibbs kernel = new NoisyStatisticsGibbs(SHORT);
        int truths = 400;
        int covered = 0;
        int coveredIgnoring = 0;
        for (int i = 1; i <= truths; i++) {
            Simulated simulated = simulated(name, rows, RandomStream.ofSeed(9_000L + i));
            NoisyStatisticsGibbs.State state = released(simulated, noise, i);
            covered += contains(
                            kernel.posterior(state, simulated.model()),
                            simulated.truth()[0])
                    ? 1
                    : 0;
            NoisyStatisticsGibbs.State quiet = new NoisyStatisticsGibbs.State(
                    state.releases(), state.values(), state.noiseStandardDeviation() / 100, state.chainSeed());
            coveredIgnoring += contains(
                            kernel.posterior(quiet, simulated.model()),
                            simulated.truth()[0])
                    ? 1
                    : 0;
        }
        assertThat(covered / (double) truths).isBetween(0.82, 0.97);
        assertThat(coveredIgnoring / (double) truths).isLessThan(0.8);
    }

    private static boolean contains(Posterior posterior, double truth) {
        return posterior.quantile(0, 0.05) <= truth && truth <= posterior.quantile(0, 0.95);
    }

    /** Means of 4000 nearly independent draws are within 6 standard errors of the conjugate ones but for 1e-8. */
    @Test
    void withoutNoiseTheConjugatePosteriorIsFound() throws Exception {
        NoisyStatisticsGibbs kernel = new NoisyStatisticsGibbs(new NoisyStatisticsGibbs.Settings(100, 4_000));
        Simulated coin = simulated("beta", 1_000, RandomStream.ofSeed(1));
        double count = 0;
        for (int n = 0; n < 1_000; n++) {
            count += coin.block().label(n);
        }
        Posterior probability = kernel.posterior(released(coin, 0, 1), coin.model());
        double mean = (10 + count) / 1_020;
        double deviation = Math.sqrt(mean * (1 - mean) / 1_021);
        assertThat(probability.mean()[0]).isCloseTo(mean, within(0.1 * deviation));
        assertThat(probability.standardDeviation()[0]).isCloseTo(deviation, within(0.07 * deviation));

        Simulated line = simulated("regression", 1_000, RandomStream.ofSeed(2));
        Posterior weights = kernel.posterior(released(line, 0, 1), line.model());
        double xx = 0.25;
        double x1 = 0;
        double xy = 0;
        double y1 = 0;
        for (int n = 0; n < 1_000; n++) {
            double x = Rows.dot(line.block(), n, new double[] {1, 0}, 0);
            xx += x * x;
            x1 += x;
            xy += x * line.block().label(n);
            y1 += line.block().label(n);
        }
        double determinant = xx * 1_000.25 - x1 * x1;
        double slope = (1_000.25 * xy - x1 * y1) / determinant;
        double spread = Math.sqrt(line.truth()[2] * 1_000.25 / determinant);
        assertThat(weights.mean()[0]).isCloseTo(slope, within(0.15 * spread));
        assertThat(weights.standardDeviation()[0]).isCloseTo(spread, within(0.15 * spread));
    }

    /** Noise so large that it says nothing leaves the prior, within what the central limit theorem is wrong by. */
    @Test
    void infiniteNoiseLeavesThePrior() {
        NoisyLinearRegression regression = new NoisyLinearRegression(List.of("a", "b"), 50, 20, 0.5, 12, 1, true, 50);
        RandomStream random = RandomStream.ofSeed(6);
        double[] second = {1, 0, 0, 1};
        double[] fourth = {3, 0, 1, 0, 1, 0, 1, 0, 3};
        NoisyStatisticsModel.Chain chain = regression.chain(new double[6], second, fourth, random);
        double[] variances = new double[6];
        Arrays.fill(variances, 1e12);
        int sweeps = 60_000;
        double variance = 0;
        double scaled = 0;
        for (int i = 0; i < sweeps; i++) {
            chain.sweep(variances, random);
            double[] draw = chain.parameters();
            variance += draw[2] / sweeps;
            scaled += draw[0] * draw[0] / draw[2] / sweeps;
        }
        assertThat(variance).isCloseTo(0.5 / 19, within(0.1 * 0.5 / 19));
        assertThat(scaled).isCloseTo(0.02, within(0.002));
    }

    /** v integrated over noise drawn from a Laplace distribution is exponential with mean 2 b² again. */
    @Test
    void variancesOfLaplaceNoiseAreDrawnFromTheirConditional() {
        NoiseLaw law = new NoiseLaw.Laplace(new double[] {3});
        RandomStream random = RandomStream.ofSeed(8);
        double[] variances = new double[1];
        int draws = 200_000;
        double sum = 0;
        int below = 0;
        for (int i = 0; i < draws; i++) {
            double noise = 3 * random.exponential() * (random.uniform() < 0.5 ? -1 : 1);
            law.draw(new double[] {noise}, random, variances);
            sum += variances[0] / draws;
            below += variances[0] < 18 * Math.log(2) ? 1 : 0;
        }
        // standard errors 0.04 and 0.0011: six of them are exceeded with probability below 1e-8
        assertThat(sum).isCloseTo(18, within(0.25));
        assertThat(below / (double) draws).isCloseTo(0.5, within(0.0067));
    }
}
