package dev.tacit.glm.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.solve.CurvatureShrinkage;
import dev.tacit.glm.solve.RelativeSpectrum;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Golden values: the reference implementation's, by SciPy. */
class GlmFamilyTest {
    @Test
    void cutPoissonResiduals() {
        double[] lambda = {0.5, 4, 15};
        double[][] golden = {
            {0, 4, 0.49981265, 0.49912419, 3.50018735, 0.17436704},
            {0, 11, 3.99870846, 3.98864094, 7.00129154, 1.3851135},
            {3, 28, 14.99840799, 14.97367361, 13.00159201, 5.14738651}
        };
        QuasiPoisson family = new QuasiPoisson();
        double[] one = {1};
        double[] reference = new double[family.referenceSize()];
        for (int i = 0; i < lambda.length; i++) {
            family.reference(Math.log(lambda[i]), one, reference, 0);
            assertThat(QuasiPoisson.cutMean(lambda[i], golden[i][0], golden[i][1]))
                    .isCloseTo(golden[i][2], within(1e-8));
            assertThat(family.psi(-1e9, reference, 0)).isCloseTo(golden[i][0] - golden[i][2], within(1e-8));
            assertThat(family.psi(1e9, reference, 0)).isCloseTo(golden[i][1] - golden[i][2], within(1e-8));
            assertThat(reference[GlmFamily.SLOPE]).isCloseTo(golden[i][3], within(1e-8));
            assertThat(reference[GlmFamily.BOUND]).isCloseTo(golden[i][4], within(1e-8));
            assertThat(family.field(Math.log(lambda[i]) + 0.3, one, reference, 0))
                    .isCloseTo(golden[i][5], within(1e-8));
        }
    }

    /** Of rare events, too: the expectation over Poisson counts, and over counts with more variance by drawing them. */
    @Test
    void squaredResidualsOfRareCounts() {
        QuasiPoisson family = new QuasiPoisson();
        double[] reference = new double[family.referenceSize()];
        double[] chi = new double[1];
        double[] expected = new double[1];
        for (double lambda : new double[] {0.05, 0.5, 4}) {
            family.reference(Math.log(lambda), new double[] {1}, reference, 0);
            double sum = 0;
            double probability = Math.exp(-lambda);
            for (int k = 0; k < 60; k++) {
                family.chi(k, reference, 0, chi);
                sum += probability * chi[0];
                probability *= lambda / (k + 1);
            }
            family.chiField(Math.log(lambda), new double[] {1}, reference, 0, expected);
            assertThat(expected[0]).isCloseTo(sum, within(1e-9));
            RandomStream random = RandomStream.ofSeed(6);
            double[] two = {2};
            double drawn = 0;
            for (int i = 0; i < 100_000; i++) {
                family.chi(family.simulate(Math.log(lambda), two, random), reference, 0, chi);
                drawn += chi[0] / 100_000;
            }
            family.chiField(Math.log(lambda), two, reference, 0, expected);
            // deviations of a mean of 100,000 numbers in [−1, 1]: at most 0.0032; six of them
            assertThat(expected[0]).isCloseTo(drawn, within(0.019));
        }
    }

    @Test
    void manyAndFewTermsAgree() {
        for (double lambda : new double[] {20, 60, 90, 99}) {
            double low = Math.floor(lambda - 20);
            assertThat(QuasiPoisson.cutMean(lambda, low, 150))
                    .isCloseTo(QuasiPoisson.cutMean(lambda, low, 151), within(1e-4));
            assertThat(QuasiPoisson.cutSlope(lambda, low, 150))
                    .isCloseTo(QuasiPoisson.cutSlope(lambda, low, 151), within(1e-3));
        }
    }

    /** Also where both cuts are far away and it is rounding: a solver takes its root. */
    @Test
    void theSlopeOfCutCountsIsNeverNegative() {
        for (double eta = -7; eta <= 7; eta += 0.01) {
            for (double at = 100; at <= 1100; at += 125) {
                double reach = 3 * Math.sqrt(2 * at);
                double slope = QuasiPoisson.cutSlope(Math.exp(eta), Math.floor(at - reach), Math.ceil(at + reach + 51));
                assertThat(slope).isNotNegative();
            }
        }
    }

