package dev.tacit.posterior.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Normalised;
import dev.tacit.posterior.PosteriorTest;
import java.util.List;
import org.junit.jupiter.api.Test;

class GaussianFactorTest {
    private static final List<String> NAMES = PosteriorTest.names(4);

    private static void assertClose(double[] actual, double[] expected, double tolerance) {
        assertThat(actual.length).isEqualTo(expected.length);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], within(tolerance));
        }
    }

    @Test
    void comesBackFromNaturalParameters() {
        GaussianPosterior posterior = PosteriorTest.gaussian();
        GaussianPosterior again = GaussianPosterior.ofNaturalParameters(
                        NAMES, posterior.naturalParameters().orElseThrow())
                .orElseThrow("proper");
        assertClose(again.mean(), posterior.mean(), 1e-13);
        assertClose(again.covariance(), posterior.covariance(), 1e-13);
    }

    /** log t₁ + log t₂ and the product differ by a constant, at any point. */
    @Test
    void multipliesDensities() {
        RandomStream random = RandomStream.ofSeed(1);
        GaussianPosterior first = PosteriorTest.gaussian();
        GaussianPosterior second = first.factor().power(0.3).normalise(NAMES).orElseThrow("proper");
        GaussianPosterior product =
                first.factor().times(second.factor()).normalise(NAMES).orElseThrow("proper");
        double[] point = new double[4];
        double constant = Double.NaN;
        for (int i = 0; i < 20; i++) {
            first.sample(random, point);
            double difference = first.logDensity(point) + second.logDensity(point) - product.logDensity(point);
            constant = i == 0 ? difference : constant;
            assertThat(difference).isCloseTo(constant, within(1e-11));
        }
        GaussianFactor back = product.factor().over(second.factor());
        assertClose(back.normalise(NAMES).orElseThrow("proper").covariance(), first.covariance(), 1e-12);
    }

    @Test
    void saysWhenNothingProperIsLeft() {
        GaussianFactor factor = PosteriorTest.gaussian().factor();
        assertThat(factor.over(factor.power(1.5)).normalise(NAMES))
                .isInstanceOfSatisfying(
                        Normalised.Improper.class,
                        improper -> assertThat(improper.smallestEigenvalue()).isNegative());
        assertThat(GaussianFactor.flat(4).normalise(NAMES).isProper()).isFalse();
        assertThatThrownBy(() -> GaussianFactor.flat(4).normalise(NAMES).orElseThrow("the cavity is improper"))
                .hasMessage("the cavity is improper");
        assertThat(GaussianFactor.of(new double[] {Double.NaN}, new double[] {1})
                        .normalise(List.of("a"))
                        .isProper())
                .isFalse();
        assertThat(GaussianFactor.of(new double[] {0}, new double[] {Double.POSITIVE_INFINITY})
                        .normalise(List.of("a"))
                        .isProper())
                .isFalse();
        assertThat(GaussianFactor.of(new double[] {0}, new double[] {1e-320})
                        .normalise(List.of("a"))
                        .isProper())
                .as("the variance overflows")
                .isFalse();
        Normalised<GaussianPosterior> repaired =
                factor.over(factor.power(1.5)).withPrecisionAtLeast(0.1).normalise(NAMES);
        assertThat(repaired.isProper()).isTrue();
    }

    @Test
    void stepsTowardsATarget() {
        GaussianFactor from = PosteriorTest.gaussian().factor();
        GaussianFactor to = from.power(3);
        assertClose(from.towards(to, 0.25).precision(), from.power(1.5).precision(), 1e-12);
        assertThat(from.towards(to, 0).precision()).isEqualTo(from.precision());
        assertClose(
                GaussianFactor.ofNaturalParameters(4, from.naturalParameters()).precision(), from.precision(), 1e-13);
        assertThatThrownBy(() -> from.times(GaussianFactor.flat(3))).hasMessageContaining("dimensions");
        assertThatThrownBy(() -> GaussianFactor.of(new double[2], new double[] {1, 2, 3, 4}))
                .hasMessageContaining("symmetric");
    }

    @Test
    void agreesWithTheFullOneWhenDiagonal() {
        double[] weighted = {1, -2, 0.5};
        double[] precision = {2, 4, 0.25};
        double[] full = {2, 0, 0, 0, 4, 0, 0, 0, 0.25};
        List<String> names = PosteriorTest.names(3);
        DiagonalGaussianPosterior diagonal =
                DiagonalGaussianFactor.of(weighted, precision).normalise(names).orElseThrow("proper");
        GaussianPosterior posterior =
                GaussianFactor.of(weighted, full).normalise(names).orElseThrow("proper");
        assertClose(diagonal.mean(), posterior.mean(), 1e-15);
        assertClose(diagonal.standardDeviation(), posterior.standardDeviation(), 1e-15);
        assertThat(diagonal.quantile(1, 0.9)).isCloseTo(posterior.quantile(1, 0.9), within(1e-14));
        DiagonalGaussianFactor factor = diagonal.factor();
        assertThat(DiagonalGaussianFactor.ofNaturalParameters(factor.naturalParameters())
                        .precision())
                .isEqualTo(precision);
        assertThat(factor.times(factor).over(factor.power(2)).normalise(names)).isEqualTo(new Normalised.Improper<>(0));
        assertThat(factor.over(factor.power(2))
                        .withPrecisionAtLeast(1e-3)
                        .normalise(names)
                        .isProper())
                .isTrue();
        assertThat(factor.towards(factor.power(2), 0.5).precision()).containsExactly(3, 6, 0.375);
        assertThat(DiagonalGaussianFactor.flat(2).dimension()).isEqualTo(2);
        assertThat(DiagonalGaussianFactor.of(new double[] {Double.NaN}, new double[] {1})
                        .normalise(List.of("a"))
                        .isProper())
                .isFalse();
    }

    @Test
    void refusesCovariancesThatAreNone() {
        List<String> two = PosteriorTest.names(2);
        double[] zero = new double[2];
        assertThatThrownBy(() -> new GaussianPosterior(two, zero, new double[] {1, 0.5, 0.4, 1}))
                .hasMessageContaining("symmetric");
        assertThatThrownBy(() -> new GaussianPosterior(two, zero, new double[] {1, 2, 2, 1}))
                .hasMessageContaining("positive definite");
        assertThatThrownBy(() -> new GaussianPosterior(List.of("a", "a"), zero, new double[] {1, 0, 0, 1}))
                .hasMessageContaining("same name");
        assertThatThrownBy(() -> new DiagonalGaussianPosterior(two, zero, new double[] {1, 0}))
                .hasMessageContaining("variance");
    }
}
