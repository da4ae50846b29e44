package dev.tacit.inference.noiseaware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.Runs;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.conjugate.BetaBernoulliScore;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.GammaExponentialScore;
import dev.tacit.model.regression.LinearRegressionScore;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.json.PosteriorJson;
import dev.tacit.run.InferenceRun;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The posterior from a model-implied field is calibrated, is exact without noise, and is not calibrated if noise is ignored. */
class ModelImpliedFieldTest {
    private static final int ROWS = 300;
    private static final int STEPS = 10;
    private static final double NOISE = 30;

    private static ModelImpliedField.State fitted(ScoreFieldModel model, DenseBlock block, double noise, long seed)
            throws Exception {
        return fitted(model, block, noise, seed, STEPS);
    }

    private static ModelImpliedField.State fitted(
            ScoreFieldModel model, DenseBlock block, double noise, long seed, int steps) throws Exception {
        ModelImpliedField kernel = new ModelImpliedField(steps);
        PrivateDataset data = Runs.dataset(block);
        ReleasePlan plan = kernel.plan(model, block.rows());
        RunRequest run = RunRequest.of("test", plan);
        PrivacyLedger ledger = Runs.ledger(data, plan, Math.max(noise, 1));
        return InferenceRun.once(
                        kernel,
                        model,
                        noise > 0
                                ? data.open(run, new DiscreteGaussianMechanism(noise), ledger, ReplayNoise.ofSeed(seed))
                                : data.openNotPrivate(run, ReplayNoise.ofSeed(seed)),
                        RandomStream.ofSeed(seed))
                .state();
    }

    private static DenseBlock waiting(double rate, int rows, RandomStream random) {
        double[] times = new double[rows];
        for (int n = 0; n < rows; n++) {
            times[n] = random.exponential() / rate;
        }
        return DenseBlock.of(rows, 1, new double[rows], times);
    }

    /**
     * 400 truths from the prior. 90 % intervals that are right cover between 0.82 and 0.97 of them but for a probability
     * below 1e-6; the same releases read as if their noise were a hundredth of what it is cover less than half.
     */
    @Test
    void intervalsCoverUnlessNoiseIsIgnored() throws Exception {
        GammaExponentialScore model = new GammaExponentialScore(8, 2, 5, ROWS);
        ModelImpliedField kernel = new ModelImpliedField(STEPS);
        int truths = 400;
        int covered = 0;
        int coveredIgnoring = 0;
        for (int i = 1; i <= truths; i++) {
            RandomStream random = RandomStream.ofSeed(1_000L + i);
            double rate = random.gamma(8) / 2;
            ModelImpliedField.State state = fitted(model, waiting(rate, ROWS, random), NOISE, i);
            covered += contains(kernel.posterior(state, model), Math.log(rate)) ? 1 : 0;
            ModelImpliedField.State quiet = new ModelImpliedField.State(
                    state.releases(),
                    state.point(),
                    state.precisions(),
                    state.points(),
                    state.sums(),
                    state.noiseStandardDeviation() / 100);
            coveredIgnoring += contains(kernel.posterior(quiet, model), Math.log(rate)) ? 1 : 0;
        }
        assertThat(covered / (double) truths).isBetween(0.82, 0.97);
        assertThat(coveredIgnoring / (double) truths).isLessThan(0.5);
    }

    private static boolean contains(Posterior posterior, double truth) {
        return posterior.quantile(0, 0.05) <= truth && truth <= posterior.quantile(0, 0.95);
    }

    @Test
    void withoutNoiseTheConjugatePosteriorIsFound() throws Exception {
        int rows = 20_000;
        DenseBlock block = waiting(3, rows, RandomStream.ofSeed(4));
        double sum = 0;
        double[] labels = new double[rows];
        int successes = 0;
        for (int n = 0; n < rows; n++) {
            sum += block.label(n);
            labels[n] = n % 5 == 0 ? 1 : 0;
            successes += n % 5 == 0 ? 1 : 0;
        }
        GammaExponentialScore waiting = new GammaExponentialScore(8, 2, 12, rows);
        Posterior rate = new ModelImpliedField(STEPS).posterior(fitted(waiting, block, 0, 1), waiting);
        double deviation = Math.sqrt(SpecialFunctions.trigamma(rows + 8.0));
        assertThat(rate.mean()[0])
                .isCloseTo(SpecialFunctions.digamma(rows + 8.0) - Math.log(2 + sum), within(0.1 * deviation));
        assertThat(rate.standardDeviation()[0]).isCloseTo(deviation, within(0.05 * deviation));

        BetaBernoulliScore coin = new BetaBernoulliScore(10, 10, rows);
        Posterior logit = new ModelImpliedField(STEPS)
                .posterior(fitted(coin, DenseBlock.of(rows, 1, new double[rows], labels), 0, 1), coin);
        double spread = Math.sqrt(
                SpecialFunctions.trigamma(10.0 + successes) + SpecialFunctions.trigamma(10.0 + rows - successes));
        assertThat(logit.mean()[0])
                .isCloseTo(
                        SpecialFunctions.digamma(10.0 + successes) - SpecialFunctions.digamma(10.0 + rows - successes),
                        within(0.1 * spread));
        assertThat(logit.standardDeviation()[0]).isCloseTo(spread, within(0.05 * spread));
    }