    /** Without a cut within reach, the moments of the distribution itself. */
    @Test
    void negativeBinomialMoments() {
        for (double mean : new double[] {0.3, 20, 900}) {
            for (double s : new double[] {1.5, 40}) {
                assertThat(NegativeBinomial.cutMean(mean, s, 0, 15_999)).isCloseTo(mean, within(1e-6 * mean));
                assertThat(NegativeBinomial.cutSlope(mean, s, 0, 15_999)).isCloseTo(mean, within(1e-6 * mean));
                double square = mean + mean * mean * (1 + 1 / s);
                assertThat(NegativeBinomial.cutSquare(mean, s, 0, 15_999, 0)).isCloseTo(square, within(1e-5 * square));
            }
        }
    }

    /** Sums over many terms, by closed forms, are what adding them up gives; cuts on both sides, small and large dispersions. */
    @Test
    void sumsOfManyTermsOfTheNegativeBinomialAreExact() {
        for (double mean : new double[] {0.5, 60, 700, 1096}) {
            for (double s : new double[] {0.05, 1.5, 40, 200}) {
                double deviation = Math.sqrt(mean + mean * mean / s);
                double low = Math.max(0, Math.floor(mean - 2 * deviation));
                double high = Math.max(151, Math.ceil(mean + 3 * deviation + 1));
                double centre = 0.9 * mean;
                double logarithm = s * Math.log(s / (s + mean));
                double cut = 0;
                double square = 0;
                double slope = 0;
                double below = 0;
                for (int k = 0; k <= high; k++) {
                    double term = Math.exp(logarithm);
                    double value = Math.max(low, k);
                    if (k < high) {
                        below += term;
                        cut += value * term;
                        square += (value - centre) * (value - centre) * term;
                    }
                    slope += k > low ? k * term : 0;
                    logarithm += Math.log(mean / (s + mean) * (k + s) / (k + 1));
                }
                cut += high * (1 - below);
                square += (high - centre) * (high - centre) * (1 - below);
                assertThat(NegativeBinomial.cutMean(mean, s, low, high)).isCloseTo(cut, within(1e-8 * (1 + cut)));
                assertThat(NegativeBinomial.cutSlope(mean, s, low, high)).isCloseTo(slope, within(1e-8 * (1 + slope)));
                assertThat(NegativeBinomial.cutSquare(mean, s, low, high, centre))
                        .isCloseTo(square, within(1e-8 * (1 + square)));
            }
        }
    }

    /** As one link of several the logit gives the same bits as y − p, p (1 − p) and max(p, 1 − p) do. */
    @Test
    void theLogitIsALinkBitForBit() {
        GlmFamily family = GlmFamilies.named("bernoulli");
        double[] none = {};
        double[] reference = new double[family.referenceSize()];
        for (double eta = -40; eta <= 40; eta += 0.37) {
            double p = SpecialFunctions.sigmoid(eta);
            double q = SpecialFunctions.sigmoid(-eta);
            family.reference(eta, none, reference, 0);
            assertThat(reference[GlmFamily.BOUND]).isEqualTo(Math.max(p, q));
            assertThat(reference[GlmFamily.SLOPE]).isEqualTo(p * q);
            assertThat(reference[GlmFamily.VARIANCE]).isEqualTo(p * q);
            assertThat(family.psi(1, reference, 0)).isEqualTo(1 - p);
            assertThat(family.psi(0, reference, 0)).isEqualTo(0 - p);
            double there = SpecialFunctions.sigmoid(eta + 0.3);
            double slope = there * SpecialFunctions.sigmoid(-(eta + 0.3));
            assertThat(family.field(eta + 0.3, none, reference, 0)).isEqualTo(there - p);
            assertThat(family.slope(eta + 0.3, none, reference, 0)).isEqualTo(slope);
            assertThat(family.variance(eta + 0.3, none, reference, 0)).isEqualTo(slope);
            assertThat(family.startMean(eta, 0, 1)).isEqualTo(p - 0.5);
            assertThat(family.startSlope(eta, 0, 1)).isEqualTo(p * q);
        }
        assertThat(family.boundedByOne()).isTrue();
    }

