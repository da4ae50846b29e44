package dev.tacit.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.inference.ep.RecordSites;
import dev.tacit.inference.ep.SharedSiteKernel;
import dev.tacit.inference.ep.SitesGaussian;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearSites;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.LogisticSites;
import dev.tacit.model.regression.ProbitRegression;
import dev.tacit.model.regression.ProbitSites;
import dev.tacit.numerics.Golden;
import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tilted moments and sites against reference values, quadrature and differences. */
class TiltedMomentsTest {
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/inference/stochastic-ep.json");

    private static MixtureMeans mixture(int components, int columns, double variance) {
        return new MixtureMeans(
                Runs.names(columns),
                MixtureMeans.equalWeights(components),
                variance,
                new double[components * columns],
                0.1,
                10,
                Optional.empty());
    }

    /** Also of matrices: lists of lists of lists. */
    private static double[] numbers(Map<?, ?> map, String name) {
        return flat(map.get(name)).toArray();
    }

    private static DoubleStream flat(Object value) {
        return value instanceof List<?> list
                ? list.stream().flatMapToDouble(TiltedMomentsTest::flat)
                : DoubleStream.of(((Number) value).doubleValue());
    }

    private static void assertClose(double[] actual, double[] expected, double tolerance) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], within(tolerance * Math.max(1, Math.abs(expected[i]))));
        }
    }

    private static RecordSites sites(TiltedMomentModel model, double[] mean, double[] covariance) {
        RecordSites sites = new RecordSites(model.shape(), model.tiltedMoments(model.constants()));
        sites.cavity(mean, covariance);
        return sites;
    }

    @ParameterizedTest
    @ValueSource(strings = {"mog_1d_J2", "mog_2d_J3"})
    void momentsAndSitesOfAMixture(String name) {
        Map<?, ?> golden = Golden.object(GOLDEN, name);
        boolean line = name.equals("mog_1d_J2");
        double[] mean = numbers(golden, "cavity_mean");
        double[] record = line ? new double[] {Golden.number(golden, "y")} : numbers(golden, "y");
        MixtureMeans model = mixture(mean.length / record.length, record.length, Golden.number(golden, "noise_var"));
        RecordSites sites = sites(model, mean, numbers(golden, line ? "cavity_var" : "cavity_cov"));
        DenseBlock block = DenseBlock.of(1, record.length, record, null);

        double[] tiltedMean = new double[mean.length];
        double[] tiltedCovariance = new double[model.shape().matrixSize()];
        double logPartition = sites.tilted(block, 0, tiltedMean, tiltedCovariance);
        assertThat(logPartition).isCloseTo(Golden.number(golden, "logZ"), within(1e-13));
        assertClose(tiltedMean, numbers(golden, "tilted_mean"), 1e-13);
        assertClose(tiltedCovariance, numbers(golden, line ? "tilted_var" : "tilted_cov"), 1e-13);

        double[] site = new double[model.shape().naturalSize()];
        sites.site(block, 0, null, site);
        assertClose(Arrays.copyOf(site, mean.length), numbers(golden, "site_eta"), 1e-12);
        assertClose(model.shape().precision(site), numbers(golden, "site_Lambda"), 1e-12);
        if (!line) {
            double squares = Arrays.stream(site).map(x -> x * x).sum();
            assertThat(Math.sqrt(squares)).isCloseTo(Golden.number(golden, "norm_joint"), within(1e-12));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneStepOfStochasticEp(boolean allCopies) {
        Map<?, ?> golden = Golden.object(GOLDEN, "mog_sep_step");
        GaussianBlocks shape = new GaussianBlocks(3, 2);
        double[] priorEta = numbers(golden, "prior_eta");
        double[] priorMean = Arrays.stream(priorEta).map(x -> 10 * x).toArray();
        MixtureMeans model = new MixtureMeans(
                Runs.names(2), MixtureMeans.equalWeights(3), 0.25, priorMean, 0.1, 10, Optional.empty());
        double[] before = shape.natural(numbers(golden, "factor_eta"), numbers(golden, "factor_Lambda"));
        for (int i = 0; i < before.length; i++) {
            before[i] *= 10;
        }
        SitesGaussian cavity = SitesGaussian.of(model, before, 0.9);
        assertClose(cavity.mean(), numbers(golden, "cavity_mean"), 1e-12);
        assertClose(cavity.covariance(), numbers(golden, "cavity_cov"), 1e-12);
        double[] site = new double[shape.naturalSize()];
        sites(model, cavity.mean(), cavity.covariance())
                .site(DenseBlock.of(1, 2, numbers(golden, "y"), null), 0, null, site);
        assertClose(Arrays.copyOf(site, 6), numbers(golden, "fn_eta"), 1e-12);
        assertClose(shape.precision(site), numbers(golden, "fn_Lambda"), 1e-12);

        SharedSiteKernel.Move move =
                new SharedSiteKernel.Move(Double.POSITIVE_INFINITY, 1, 1, allCopies ? 10 : 1, false, 0, false);
        double[] next = SharedSiteKernel.moved(model, before, site, 1, 10, null, move);
        String version = allCopies ? "trueSEP" : "eq5_gamma1";
        double[] global = new double[next.length];
        double[] prior = SitesGaussian.prior(model);
        for (int i = 0; i < next.length; i++) {
            global[i] = next[i] + prior[i];
        }
        assertClose(Arrays.copyOf(global, 6), numbers(golden, "new_global_eta_" + version), 1e-12);
        assertClose(shape.precision(global), numbers(golden, "new_global_Lambda_" + version), 1e-12);
    }

    @Test
    void precisionsBelowTheFloorAreRaisedAndOthersLeftAlone() {
        Map<?, ?> golden = Golden.object(GOLDEN, "psd_repair");
        GaussianBlocks shape = new GaussianBlocks(1, 3);
        double[] sites = shape.natural(new double[3], numbers(golden, "matrix"));
        SitesGaussian.raisePrecision(shape, sites, Golden.number(golden, "floor"));
        assertClose(shape.precision(sites), numbers(golden, "repaired"), 1e-12);
    }

    static Stream<TiltedMomentModel> models() {
        return Stream.of(
                new LogisticSites(new LogisticRegression(Runs.names(3), 2, 0.3), 50, 0),
                new ProbitSites(new ProbitRegression(Runs.names(3), 2, 0.3), 50, 0),
                new LinearSites(new LinearRegression(Runs.names(3), 2, 0.3, -2, 2, 50, 1), 0.2, false, 0),
                mixture(3, 3, 0.3));
    }

    /** Central differences of log Z in the mean, error below 1e-6. */
    @ParameterizedTest
    @MethodSource("models")
    void derivativesAreThoseOfTheLogPartition(TiltedMomentModel model) {
        GaussianBlocks shape = model.shape();
        int size = shape.size();
        double[] mean = new double[size];
        for (int i = 0; i < size; i++) {
            mean[i] = Math.sin(2.0 * i + 1);
        }
        double[] covariance = shape.scaledIdentity(0.7);
        covariance[1] = 0.2;
        covariance[shape.blockSize()] = 0.2;
        DenseBlock block = DenseBlock.of(1, 3, new double[] {0.4, -0.9, 0.6}, new double[] {1});
        TiltedMomentModel.TiltedMoments moments = model.tiltedMoments(model.constants());
        double[] gradient = new double[size];
        double[] curvature = new double[shape.matrixSize()];
        moments.cavity(mean, covariance);
        moments.derivatives(block, 0, gradient, curvature);
        double step = 1e-4;
        double[] above = new double[size];
        double[] below = new double[size];
        for (int i = 0; i < size; i++) {
            double[] moved = mean.clone();
            moved[i] += step;
            moments.cavity(moved, covariance);
            double up = moments.gradient(block, 0, above);
            moved[i] -= 2 * step;
            moments.cavity(moved, covariance);
            double down = moments.gradient(block, 0, below);
            assertThat(gradient[i]).isCloseTo((up - down) / (2 * step), within(1e-6));
            int first = i - i % shape.blockSize();
            for (int j = 0; j < shape.blockSize(); j++) {
                double second = -(above[first + j] - below[first + j]) / (2 * step);
                assertThat(curvature[i * shape.blockSize() + j]).isCloseTo(second, within(1e-6));
            }
        }
    }

    /** log Z of logistic regression by a fine sum, margins far out and variances large and small. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 1, 20, 50, 400})
    void logisticPartition(double variance) {
        LogisticSites model = new LogisticSites(new LogisticRegression(List.of("x"), 1, 1), 10, 0);
        double[] gradient = new double[1];
        for (double margin : new double[] {-15, -2, 0, 1, 8}) {
            TiltedMomentModel.TiltedMoments moments = model.tiltedMoments(model.constants());
            moments.cavity(new double[] {margin}, new double[] {variance});
            double found = moments.gradient(DenseBlock.of(1, 1, new double[] {1}, new double[] {1}), 0, gradient);
            double zeroth = 0;
            double first = 0;
            double step = 1e-3;
            for (int k = -30_000; k <= 30_000; k++) {
                double z = k * step;
                double p = SpecialFunctions.sigmoid(margin + Math.sqrt(variance) * z);
                zeroth += step * SpecialFunctions.normalDensity(z) * p;
                first += step * SpecialFunctions.normalDensity(z) * p * (1 - p);
            }
            assertThat(found).isCloseTo(Math.log(zeroth), within(1e-10));
            assertThat(gradient[0]).isCloseTo(first / zeroth, within(1e-10));
        }
    }
}
