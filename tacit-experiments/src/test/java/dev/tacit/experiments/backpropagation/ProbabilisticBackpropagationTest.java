package dev.tacit.experiments.backpropagation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Likelihood;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Method;
import dev.tacit.experiments.harness.Golden;
import dev.tacit.model.network.MomentPropagation;
import dev.tacit.model.network.NetworkShape;
import dev.tacit.model.network.ProbitMoments;
import dev.tacit.model.network.RectifiedMoments;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments against quadrature, gradients against differences, updates against reference values of the published code. */
class ProbabilisticBackpropagationTest {
    private static final Map<?, ?> GOLDEN =
            Golden.read("/dev/tacit/experiments/backpropagation/probabilistic-backpropagation.json");
    private static final Map<?, ?> RUNS =
            Golden.read("/dev/tacit/experiments/backpropagation/probabilistic-backpropagation-runs.json");
    private static final Map<?, ?> ADF = Golden.object(GOLDEN, "adf");
    private static final Map<?, ?> SEP = Golden.object(GOLDEN, "sep");
    private static final NetworkShape SMALL = new NetworkShape(2, List.of(3));

    /** From one row a unit to one row an input. */
    private static double[] flat(NetworkShape shape, double[] first, double[] second) {
        double[] weights = new double[shape.size()];
        for (int unit = 0; unit < shape.units(0); unit++) {
            for (int column = 0; column < shape.columns(0); column++) {
                weights[shape.index(0, unit, column)] = first[unit * shape.columns(0) + column];
            }
        }
        System.arraycopy(second, 0, weights, shape.offset(1), second.length);
        return weights;
    }

    private static double[] golden(Map<?, ?> map, String first, String second) {
        return flat(SMALL, Golden.numbers(map, first), Golden.numbers(map, second));
    }