    @Test
    void cutNormalResiduals() {
        GaussianResponse family = new GaussianResponse();
        double[] reference = new double[family.referenceSize()];
        family.reference(0, new double[] {1}, reference, 0);
        assertThat(family.field(0.5, new double[] {1}, reference, 0)).isCloseTo(0.49189145, within(1e-8));
        assertThat(family.field(1, new double[] {1.2}, reference, 0)).isCloseTo(0.93990943, within(1e-8));
        double[] chi = new double[1];
        family.chiField(0, new double[] {1}, reference, 0, chi);
        assertThat(chi[0] + 3.125).isCloseTo(0.97755998, within(1e-8));
        family.chiField(0.5, new double[] {1}, reference, 0, chi);
        assertThat(chi[0] + 3.125).isCloseTo(1.19966355, within(1e-8));
    }

    /** Point, then elsewhere: field, variance and E χ by adaptive quadrature of SciPy's densities. */
    @Test
    void cutGammaAndBetaResponses() {
        double[][] gamma = {
            {0, 2, 0, 2, 0, 0.4568637019983247, -0.3806547888436832},
            {0, 2, 0.3, 2.6, 0.33263779528134163, 0.5792302889981376, -0.38761383011014516},
            {0, 0.5, 0, 0.5, 0, 1.5218917939459136, -0.36012120092883854},
            {0, 0.5, -0.5, 0.4, -0.3621454830958626, 0.8234773364303234, -0.31023416520013153},
            {0, 30, 0, 30, 0, 0.032876612539672556, -0.38884456065688533},
            {0, 30, 0.1, 20, 0.09917679690984471, 0.053607133771009785, -0.3066280854201294}
        };
        double[][] beta = {
            {0.3, 8, 0.3, 8, 0, 2.212517849377746, -0.3825605565461848},
            {0.3, 8, 0.7, 10, 0.8573490293256332, 1.9238168228169075, -0.35990478098910794},
            {-2, 2, -2, 2, 0, 0.8116337312311925, -0.3413998709883027},
            {-2, 2, -1.5, 2.5, 0.4235269274537299, 0.2820749399921662, -0.4100090039572689},
            {1, 100, 1, 100, 0, 19.858296497580795, -0.38870929163467505},
            {1, 100, 1.05, 80, 1.0502216577724823, 25.17129695772536, -0.3536157578268252}
        };
        requireGolden(new GammaLog(), gamma);
        requireGolden(new BetaLogit(), beta);
    }

    /** Quadrature is right to 1/500 of a standard deviation, far below what any table can tell. */
    private static void requireGolden(GlmFamily family, double[][] golden) {
        double[] reference = new double[family.referenceSize()];
        double[] chi = new double[1];
        for (double[] one : golden) {
            double[] extra = {one[3]};
            family.reference(one[0], new double[] {one[1]}, reference, 0);
            double deviation = Math.sqrt(one[5]);
            assertThat(family.field(one[2], extra, reference, 0)).isCloseTo(one[4], within(2e-3 * deviation));
            assertThat(family.variance(one[2], extra, reference, 0)).isCloseTo(one[5], within(5e-3 * one[5]));
            family.chiField(one[2], extra, reference, 0, chi);
            assertThat(chi[0]).isCloseTo(one[6], within(1e-3));
        }
    }

