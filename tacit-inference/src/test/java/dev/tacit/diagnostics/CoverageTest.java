package dev.tacit.diagnostics;

import static dev.tacit.numerics.Golden.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.diagnostics.TarpCoverage.References;
import dev.tacit.numerics.Golden;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.ScalarGaussianMixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CoverageTest {
    private static final long SEED = 11;
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/diagnostics/coverage.json");

    // ---- TARP ------------------------------------------------------------------------------------------------------

    @Test
    void countsAsThePaperAndTheLibraryDo() {
        Map<?, ?> paper = Golden.object(GOLDEN, "tarp_na_tiny");
        double[] truths = numbers(Golden.object(paper, "inputs"), "theta");
        double[] points = numbers(Golden.object(paper, "inputs"), "ref");
        List<SimulatedFit> fits = new ArrayList<>();
        double[][] references = new double[4][];
        for (int i = 0; i < 4; i++) {
            double[] draws = new double[14];
            for (int j = 0; j < 7; j++) {
                for (int k = 0; k < 2; k++) {
                    draws[2 * j + k] = Math.sin(1 + 3 * i + 2 * j + k);
                }
            }
            fits.add(SimulatedFit.of(new double[] {truths[2 * i], truths[2 * i + 1]}, draws));
            references[i] = new double[] {points[2 * i], points[2 * i + 1]};
        }
        TarpCoverage coverage = TarpCoverage.of(fits, references);
        Map<?, ?> expected = Golden.object(paper, "expected");
        assertThat(TarpCoverage.levels())
                .containsExactly(numbers(Golden.object(paper, "inputs"), "alphas"), within(1e-15));
        assertThat(coverage.fractions()).containsExactly(numbers(expected, "f"), within(1e-15));
        assertThat(coverage.coverage()).containsExactly(numbers(expected, "coverage"), within(1e-15));
        assertThat(coverage.rootMeanSquaredError()).isCloseTo(Golden.number(expected, "rmse"), within(1e-14));
        Map<?, ?> library = Golden.object(Golden.object(GOLDEN, "tarp_lib_tiny"), "expected");
        assertThat(coverage.expectedCoverage(4)).containsExactly(numbers(library, "ecp"), within(1e-15));
    }

    /**
     * Means and percentiles of the error of correct posteriors, measured elsewhere with 500 fits: 0.0165, 0.0297,
     * 0.0379.
     */
    @Test
    void knowsWhatTheErrorOfCorrectPosteriorsIs() {
        TarpCoverage.NullDistribution calibrated =
                TarpCoverage.nullDistribution(500, 20_000, 4000, RandomStream.ofSeed(SEED));
        assertThat(calibrated.mean()).isCloseTo(0.0165, within(0.0006));
        assertThat(calibrated.standardDeviation()).isCloseTo(0.0068, within(0.0006));
        assertThat(calibrated.percentile95()).isCloseTo(0.0297, within(0.002));
        assertThat(calibrated.percentile99()).isCloseTo(0.0379, within(0.004));
        assertThat(new TarpCoverage(new double[] {1, 1}).rootMeanSquaredError()).isCloseTo(0.58444, within(1e-5));
        assertThat(new TarpCoverage(new double[] {0.5}).summary(calibrated)).contains("1 fits", "99 % below");
    }

    enum Posteriors {
        RIGHT(1, 0),
        NARROW(0.5, 0),
        WIDE(2, 0),
        SHIFTED(1, 1.5);

        final double width;
        final double shift;

        Posteriors(double width, double shift) {
            this.width = width;
            this.shift = shift;
        }
    }

    /**
     * x | θ ~ N(θ, I), θ ~ N(0, I) in two dimensions of very different units: the posterior is N(x/2, I/2). For right
     * posteriors 500 RMSE² is about the statistic of Cramér and von Mises, which exceeds 3.2 with probability 1e-7.
     */
    @ParameterizedTest
    @EnumSource(Posteriors.class)
    void tellsRightPosteriorsFromWrongOnes(Posteriors kind) {
        List<SimulatedFit> fits = fits(kind, 500, 199);
        RandomStream random = RandomStream.ofSeed(SEED).fork("references");
        List<List<SimulatedFit>> views = List.of(
                fits, SimulatedFit.whitened(fits), SimulatedFit.marginal(fits, 0), SimulatedFit.marginal(fits, 1));
        for (List<SimulatedFit> view : views) {
            double error =
                    TarpCoverage.of(view, References.AROUND_CENTRE, random).rootMeanSquaredError();
            assertThat(error < 0.08).as("%s: %s, seed %s", kind, error, SEED).isEqualTo(kind == Posteriors.RIGHT);
        }
        double error = TarpCoverage.of(SimulatedFit.normalised(fits), References.UNIT_CUBE, random)
                .rootMeanSquaredError();
        assertThat(error < 0.08).as("%s, unit cube: %s", kind, error).isEqualTo(kind == Posteriors.RIGHT);

        double[] transforms = new double[fits.size()];
        int[] ranks = new int[fits.size()];
        double width = 0;
        double crps = 0;
        for (int i = 0; i < ranks.length; i++) {
            SimulatedFit one = SimulatedFit.marginal(fits, 0).get(i);
            ranks[i] = UniformHistogram.rank(one.truth()[0], one.draws());
            transforms[i] = SampleScores.transform(one.draws(), one.truth()[0]);
            width += SampleScores.intervalWidth(one.draws(), 0.9) / ranks.length;
            crps += SampleScores.fairCrps(one.draws(), one.truth()[0]) / ranks.length;
        }
        boolean right = kind == Posteriors.RIGHT;
        assertThat(UniformHistogram.ofRanks(ranks, 199, 20).pValue() > 1e-7)
                .as("%s", kind)
                .isEqualTo(right);
        assertThat(UniformHistogram.ofTransforms(transforms, 20).pValue() > 1e-7)
                .as("%s", kind)
                .isEqualTo(right);
        IntervalCoverage ninety = IntervalCoverage.ofTransforms(0.9, transforms);
        if (kind == Posteriors.NARROW) {
            assertThat(ninety.high()).isLessThan(0.9);
        } else if (kind == Posteriors.WIDE) {
            assertThat(ninety.low()).isGreaterThan(0.9);
        } else if (right) {
            assertThat(ninety.share()).isBetween(0.83, 0.97);
        }
        assertThat(width).isCloseTo(kind.width * Math.sqrt(0.5) * 2 * 1.6449, within(0.15 * width));
        // the score of the right posterior, 0.564 √½, is the best there is
        assertThat(crps).isBetween(right ? 0.32 : 0.41, right ? 0.48 : 1);
    }

    private static List<SimulatedFit> fits(Posteriors kind, int count, int draws) {
        RandomStream random = RandomStream.ofSeed(SEED).fork("fits");
        double[] unit = {1, 100};
        List<SimulatedFit> fits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double[] truth = new double[2];
            double[] all = new double[2 * draws];
            for (int k = 0; k < 2; k++) {
                double theta = random.normal();
                double x = theta + random.normal();
                truth[k] = unit[k] * theta;
                for (int j = 0; j < draws; j++) {
                    all[2 * j + k] = unit[k] * (0.5 * x + Math.sqrt(0.5) * (kind.shift + kind.width * random.normal()));
                }
            }
            fits.add(SimulatedFit.of(truth, all));
        }
        return fits;
    }

    // ---- the rest --------------------------------------------------------------------------------------------------

    @Test
    void drawsTheCurveOfTheGoldenTable() {
        Map<?, ?> row = Golden.object(GOLDEN, "calibration_equal_mass");
        Map<?, ?> inputs = Golden.object(row, "inputs");
        Map<?, ?> expected = Golden.object(row, "expected");
        CalibrationCurve curve = CalibrationCurve.of(numbers(inputs, "p"), numbers(inputs, "y"), 3);
        assertThat(curve.positiveShares()).containsExactly(numbers(expected, "frac_pos"), within(1e-15));
        assertThat(curve.meanPredictions()).containsExactly(numbers(expected, "mean_pred"), within(1e-15));
        double[] at = numbers(expected, "interp_at_first_mid_last");
        assertThat(curve.predictionAt(0.01)).isCloseTo(at[0], within(1e-13));
        assertThat(curve.predictionAt(0.01 + 0.98 * 50 / 99)).isCloseTo(at[1], within(1e-13));
        assertThat(curve.predictionAt(0.99)).isCloseTo(at[2], within(1e-13));
        assertThat(curve.rootMeanSquaredError()).isCloseTo(Golden.number(expected, "rmse"), within(1e-13));
    }

    @Test
    void countsSampleScoresByDefinition() {
        double[] draws = {3, -1, 0.5, 0.5, 7};
        double y = 0.7;
        double distance = 0;
        double spread = 0;
        for (double a : draws) {
            distance += Math.abs(a - y) / 5;
            for (double b : draws) {
                spread += Math.abs(a - b);
            }
        }
        assertThat(SampleScores.crps(draws, y)).isCloseTo(distance - 0.5 * spread / 25, within(1e-14));
        assertThat(SampleScores.fairCrps(draws, y)).isCloseTo(distance - 0.5 * spread / 20, within(1e-14));
        assertThat(SampleScores.transform(draws, 0.5)).isCloseTo(2.5 / 6, within(1e-15));
        assertThat(UniformHistogram.rank(0.5, draws)).isEqualTo(2);
        assertThat(SampleScores.intervalWidth(draws, 0.5)).isCloseTo(2.5, within(1e-14));
    }

    @Test
    void agreesWithTheScoreOfOneGaussianAndOfDraws() {
        ScalarGaussianMixture one = new ScalarGaussianMixture(new double[] {2}, new double[] {1}, new double[] {4});
        assertThat(one.crps(2.5)).isCloseTo(RegressionScores.gaussianCrps(1.5, 2), within(1e-14));
        ScalarGaussianMixture two =
                new ScalarGaussianMixture(new double[] {1, 3}, new double[] {-2, 1}, new double[] {0.25, 2});
        RandomStream random = RandomStream.ofSeed(SEED);
        double[] draws = new double[200_000];
        for (int i = 0; i < draws.length; i++) {
            draws[i] = two.sample(random);
        }
        // the error of the mean of |x − y| is below 2/√200000 = 0.0045 in one deviation
        assertThat(two.crps(0.3)).isCloseTo(SampleScores.fairCrps(draws, 0.3), within(0.03));
        assertThat(two.mean()).isCloseTo(0.25, within(1e-15));
        assertThat(two.variance()).isCloseTo(0.0625 + 1.5 + 0.25 * 2.25 * 2.25 + 0.75 * 0.75 * 0.75, within(1e-14));
        for (double p : new double[] {1e-9, 0.05, 0.5, 0.9, 1 - 1e-9}) {
            double q = two.quantile(p);
            double cdf = 0.25 * SpecialFunctions.normalCdf((q + 2) / 0.5)
                    + 0.75 * SpecialFunctions.normalCdf((q - 1) / Math.sqrt(2));
            assertThat(cdf).isCloseTo(p, within(1e-6 * Math.min(p, 1 - p) + 1e-16));
        }
        double step = 1e-5;
        assertThat(Math.exp(two.logDensity(0.4)))
                .isCloseTo((two.cdf(0.4 + step) - two.cdf(0.4 - step)) / (2 * step), within(1e-9));
    }

    /** Clopper and Pearson's interval for 90 of 100, from R's binom.test(90, 100, conf.level = 0.99). */
    @Test
    void putsBandsAroundCoverage() {
        IntervalCoverage coverage = IntervalCoverage.of(0.9, 100, 90);
        assertThat(coverage.low()).isCloseTo(0.7980464792, within(1e-9));
        assertThat(coverage.high()).isCloseTo(0.9618043468, within(1e-9));
        assertThat(coverage.isCompatible()).isTrue();
        assertThat(IntervalCoverage.of(0.5, 10, 0).low()).isZero();
        assertThat(IntervalCoverage.of(0.5, 10, 10).high()).isEqualTo(1);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> UniformHistogram.ofRanks(new int[1], 100, 20)).hasMessageContaining("divide");
        assertThatThrownBy(() -> UniformHistogram.ofTransforms(new double[] {1.5}, 4))
                .hasMessageContaining("between");
        assertThatThrownBy(() -> UniformHistogram.ofTransforms(new double[] {0.5}, 1))
                .hasMessageContaining("two");
        assertThatThrownBy(() -> SimulatedFit.of(new double[1], new double[1])).hasMessageContaining("two draws");
        assertThatThrownBy(() -> IntervalCoverage.of(1, 1, 1)).hasMessageContaining("level");
        assertThatThrownBy(() -> SampleScores.fairCrps(new double[1], 0)).hasMessageContaining("two");
        assertThatThrownBy(() -> CalibrationCurve.of(new double[] {0.5}, new double[] {1}, 2))
                .hasMessageContaining("bins");
    }
}
