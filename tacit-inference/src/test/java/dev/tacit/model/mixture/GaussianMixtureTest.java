package dev.tacit.model.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.posterior.family.GammaPosterior;
import dev.tacit.posterior.family.KullbackLeibler;
import dev.tacit.posterior.family.NormalGammaPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.run.InferenceRun;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GaussianMixtureTest {
    private static final int ROWS = 3000;
    private static final double[][] MEANS = {{-0.5, -0.4}, {0.4, 0.1}, {0, 0.6}};
    private static final double[] SHARES = {0.5, 0.3, 0.2};
    private static final double DEVIATION = 0.1;

    private static final GaussianMixture MODEL = new GaussianMixture(List.of("a", "b"), 3, Math.sqrt(2), ROWS);

    private static DenseBlock block() {
        RandomStream random = RandomStream.ofSeed(21);
        double[] values = new double[2 * ROWS];
        for (int row = 0; row < ROWS; row++) {
            double uniform = random.uniform();
            int component = uniform < SHARES[0] ? 0 : uniform < SHARES[0] + SHARES[1] ? 1 : 2;
            for (int j = 0; j < 2; j++) {
                double number = MEANS[component][j] + DEVIATION * random.normal();
                values[2 * row + j] = Math.max(-1, Math.min(1, number));
            }
        }
        return DenseBlock.of(ROWS, 2, values, new double[ROWS]);
    }

    private static PrivateVariationalBayes<ProductPosterior> kernel(int steps) {
        return new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(steps, new SamplingScheme.FullPass(), new StepSchedule.Last()));
    }

    /** The bound on the evidence, written out; seed 4 is one of the starts. */
    @Test
    void withoutNoiseTheBoundNeverFalls() {
        DenseBlock block = block();
        PrivateDataset data = Runs.dataset(block);
        PrivateVariationalBayes<ProductPosterior> kernel = kernel(40);
        PrivateSession session = data.openNotPrivate(
                RunRequest.of("test", kernel.plan(MODEL, data.publicSize())), ReplayNoise.ofSeed(1));
        PrivateVariationalBayes.State state = kernel.init(MODEL, data.publicSize(), RandomStream.ofSeed(4));
        double before = Double.NEGATIVE_INFINITY;
        for (int step = 0; step < 40; step++) {
            state = kernel.step(state, MODEL, session, RandomStream.ofSeed(4).fork(step))
                    .state();
            double bound = bound(kernel.posterior(state, MODEL), block);
            assertThat(bound).as("step %s", step).isGreaterThanOrEqualTo(before - 1e-6);
            before = bound;
        }
    }

    private static double bound(ProductPosterior posterior, DenseBlock block) {
        DirichletPosterior weights = (DirichletPosterior) posterior.block("weights");
        double[] logWeights = weights.meanLogarithm();
        double sum = 0;
        double[] logs = new double[3];
        for (int row = 0; row < block.rows(); row++) {
            for (int k = 0; k < 3; k++) {
                logs[k] = logWeights[k];
                for (int j = 0; j < 2; j++) {
                    NormalGammaPosterior cell = cell(posterior, k, j);
                    GammaPosterior precision = cell.noisePrecision();
                    double distance = block.values()[block.start(row) + j] - cell.weightMean()[0];
                    logs[k] += 0.5
                            * (precision.meanLogarithm()
                                    - Math.log(2 * Math.PI)
                                    - precision.mean()[0] * distance * distance
                                    - 1 / cell.weightPrecision()[0]);
                }
            }
            sum += SpecialFunctions.logSumExp(logs, 3);
        }
        sum -= KullbackLeibler.divergence(
                weights, new DirichletPosterior(weights.parameterNames(), new double[] {1, 1, 1}));
        GammaPosterior prior = new GammaPosterior("precision", GaussianMixture.PRIOR_SHAPE, GaussianMixture.PRIOR_RATE);
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 2; j++) {
                NormalGammaPosterior cell = cell(posterior, k, j);
                double ratio = GaussianMixture.PRIOR_PRECISION / cell.weightPrecision()[0];
                double mean = cell.weightMean()[0];
                GammaPosterior precision = cell.noisePrecision();
                sum -= KullbackLeibler.divergence(precision, prior);
                sum -= 0.5
                        * (ratio
                                - 1
                                - Math.log(ratio)
                                + GaussianMixture.PRIOR_PRECISION
                                        * mean
                                        * mean
                                        * precision.mean()[0]);
            }
        }
        return sum;
    }

    private static NormalGammaPosterior cell(ProductPosterior posterior, int component, int column) {
        return (NormalGammaPosterior) posterior.block("component-" + (component + 1) + "." + (column == 0 ? "a" : "b"));
    }

    private static ProductPosterior fitted(double noiseMultiplier, int steps, long seed) throws Exception {
        PrivateDataset data = Runs.dataset(block());
        PrivateVariationalBayes<ProductPosterior> kernel = kernel(steps);
        ReleasePlan plan = kernel.plan(MODEL, data.publicSize());
        PrivateSession session = noiseMultiplier == 0
                ? data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1))
                : data.open(
                        RunRequest.of("test", plan),
                        new DiscreteGaussianMechanism(noiseMultiplier),
                        Runs.ledger(data, plan, noiseMultiplier),
                        ReplayNoise.ofSeed(seed));
        return (ProductPosterior) InferenceRun.once(kernel, MODEL, session, RandomStream.ofSeed(seed))
                .posterior();
    }

    /** Each true component has one that was found, with its share, within what sampling and noise leave. */
    private static void assertRecovered(ProductPosterior posterior, double tolerance) {
        double[] weights = posterior.block("weights").mean();
        for (int truth = 0; truth < 3; truth++) {
            double[] mean = MEANS[truth];
            double nearest = Double.POSITIVE_INFINITY;
            double share = 0;
            for (int k = 0; k < 3; k++) {
                double distance = Math.hypot(
                        cell(posterior, k, 0).weightMean()[0] - mean[0],
                        cell(posterior, k, 1).weightMean()[0] - mean[1]);
                if (distance < nearest) {
                    nearest = distance;
                    share = weights[k];
                }
            }
            assertThat(nearest).as("component %s", truth).isLessThan(tolerance);
            assertThat(share).as("share of component %s", truth).isCloseTo(SHARES[truth], within(tolerance));
        }
    }

    @Test
    void knownComponentsAreFoundWithAndWithoutNoise() throws Exception {
        assertRecovered(fitted(0, 60, 4), 0.03);
        assertRecovered(fitted(4, 25, 5), 0.1);
    }

    @Test
    void intervalsGrowWithTheNoise() throws Exception {
        double[] without = fitted(0, 60, 5).standardDeviation();
        double[] with = fitted(4, 25, 5).standardDeviation();
        assertThat(with[0]).isGreaterThan(without[0]);
        assertThat(with[3]).isGreaterThan(without[3]);
    }

    @Test
    void sumsThatAreNothingButNoiseAreRepaired() {
        RandomStream random = RandomStream.ofSeed(6);
        double[] statistics = new double[MODEL.statisticsDimension()];
        for (int i = 0; i < statistics.length; i++) {
            statistics[i] = 1e5 * random.normal();
        }
        ProductPosterior posterior = MODEL.posterior(statistics, 1e5, new double[0]);
        assertThat(Arrays.stream(posterior.mean())).allMatch(Double::isFinite);
    }
}