    /** ν and σ = 1 at the point, then ν, σ and η elsewhere; field, variance and both E χ by SciPy. */
    @Test
    void studentResponses() {
        double[][] golden = {
            {4, 4, 1, 0, 0, 0.7142857142857144, -0.24648616091796438, -0.17445605962703092},
            {4, 3, 1.2, 0.5, 0.2967549910433218, 0.7504799697207185, -0.15103779779829046, -0.17563578410186836},
            {2.1, 2.1, 1, 0, 0, 0.6078431372549021, -0.15090389893999245, -0.13073923767504964},
            {2.1, 2.5, 0.9, -0.8, -0.4911967022545162, 0.46406652265047965, -0.1115320938705372, -0.1939227469997929},
            {30, 30, 1, 0, 0, 0.9393939393939371, -0.34120733088148175, -0.11992991597701674},
            {30, 20, 1.1, 0.3, 0.2754060039714643, 1.1086002558834336, -0.29848770111239986, -0.12947910241943617}
        };
        GlmFamily family = new StudentResponse();
        double[] reference = new double[family.referenceSize()];
        double[] chi = new double[2];
        for (double[] one : golden) {
            double[] extra = {one[2], one[1]};
            family.reference(0, new double[] {1, one[0]}, reference, 0);
            assertThat(family.field(one[3], extra, reference, 0)).isCloseTo(one[4], within(1e-3));
            assertThat(family.variance(one[3], extra, reference, 0)).isCloseTo(one[5], within(2e-3));
            family.chiField(one[3], extra, reference, 0, chi);
            assertThat(chi[0]).isCloseTo(one[6], within(1e-3));
            assertThat(chi[1]).isCloseTo(one[7], within(2e-3));
        }
    }

    @Test
    void boundsOutsideOfTheSupportAreRefused() {
        assertThatThrownBy(() -> new GammaLog().within(-1, 5)).hasMessageContaining("bounds of the target from 0 on");
        assertThatThrownBy(() -> new BetaLogit().within(0, 0.9)).hasMessageContaining("strictly between 0 and 1");
        assertThatThrownBy(() -> new BetaLogit().within(0.1, 1)).hasMessageContaining("strictly between 0 and 1");
    }

    /** Targets beyond a declared bound count as the bound, and the expectation knows it. Six standard errors of 20 000 draws. */
    @Test
    void declaredBoundsBiasNothing() {
        double[] extra = {2};
        RandomStream random = RandomStream.ofSeed(3);
        for (GlmFamily family : new GlmFamily[] {new GammaLog().within(0.4, 1.8), new BetaLogit().within(0.25, 0.7)}) {
            double[] reference = new double[family.referenceSize()];
            family.reference(0.2, extra, reference, 0);
            double low = family.name().equals("beta") ? 0.25 : 0.4;
            double high = family.name().equals("beta") ? 0.7 : 1.8;
            double sum = 0;
            for (int i = 0; i < 20_000; i++) {
                double y = Math.max(low, Math.min(high, family.simulate(0.2, extra, random)));
                sum += family.psi(y, reference, 0);
            }
            double error = 6 * Math.sqrt(reference[GlmFamily.VARIANCE] / 20_000);
            assertThat(sum / 20_000).isCloseTo(0, within(error));
        }
    }

    /** Every family that a name alone stands for, and some of those whose name says more. */
    static Stream<String> families() {
        return Stream.concat(
                GlmFamilies.names().stream().filter(name -> !name.contains(":")),
                Stream.of("ordinal:3", "ordinal:5", "piecewise-exponential:1", "piecewise-exponential:0.5:1:2.5:4"));
    }

    /**
     * At its own point a residual has mean zero and the variance that is said; elsewhere the mean that is said, whose
     * derivative is the slope. Means of 20 000 draws are off by more than six standard errors with probability below 1e-8, and
     * variances by a quarter (at least 700 draws on either side).
     */
    @ParameterizedTest
    @MethodSource("families")
    void residualsAreAsTheirFamilySays(String name) {
        GlmFamily family = GlmFamilies.named(name);
        int q = family.extraNames().size();
        double[] extra = new double[q];
        java.util.Arrays.fill(extra, name.equals("poisson") ? 1 : 0.8);
        if (name.equals("student")) {
            extra[1] = 4;
        }
        double[] reference = new double[family.referenceSize()];
        RandomStream random = RandomStream.ofSeed(8);
        for (double eta : new double[] {-1, 0.3, 0.8}) {
            family.reference(eta, extra, reference, 0);
            assertThat(family.field(eta, extra, reference, 0)).isCloseTo(0, within(1e-9));
            assertThat(family.slope(eta, extra, reference, 0))
                    .isCloseTo(reference[GlmFamily.SLOPE], within(1e-9))
                    .isPositive();
            for (double there : new double[] {eta, eta + 0.4}) {
                double step = 1e-5;
                double numeric = (family.field(there + step, extra, reference, 0)
                                - family.field(there - step, extra, reference, 0))
                        / (2 * step);
                assertThat(family.slope(there, extra, reference, 0)).isCloseTo(numeric, within(1e-5));
                requireMoments(family, there, extra, reference, random);
            }
        }
    }