    /** Under a vague prior steps can lead far away; there is a posterior all the same, because its releases were paid for. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 1, 20})
    void regressionHasAPosteriorWhereverItsStepsLead(double priorShape) throws Exception {
        int rows = 2000;
        double[][] truths = {{0.16, 0.2}, {1, 1}, {0.1, 5}, {5, 0.3}, {3, 20}};
        for (double[] truth : truths) {
            RandomStream random = RandomStream.ofSeed(3);
            double[] cells = new double[3 * rows];
            double[] labels = new double[rows];
            for (int n = 0; n < rows; n++) {
                labels[n] = truth[0] * random.normal();
                for (int j = 0; j < 3; j++) {
                    cells[3 * n + j] = j < 2 ? random.normal() : 1;
                    labels[n] += truth[1] * cells[3 * n + j];
                }
            }
            LinearRegressionScore model = LinearRegressionScore.of(
                    new LinearRegressionScore.Setting(List.of("a", "b"), true, 0.01, priorShape, 0.1, rows), 3);
            for (double noise : new double[] {0, 37}) {
                ModelImpliedField.State state = fitted(model, DenseBlock.of(rows, 3, cells, labels), noise, 1, 50);
                Posterior posterior = new ModelImpliedField(50).posterior(state, model);
                for (int j = 0; j < 4; j++) {
                    assertThat(posterior.mean()[j]).isFinite();
                    assertThat(posterior.standardDeviation()[j]).isPositive().isFinite();
                }
            }
        }
    }

    @Test
    void withoutNoiseRegressionFindsItsWeights() throws Exception {
        int rows = 20_000;
        RandomStream random = RandomStream.ofSeed(8);
        double[] w = {0.2, -0.3, 0.1};
        double[] cells = new double[3 * rows];
        double[] labels = new double[rows];
        for (int n = 0; n < rows; n++) {
            labels[n] = 0.16 * random.normal();
            for (int j = 0; j < 3; j++) {
                cells[3 * n + j] = j < 2 ? random.normal() : 1;
                labels[n] += w[j] * cells[3 * n + j];
            }
        }
        LinearRegressionScore model = LinearRegressionScore.of(
                new LinearRegressionScore.Setting(List.of("a", "b"), true, 0.25, 20, 0.5, rows), 1);
        Posterior posterior = new ModelImpliedField(STEPS)
                .posterior(fitted(model, DenseBlock.of(rows, 3, cells, labels), 0, 1, 60), model);
        double deviation = 0.16 / Math.sqrt(rows);
        for (int j = 0; j < 3; j++) {
            // six standard deviations
            assertThat(posterior.mean()[j]).isCloseTo(w[j], within(6 * deviation));
            assertThat(posterior.standardDeviation()[j]).isCloseTo(deviation, within(0.1 * deviation));
        }
        assertThat(posterior.mean()[3]).isCloseTo(2 * Math.log(0.16), within(6 * Math.sqrt(2.0 / rows)));
        assertThat(posterior.standardDeviation()[3])
                .isCloseTo(Math.sqrt(2.0 / rows), within(0.1 * Math.sqrt(2.0 / rows)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void posteriorsSurviveTheirFile(long seed) throws Exception {
        DenseBlock block = Runs.logistic(ROWS, new double[] {2, -1, 0.5, 0}, RandomStream.ofSeed(seed));
        for (ScoreFieldModel model : List.of(
                new BetaBernoulliScore(1, 1, ROWS),
                new DirichletCategoricalScore(Runs.names(4), 1, ROWS),
                new GammaExponentialScore(2, 1, 5, ROWS),
                LinearRegressionScore.of(
                        new LinearRegressionScore.Setting(Runs.names(4), false, 1, 3, 1, ROWS), NOISE))) {
            Posterior posterior = new ModelImpliedField(STEPS).posterior(fitted(model, block, NOISE, seed), model);
            String text = PosteriorJson.write(posterior);
            assertThat(PosteriorJson.write(PosteriorJson.read(text))).isEqualTo(text);
            assertThat(Arrays.stream(posterior.standardDeviation())).allMatch(number -> number > 0 && number < 10);
        }
    }
}
