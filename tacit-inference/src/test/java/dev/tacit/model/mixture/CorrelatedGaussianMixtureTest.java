package dev.tacit.model.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.posterior.family.KullbackLeibler;
import dev.tacit.posterior.family.NormalInverseWishartPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.run.InferenceRun;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CorrelatedGaussianMixtureTest {
    private static final int ROWS = 4000;
    private static final List<String> COLUMNS = List.of("a", "b");
    private static final CorrelatedGaussianMixture MODEL =
            new CorrelatedGaussianMixture(COLUMNS, 2, Math.sqrt(2), ROWS);

    /** Two long clouds whose ends overlap: columns are correlated by 0.9 in one and −0.9 in the other. */
    private static DenseBlock clouds() {
        RandomStream random = RandomStream.ofSeed(21);
        double[] values = new double[2 * ROWS];
        for (int row = 0; row < ROWS; row++) {
            double sign = random.uniform() < 0.6 ? 1 : -1;
            double shared = random.normal();
            double own = random.normal();
            values[2 * row] = clamp(0.35 * sign + 0.2 * shared);
            values[2 * row + 1] = clamp(0.2 * (sign * 0.9 * shared + Math.sqrt(1 - 0.81) * own));
        }
        return DenseBlock.of(ROWS, 2, values, new double[ROWS]);
    }

    private static double clamp(double number) {
        return Math.max(-1, Math.min(1, number));
    }

    private static PrivateVariationalBayes<ProductPosterior> kernel(int steps) {
        return new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(steps, new SamplingScheme.FullPass(), new StepSchedule.Last()));
    }

    private static NormalInverseWishartPosterior prior(int width) {
        return new NormalInverseWishartPosterior(
                COLUMNS.subList(0, width),
                new double[width],
                CorrelatedGaussianMixture.PRIOR_MASS,
                SymmetricMatrix.scaledIdentity(width, CorrelatedGaussianMixture.PRIOR_SCALE),
                width + 3);
    }

    // ---- without noise ---------------------------------------------------------------------------------------------

    /** With one component, density ratios of q are those of prior times likelihood. */
    @Test
    void oneComponentIsTheExactPosterior() {
        double[][] records = {{0.3, -0.2}, {0.5, 0.4}, {-0.6, 0.1}, {0.1, 0.1}, {0.2, -0.9}};
        CorrelatedGaussianMixture model = new CorrelatedGaussianMixture(COLUMNS, 1, 2, records.length);
        DenseBlock block = DenseBlock.of(
                records.length,
                2,
                Arrays.stream(records).flatMapToDouble(Arrays::stream).toArray(),
                new double[records.length]);
        PrivateDataset data = Runs.dataset(block);
        PrivateVariationalBayes<ProductPosterior> kernel = kernel(1);
        PrivateSession session = data.openNotPrivate(
                RunRequest.of("test", kernel.plan(model, data.publicSize())), ReplayNoise.ofSeed(1));
        Posterior fitted = ((ProductPosterior) InferenceRun.once(kernel, model, session, RandomStream.ofSeed(1))
                        .posterior())
                .block("component-1");
        RandomStream random = RandomStream.ofSeed(2);
        double[] point = new double[5];
        fitted.sample(random, point);
        double offset = fitted.logDensity(point) - joint(point, records);
        for (int i = 0; i < 10; i++) {
            fitted.sample(random, point);
            // the door rounds contributions to its grid, which is why this is not 1e-12
            assertThat(fitted.logDensity(point)).isCloseTo(joint(point, records) + offset, within(1e-6));
        }
    }

    /** log prior + log likelihood at mean and covariance, written out. */
    private static double joint(double[] point, double[][] records) {
        double determinant = point[2] * point[4] - point[3] * point[3];
        double sum = prior(2).logDensity(point);
        for (double[] record : records) {
            double a = record[0] - point[0];
            double b = record[1] - point[1];
            sum -= Math.log(2 * Math.PI)
                    + 0.5 * Math.log(determinant)
                    + 0.5 * (point[4] * a * a - 2 * point[3] * a * b + point[2] * b * b) / determinant;
        }
        return sum;
    }

    /** The bound on the evidence, written out. */
    @Test
    void withoutNoiseTheBoundNeverFalls() {
        DenseBlock block = clouds();
        PrivateDataset data = Runs.dataset(block);
        PrivateVariationalBayes<ProductPosterior> kernel = kernel(40);
        PrivateSession session = data.openNotPrivate(
                RunRequest.of("test", kernel.plan(MODEL, data.publicSize())), ReplayNoise.ofSeed(1));
        PrivateVariationalBayes.State state = kernel.init(MODEL, data.publicSize(), RandomStream.ofSeed(4));
        double before = Double.NEGATIVE_INFINITY;
        double first = 0;
        for (int step = 0; step < 40; step++) {
            state = kernel.step(state, MODEL, session, RandomStream.ofSeed(4).fork(step))
                    .state();
            double bound = bound(kernel.posterior(state, MODEL), block);
            assertThat(bound).as("step %s", step).isGreaterThanOrEqualTo(before - 1e-5);
            before = bound;
            first = step == 0 ? bound : first;
        }
        assertThat(before).isGreaterThan(first + 100);
    }

    private static double bound(ProductPosterior posterior, DenseBlock block) {
        DirichletPosterior weights = (DirichletPosterior) posterior.block("weights");
        double[] logWeights = weights.meanLogarithm();
        double sum = -KullbackLeibler.divergence(
                weights, new DirichletPosterior(weights.parameterNames(), new double[] {1, 1}));
        double[] logs = new double[2];
        for (int row = 0; row < block.rows(); row++) {
            double[] x = {block.values()[block.start(row)], block.values()[block.start(row) + 1]};
            for (int k = 0; k < 2; k++) {
                NormalInverseWishartPosterior q = component(posterior, k);
                logs[k] = logWeights[k]
                        + 0.5 * q.meanLogPrecision()
                        - Math.log(2 * Math.PI)
                        - 1 / q.mass()
                        - 0.5 * q.degrees() * distance(q, x);
            }
            sum += SpecialFunctions.logSumExp(logs, 2);
        }
        return sum - divergence(component(posterior, 0)) - divergence(component(posterior, 1));
    }

    private static NormalInverseWishartPosterior component(ProductPosterior posterior, int k) {
        return (NormalInverseWishartPosterior) posterior.block("component-" + (k + 1));
    }

    private static double distance(NormalInverseWishartPosterior q, double[] x) {
        double[] residual = {x[0] - q.location()[0], x[1] - q.location()[1]};
        LinearAlgebra.best().solveLower(2, q.scaleRoot(), residual);
        return residual[0] * residual[0] + residual[1] * residual[1];
    }

    /** KL of a component from its prior. */
    private static double divergence(NormalInverseWishartPosterior q) {
        NormalInverseWishartPosterior p = prior(2);
        double[] inverse = new double[4];
        LinearAlgebra.best().invertCholesky(2, q.scaleRoot(), inverse);
        double trace = CorrelatedGaussianMixture.PRIOR_SCALE * (inverse[0] + inverse[3]);
        double ofMean = p.mass() / q.mass()
                - 1
                + Math.log(q.mass() / p.mass())
                + 0.5 * p.mass() * q.degrees() * distance(q, new double[2]);
        return ofMean
                + constant(q)
                - constant(p)
                + 0.5 * (q.degrees() - p.degrees()) * q.meanLogPrecision()
                - 0.5 * q.degrees() * (2 - trace);
    }

    private static double constant(NormalInverseWishartPosterior q) {
        return 0.5 * q.degrees() * SymmetricMatrix.logDeterminantOfCholesky(2, q.scaleRoot())
                - q.degrees() * Math.log(2)
                - 0.5 * Math.log(Math.PI)
                - SpecialFunctions.logGamma(0.5 * q.degrees())
                - SpecialFunctions.logGamma(0.5 * (q.degrees() - 1));
    }

    // ---- with noise ------------------------------------------------------------------------------------------------

    private static ProductPosterior fitted(double noiseMultiplier, int steps, long seed) throws Exception {
        PrivateDataset data = Runs.dataset(clouds());
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

    /** Correlations of the component with the larger weight, and of the other. */
    private static double[] correlations(ProductPosterior posterior) {
        double[] weights = posterior.block("weights").mean();
        double[] correlations = new double[2];
        for (int k = 0; k < 2; k++) {
            double[] mean = component(posterior, k).mean();
            correlations[weights[k] >= 0.5 ? 0 : 1] = mean[3] / Math.sqrt(mean[2] * mean[4]);
        }
        return correlations;
    }

    @Test
    void cloudsAreFoundWithAndWithoutNoise() throws Exception {
        double[] without = correlations(fitted(0, 60, 4));
        assertThat(without[0]).isCloseTo(0.9, within(0.03));
        assertThat(without[1]).isCloseTo(-0.9, within(0.03));
        double[] with = correlations(fitted(4, 30, 4));
        assertThat(with[0]).isGreaterThan(0.6);
        assertThat(with[1]).isLessThan(-0.6);
    }

    @Test
    void intervalsGrowWithTheNoise() throws Exception {
        double[] without = fitted(0, 60, 4).standardDeviation();
        double[] with = fitted(4, 30, 4).standardDeviation();
        assertThat(with[0]).isGreaterThan(without[0]);
        assertThat(with[2]).isGreaterThan(without[2]);
    }

    @Test
    void sumsThatAreNothingButNoiseAreRepaired() {
        RandomStream random = RandomStream.ofSeed(6);
        for (int repeat = 0; repeat < 50; repeat++) {
            double[] statistics = new double[MODEL.statisticsDimension()];
            for (int i = 0; i < statistics.length; i++) {
                statistics[i] = 1e5 * random.normal();
            }
            ProductPosterior posterior = MODEL.posterior(statistics, 1e5, new double[0]);
            assertThat(Arrays.stream(posterior.mean())).allMatch(Double::isFinite);
        }
    }

    /** The predictive density integrates to 1, on a grid around a component that lies in the middle. */
    @Test
    void thePredictiveDensityIsOne() {
        double[] statistics = {300, 100, 0, 10, 0, -20, 12, 10, 14, 3, -2, 5};
        ProductPosterior posterior = MODEL.posterior(statistics, 0, new double[0]);
        double sum = 0;
        double step = 0.02;
        for (double a = -3; a < 3; a += step) {
            for (double b = -3; b < 3; b += step) {
                DenseBlock block = DenseBlock.of(1, 2, new double[] {a, b}, new double[1]);
                sum += step
                        * step
                        * Math.exp(MODEL.scores(posterior, List.of(block)).get("logLikelihood"));
            }
        }
        assertThat(sum).isCloseTo(1, within(1e-3));
    }

    @Test
    void settingsThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> new CorrelatedGaussianMixture(List.of(), 2, 1, 10))
                .hasMessageContaining("column");
        assertThatThrownBy(() -> new CorrelatedGaussianMixture(COLUMNS, 0, 1, 10))
                .hasMessageContaining("component");
    }
}