    private static void requireMoments(
            GlmFamily family, double eta, double[] extra, double[] reference, RandomStream random) {
        int draws = 20_000;
        int q = extra.length;
        double sum = 0;
        double squares = 0;
        double[] chi = new double[q];
        double[] chiSum = new double[q];
        for (int i = 0; i < draws; i++) {
            double y = family.simulate(eta, extra, random);
            double psi = family.psi(y, reference, 0);
            assertThat(Math.abs(psi)).isLessThanOrEqualTo(reference[GlmFamily.BOUND] * (1 + 1e-12));
            sum += psi;
            squares += psi * psi;
            family.chi(y, reference, 0, chi);
            double norm = 0;
            for (int k = 0; k < q; k++) {
                chiSum[k] += chi[k];
                norm += chi[k] * chi[k];
            }
            assertThat(Math.sqrt(norm)).isLessThanOrEqualTo(family.chiBound() * (1 + 1e-12));
        }
        double mean = sum / draws;
        double variance = squares / draws - mean * mean;
        double error = 6 * Math.sqrt(variance / draws);
        assertThat(mean).isCloseTo(family.field(eta, extra, reference, 0), within(error));
        if (!(family instanceof GaussianResponse)) {
            assertThat(family.variance(eta, extra, reference, 0)).isCloseTo(variance, within(0.25 * variance));
        }
        double[] expected = new double[q];
        family.chiField(eta, extra, reference, 0, expected);
        if (!(family instanceof QuasiPoisson)) {
            for (int k = 0; k < q; k++) {
                assertThat(chiSum[k] / draws).isCloseTo(expected[k], within(6 * family.chiBound() / Math.sqrt(draws)));
            }
        }
    }

    @Test
    void shrinkageOfACurvature() {
        CurvatureShrinkage shrunk = CurvatureShrinkage.of(
                2, new double[] {30, -10, -10, 5}, new double[] {100, 50}, 8, new double[] {0, 0.04}, null);
        double[] deviation = {26.049047, -7.672553, -7.672553, 3.81257};
        double[] variance = {55.5713, 24.552168, 24.552168, 48.800902};
        assertThat(shrunk.tau()).isCloseTo(0.145251, within(1e-6));
        for (int i = 0; i < 4; i++) {
            assertThat(shrunk.deviation()[i]).isCloseTo(deviation[i], within(1e-5));
            assertThat(shrunk.variance()[i]).isCloseTo(variance[i], within(1e-5));
        }
    }

    @Test
    void relativeFloorOfACurvature() {
        double[] h = {4, 0.5, 0, 0.5, -1, 0.2, 0, 0.2, 2};
        double[] base = {4, 0, 0, 0, 1, 0, 0, 0, 1};
        double[] golden = {
            4.06716186, 0.22547947, 0.01803847, 0.22547947, 0.12208797, 0.12626873, 0.01803847, 0.12626873, 2.00484481
        };
        double[] floored = RelativeSpectrum.of(3, h, base).floored(0.1);
        for (int i = 0; i < 9; i++) {
            assertThat(floored[i]).isCloseTo(golden[i], within(1e-8));
        }
    }

    @Test
    void aCongruenceMapsOneMatrixToTheOther() {
        double[] h0 = {4, 1, 1, 3};
        double[] h1 = {2, -0.5, -0.5, 1};
        double[] map = RelativeSpectrum.congruence(2, h0, h1);
        double[] mapped = Matrices.congruent(2, map, h0);
        for (int i = 0; i < 4; i++) {
            assertThat(mapped[i]).isCloseTo(h1[i], within(1e-12));
        }
    }
}