    private static void close(double[] actual, double[] expected, double tolerance) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], within(tolerance * Math.max(1e-3, Math.abs(expected[i]))));
        }
    }

    @Test
    void rectifiedMoments() {
        for (Object entry : (List<?>) GOLDEN.get("rectified")) {
            Map<?, ?> point = (Map<?, ?>) entry;
            RectifiedMoments moments = new RectifiedMoments(1);
            moments.of(new double[] {Golden.number(point, "m")}, new double[] {Golden.number(point, "v")}, 1);
            double mean = Golden.number(point, "mean");
            double variance = Golden.number(point, "var");
            assertThat(moments.mean[0]).isCloseTo(mean, within(1e-10 * mean));
            // Far in the tail 1 − γ (γ + α) cancels in the reference too: at α = −28 to eight digits.
            double tolerance = point.get("quad") == null ? 1e-7 : 1e-9;
            assertThat(moments.variance[0]).isCloseTo(variance, within(tolerance * variance));
        }
    }

    private static ProbabilisticBackpropagation small(Method method, int records) {
        ProbabilisticBackpropagation pbp = new ProbabilisticBackpropagation(
                SMALL, method, Likelihood.GAUSSIAN, records, Double.POSITIVE_INFINITY, RandomStream.ofSeed(1));
        pbp.set(golden(ADF, "M0", "M1"), golden(ADF, "V0", "V1"));
        System.arraycopy(Golden.numbers(ADF, "x"), 0, pbp.input(), 0, 2);
        return pbp;
    }

    @Test
    void gradientsOfTheReference() {
        MomentPropagation network = new MomentPropagation(SMALL);
        double[] mean = golden(ADF, "M0", "M1");
        double[] variance = golden(ADF, "V0", "V1");
        System.arraycopy(Golden.numbers(ADF, "x"), 0, network.input(), 0, 2);
        network.forward(mean, variance);
        assertThat(network.outputMean()).isCloseTo(Golden.number(ADF, "out_mean"), within(1e-14));
        assertThat(network.outputVariance()).isCloseTo(Golden.number(ADF, "out_var"), within(1e-14));
        double total = network.outputVariance() + 6.0 / 5;
        double residual = Golden.number(ADF, "y") - network.outputMean();
        network.backward(residual / total, 0.5 * (residual * residual / total - 1) / total, mean, variance);
        close(network.weightMeanGradient(), golden(ADF, "dlogZ_dM0", "dlogZ_dM1"), 1e-12);
        close(network.weightVarianceGradient(), golden(ADF, "dlogZ_dV0", "dlogZ_dV1"), 1e-12);
    }

    @Test
    void assumedDensityFilteringOfTheReference() {
        ProbabilisticBackpropagation pbp = small(Method.ADF, 20);
        pbp.update(Golden.number(ADF, "y"), 0);
        assertThat(pbp.logZ()).isCloseTo(Golden.number(ADF, "logZ"), within(1e-13));
        close(pbp.mean(), golden(ADF, "M0_new", "M1_new"), 1e-12);
        close(pbp.variance(), golden(ADF, "V0_new", "V1_new"), 1e-12);
        assertThat(pbp.noise().shape()).isCloseTo(Golden.number(ADF, "a_new"), within(1e-11));
        assertThat(pbp.noise().rate()).isCloseTo(Golden.number(ADF, "b_new"), within(1e-11));
    }

    @Test
    void stochasticStepOfTheReference() {
        ProbabilisticBackpropagation pbp = small(Method.SEP, 20);
        pbp.update(Golden.number(ADF, "y"), 0);
        assertThat(pbp.logZ()).isCloseTo(Golden.number(SEP, "logZ_cavity"), within(1e-13));
        close(pbp.naturalMean(), golden(SEP, "post_eta0", "post_eta1"), 1e-11);
        close(pbp.naturalPrecision(), golden(SEP, "post_lam0", "post_lam1"), 1e-11);
        assertThat(pbp.noise().shape()).isCloseTo(Golden.number(SEP, "a_post"), within(1e-11));
        assertThat(pbp.noise().rate()).isCloseTo(Golden.number(SEP, "b_post"), within(1e-11));
    }

    /** A bound of half the reference's norm leaves half of the site. */
    @Test
    void clippedSitesAreShortened() {
        double bound = Golden.number(SEP, "fn_joint_norm") / 2;
        ProbabilisticBackpropagation pbp = new ProbabilisticBackpropagation(
                SMALL, Method.SEP, Likelihood.GAUSSIAN, 20, bound, RandomStream.ofSeed(1));
        pbp.set(golden(ADF, "M0", "M1"), golden(ADF, "V0", "V1"));
        System.arraycopy(Golden.numbers(ADF, "x"), 0, pbp.input(), 0, 2);
        pbp.update(Golden.number(ADF, "y"), 0);
        double[] unclipped = golden(SEP, "post_lam0", "post_lam1");
        double[] site = golden(SEP, "fn_lam0", "fn_lam1");
        for (int i = 0; i < site.length; i++) {
            assertThat(pbp.naturalPrecision()[i]).isCloseTo(unclipped[i] - site[i] / 2, within(1e-12));
        }
    }

    @Test
    void refinedPriorOfTheReference() {
        Map<?, ?> golden = Golden.object(GOLDEN, "prior");
        NetworkShape tiny = new NetworkShape(1, List.of(1));
        ProbabilisticBackpropagation pbp = new ProbabilisticBackpropagation(
                tiny, Method.ADF, Likelihood.GAUSSIAN, 1, Double.POSITIVE_INFINITY, RandomStream.ofSeed(1));
        pbp.set(Golden.numbers(golden, "M_in"), Golden.numbers(golden, "V_in"));
        pbp.refinePrior();
        close(pbp.mean(), Golden.numbers(golden, "M_out"), 1e-11);
        close(pbp.variance(), Golden.numbers(golden, "V_out"), 1e-11);
        close(pbp.priorPrecisions(), Golden.numbers(golden, "site_lam"), 1e-11);
        assertThat(pbp.weightPrior().shape()).isCloseTo(Golden.number(golden, "a_w"), within(1e-10));
        assertThat(pbp.weightPrior().rate()).isCloseTo(Golden.number(golden, "b_w"), within(1e-10));
    }

    static List<Map<?, ?>> publishedRuns() {
        return ((List<?>) RUNS.get("runs"))
                .stream().<Map<?, ?>>map(run -> (Map<?, ?>) run).toList();
    }

    private static double[][] layers(Map<?, ?> run, String name) {
        return ((List<?>) run.get(name))
                .stream()
                        .map(layer -> ((List<?>) layer)
                                .stream()
                                        .mapToDouble(number -> ((Number) number).doubleValue())
                                        .toArray())
                        .toArray(double[][]::new);
    }

    /** One row a unit in every layer, to one row an input. */
    private static double[] flat(NetworkShape shape, double[][] layers) {
        double[] weights = new double[shape.size()];
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (int unit = 0; unit < shape.units(layer); unit++) {
                for (int column = 0; column < shape.columns(layer); column++) {
                    weights[shape.index(layer, unit, column)] = layers[layer][unit * shape.columns(layer) + column];
                }
            }
        }
        return weights;
    }

    private static ProbabilisticBackpropagation run(Map<?, ?> run, NetworkShape shape, Method method) {
        DenseBlock rows = DenseBlock.of(40, 3, Golden.numbers(RUNS, "x"), Golden.numbers(RUNS, "y"));
        ProbabilisticBackpropagation pbp = new ProbabilisticBackpropagation(
                shape, method, Likelihood.GAUSSIAN, 40, Double.POSITIVE_INFINITY, RandomStream.ofSeed(1));
        pbp.set(flat(shape, layers(run, "start")), pbp.variance());
        for (double[] order : layers(run, "orders")) {
            for (double row : order) {
                pbp.visit(rows, (int) row);
            }
            pbp.refinePrior();
        }
        return pbp;
    }

    private static NetworkShape shapeOf(Map<?, ?> run) {
        return new NetworkShape(
                3,
                ((List<?>) run.get("hiddenUnits"))
                        .stream().map(units -> ((Number) units).intValue()).toList());
    }

    /**
     * Three epochs over 40 simulated records, from the start and in the orders of the published code of Vinaroz and Park
     * (2022), whose results with Theano 1.0.5 are the golden values: every weight and both Gamma distributions. Theano
     * takes the root of the constant 2 in single precision, so Φ has a relative error of 2e-8 there, and 1e-9 cannot be
     * reached; {@code doubleRoot} is the same code with that constant in double precision.
     */
    @ParameterizedTest
    @MethodSource("publishedRuns")
    void wholeRunsOfThePublishedCode(Map<?, ?> run) {
        NetworkShape shape = shapeOf(run);
        ProbabilisticBackpropagation pbp = run(run, shape, Method.valueOf((String) run.get("method")));
        agrees(pbp, shape, Golden.object(run, "doubleRoot"), 1e-10);
        agrees(pbp, shape, Golden.object(run, "asPublished"), 1e-6);
    }

    private static void agrees(
            ProbabilisticBackpropagation pbp, NetworkShape shape, Map<?, ?> published, double tolerance) {
        close(pbp.mean(), flat(shape, layers(published, "mean")), tolerance);
        close(pbp.variance(), flat(shape, layers(published, "variance")), tolerance);
        double[] gammas = {
            pbp.noise().shape(),
            pbp.noise().rate(),
            pbp.weightPrior().shape(),
            pbp.weightPrior().rate()
        };
        double[] expected = {
            Golden.number(published, "noiseShape"),
            Golden.number(published, "noiseRate"),
            Golden.number(published, "weightShape"),
            Golden.number(published, "weightRate")
        };
        close(gammas, expected, tolerance);
    }

    /** The runs tell the methods apart: any other method ends elsewhere. */
    @ParameterizedTest
    @MethodSource("publishedRuns")
    void publishedRunsAreThoseOfOneMethod(Map<?, ?> run) {
        NetworkShape shape = shapeOf(run);
        for (Method method : Method.values()) {
            if (!method.name().equals(run.get("method"))) {
                double shapeOfNoise = run(run, shape, method).noise().shape();
                assertThat(Math.abs(shapeOfNoise - Golden.number(Golden.object(run, "asPublished"), "noiseShape")))
                        .isGreaterThan(0.1);
            }
        }
    }

    /** A weight whose variance or precision is out of range stays to the bit; all others move. */
    @ParameterizedTest
    @CsvSource({"1e21, 1e-12, false", "1e-21, 1, false", "-1, 1e-12, false", "1e19, 1e-12, true", "1e-19, 1, true"})
    void weightsOutOfRangeStay(double variance, double input, boolean moves) {
        NetworkShape shape = new NetworkShape(2, List.of(3));
        ProbabilisticBackpropagation pbp = new ProbabilisticBackpropagation(
                shape, Method.ADF, Likelihood.GAUSSIAN, 10, Double.POSITIVE_INFINITY, RandomStream.ofSeed(4));
        double[] means = pbp.mean();
        double[] variances = pbp.variance();
        int odd = shape.index(0, 1, 0);
        means[odd] = 0;
        variances[odd] = variance;
        pbp.set(means, variances);
        double[] before = pbp.naturalMean();
        pbp.visit(DenseBlock.of(1, 2, new double[] {input, 0.7}, new double[] {1.5}), 0);
        double[] after = pbp.naturalMean();
        for (int i = 0; i < after.length; i++) {
            assertThat(after[i] != before[i]).as("weight %d moves", i).isEqualTo(i != odd || moves);
        }
        if (!moves) {
            assertThat(pbp.naturalPrecision()[odd]).isEqualTo(1 / variance);
        }
    }

    /** Richardson's extrapolation of central differences: error of order h⁴. */
    private static double difference(double[] point, int i, double step, DoubleSupplier function) {
        double kept = point[i];
        double[] values = new double[4];
        double[] places = {step, -step, step / 2, -step / 2};
        for (int k = 0; k < 4; k++) {
            point[i] = kept + places[k];
            values[k] = function.getAsDouble();
        }
        point[i] = kept;
        double coarse = (values[0] - values[1]) / (2 * step);
        double fine = (values[2] - values[3]) / step;
        return fine + (fine - coarse) / 3;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void gradientsAreDifferencesInBothDepths(int layers) {
        NetworkShape shape = new NetworkShape(4, layers == 1 ? List.of(6) : List.of(5, 3));
        RandomStream random = RandomStream.ofSeed(17);
        double[] mean = new double[shape.size()];
        double[] variance = new double[shape.size()];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = random.normal();
            variance[i] = 0.05 + random.uniform();
        }
        MomentPropagation network = new MomentPropagation(shape);
        for (int j = 0; j < 4; j++) {
            network.input()[j] = random.normal();
        }
        double residualAt = 0.7;
        DoubleSupplier logZ = () -> {
            network.forward(mean, variance);
            double total = network.outputVariance() + 0.3;
            double residual = residualAt - network.outputMean();
            return -0.5 * (Math.log(total) + residual * residual / total);
        };
        network.forward(mean, variance);
        double total = network.outputVariance() + 0.3;
        double byMean = (residualAt - network.outputMean()) / total;
        network.backward(byMean, 0.5 * (byMean * byMean - 1 / total), mean, variance);
        double[] byMeans = network.weightMeanGradient().clone();
        double[] byVariances = network.weightVarianceGradient().clone();
        for (int i = 0; i < mean.length; i++) {
            assertThat(byMeans[i]).isCloseTo(difference(mean, i, 1e-3, logZ), within(1e-9));
            assertThat(byVariances[i]).isCloseTo(difference(variance, i, 1e-3, logZ), within(1e-9));
        }
        network.forward(mean, variance);
        network.backwardByMeans(byMean, 0.5 * (byMean * byMean - 1 / total), mean, variance);
        assertThat(network.weightMeanGradient()).containsExactly(byMeans);
    }

    /** Moments of the output of a network of one unit, by drawing weights: within six standard errors. */
    @Test
    void momentsAreThoseOfDrawnWeights() {
        NetworkShape shape = new NetworkShape(2, List.of(1));
        double[] mean = {0.8, -0.4, 0.3, 1.2, -0.5};
        double[] variance = {0.2, 0.3, 0.1, 0.4, 0.2};
        MomentPropagation network = new MomentPropagation(shape);
        network.input()[0] = 0.9;
        network.input()[1] = -1.1;
        network.forward(mean, variance);
        RandomStream random = RandomStream.ofSeed(3);
        int draws = 400_000;
        double sum = 0;
        double squares = 0;
        for (int k = 0; k < draws; k++) {
            double[] w = new double[5];
            for (int i = 0; i < 5; i++) {
                w[i] = mean[i] + Math.sqrt(variance[i]) * random.normal();
            }
            double hidden = Math.max(0, (w[0] * 0.9 - w[1] * 1.1 + w[2]) / Math.sqrt(3));
            double output = (w[3] * hidden + w[4]) / Math.sqrt(2);
            sum += output;
            squares += output * output;
        }
        double average = sum / draws;
        double spread = squares / draws - average * average;
        assertThat(network.outputMean()).isCloseTo(average, within(6 * Math.sqrt(spread / draws)));
        assertThat(network.outputVariance()).isCloseTo(spread, within(6 * spread * Math.sqrt(10.0 / draws)));
    }

    @Test
    void probitMomentsAreDifferences() {
        for (double z : new double[] {-40, -3, -0.2, 0.4, 6}) {
            double step = 1e-5;
            ProbitMoments at = ProbitMoments.of(1, z, 0.7);
            double byMean = (ProbitMoments.of(1, z + step, 0.7).logZ()
                            - ProbitMoments.of(1, z - step, 0.7).logZ())
                    / (2 * step);
            double byVariance = (ProbitMoments.of(1, z, 0.7 + step).logZ()
                            - ProbitMoments.of(1, z, 0.7 - step).logZ())
                    / (2 * step);
            assertThat(at.byMean()).isCloseTo(byMean, within(1e-5 * Math.max(1e-6, Math.abs(byMean))));
            assertThat(at.byVariance()).isCloseTo(byVariance, within(1e-5 * Math.max(1e-6, Math.abs(byVariance))));
            assertThat(ProbitMoments.of(-1, -z, 0.7).byMean()).isEqualTo(-at.byMean());
        }
    }

    private static DenseBlock waves(int rows, long seed, boolean classes) {
        RandomStream random = RandomStream.ofSeed(seed);
        double[] values = new double[2 * rows];
        double[] labels = new double[rows];
        for (int row = 0; row < rows; row++) {
            values[2 * row] = 2 * random.normal();
            values[2 * row + 1] = random.normal();
            double clean = Math.sin(values[2 * row]) + 0.5 * values[2 * row + 1];
            labels[row] = classes
                    ? random.uniform() < SpecialFunctions.normalCdf(4 * clean) ? 1 : 0
                    : clean + 0.1 * random.normal();
        }
        return DenseBlock.of(rows, 2, values, labels);
    }

    /** The noise is 0.1, and a straight line through these waves leaves 0.6. */
    @ParameterizedTest
    @EnumSource(Method.class)
    void everyMethodFindsTheWaves(Method method) {
        DenseBlock train = waves(600, 5, false);
        ProbabilisticBackpropagation pbp = new ProbabilisticBackpropagation(
                new NetworkShape(2, List.of(20)),
                method,
                Likelihood.GAUSSIAN,
                600,
                Double.POSITIVE_INFINITY,
                RandomStream.ofSeed(9));
        RandomStream order = RandomStream.ofSeed(10);
        for (int epoch = 0; epoch < 60; epoch++) {
            pbp.epoch(train, order);
        }
        assertThat(rmse(pbp, waves(600, 6, false))).isLessThan(0.25);
        assertThat(Math.sqrt(pbp.noiseVariance())).isBetween(0.08, 0.25);
    }

    private static double rmse(ProbabilisticBackpropagation pbp, DenseBlock test) {
        MomentPropagation network = new MomentPropagation(new NetworkShape(2, List.of(20)));
        double[] mean = pbp.mean();
        double[] variance = pbp.variance();
        double squares = 0;
        for (int row = 0; row < test.rows(); row++) {
            System.arraycopy(test.values(), 2 * row, network.input(), 0, 2);
            network.forward(mean, variance);
            double residual = test.label(row) - network.outputMean();
            squares += residual * residual;
        }
        return Math.sqrt(squares / test.rows());
    }

    /** Labels are wrong for about one in eight. */
    @Test
    void classesAreFoundByTheProbitForm() {
        DenseBlock train = waves(800, 5, true);
        NetworkShape shape = new NetworkShape(2, List.of(20));
        ProbabilisticBackpropagation pbp = new ProbabilisticBackpropagation(
                shape, Method.SEP, Likelihood.PROBIT, 800, Double.POSITIVE_INFINITY, RandomStream.ofSeed(9));
        RandomStream order = RandomStream.ofSeed(10);
        for (int epoch = 0; epoch < 40; epoch++) {
            pbp.epoch(train, order);
        }
        DenseBlock test = waves(1000, 6, true);
        MomentPropagation network = new MomentPropagation(shape);
        int right = 0;
        for (int row = 0; row < test.rows(); row++) {
            System.arraycopy(test.values(), 2 * row, network.input(), 0, 2);
            network.forward(pbp.mean(), pbp.variance());
            right += network.outputMean() > 0 == test.label(row) > 0.5 ? 1 : 0;
        }
        assertThat(right).isGreaterThan(850);
    }
}
