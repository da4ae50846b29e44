package dev.tacit.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecialFunctionsTest {
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/numerics/special-functions.json");

    interface OfArray {
        void apply(double[] x, double[] result, int count);
    }

    /** The error that each description states; relative, or relative to max(1, |value|). */
    private record Function(String name, DoubleUnaryOperator scalar, OfArray array, double error, boolean relative) {
        double[] points() {
            return Golden.numbers(Golden.object(GOLDEN, name), "x");
        }

        double[] references() {
            return Golden.numbers(Golden.object(GOLDEN, name), "value");
        }
    }

    static Stream<Function> functions() {
        return Stream.of(
                new Function("sigmoid", SpecialFunctions::sigmoid, SpecialFunctions::sigmoid, 3e-16, true),
                new Function("softplus", SpecialFunctions::softplus, SpecialFunctions::softplus, 3e-16, true),
                new Function(
                        "polyaGammaMean",
                        SpecialFunctions::polyaGammaMean,
                        SpecialFunctions::polyaGammaMean,
                        4e-16,
                        true),
                new Function("log1p", SpecialFunctions::log1p, SpecialFunctions::log1p, 3e-16, true),
                new Function("digamma", SpecialFunctions::digamma, SpecialFunctions::digamma, 1e-15, false),
                new Function("trigamma", SpecialFunctions::trigamma, SpecialFunctions::trigamma, 9e-16, true),
                new Function("logGamma", SpecialFunctions::logGamma, SpecialFunctions::logGamma, 5e-16, false),
                new Function("normalCdf", SpecialFunctions::normalCdf, SpecialFunctions::normalCdf, 5e-16, true),
                new Function("logNormalCdf", SpecialFunctions::logNormalCdf, null, 5e-16, true),
                new Function("normalQuantile", SpecialFunctions::normalQuantile, null, 5e-16, true));
    }

    @ParameterizedTest
    @MethodSource("functions")
    void isAsAccurateAsItsDescriptionSays(Function function) {
        double[] points = function.points();
        double[] values = function.references();
        double worst = 0;
        double where = 0;
        for (int i = 0; i < points.length; i++) {
            double difference = Math.abs(function.scalar.applyAsDouble(points[i]) - values[i]);
            double size = function.relative ? Math.abs(values[i]) : Math.max(1, Math.abs(values[i]));
            double error = difference == 0 ? 0 : difference / size;
            if (!(error <= worst)) {
                worst = error;
                where = points[i];
            }
        }
        assertThat(worst).as("%s at %s", function.name, where).isLessThanOrEqualTo(function.error);
    }

    @ParameterizedTest
    @MethodSource("functions")
    void givesTheSameBitsForArrays(Function function) {
        if (function.array == null) {
            return;
        }
        double[] points = function.points();
        double[] inPlace = points.clone();
        function.array.apply(inPlace, inPlace, points.length - 1);
        for (int i = 0; i < points.length - 1; i++) {
            assertThat(inPlace[i]).isEqualTo(function.scalar.applyAsDouble(points[i]));
        }
        assertThat(inPlace[points.length - 1]).isEqualTo(points[points.length - 1]);
    }

    @ParameterizedTest
    @MethodSource("functions")
    void passesNaNOn(Function function) {
        if (!function.name.equals("normalQuantile")) {
            assertThat(function.scalar.applyAsDouble(Double.NaN)).isNaN();
        }
    }

    @Test
    void isRightAtTheEnds() {
        double infinity = Double.POSITIVE_INFINITY;
        assertThat(SpecialFunctions.sigmoid(infinity)).isEqualTo(1);
        assertThat(SpecialFunctions.sigmoid(-infinity)).isZero();
        assertThat(SpecialFunctions.softplus(infinity)).isEqualTo(infinity);
        assertThat(SpecialFunctions.softplus(-infinity)).isZero();
        assertThat(SpecialFunctions.log1p(-1)).isEqualTo(-infinity);
        assertThat(SpecialFunctions.log1p(infinity)).isEqualTo(infinity);
        assertThat(SpecialFunctions.log1p(-2)).isNaN();
        assertThat(SpecialFunctions.polyaGammaMean(0)).isEqualTo(0.25);
        assertThat(SpecialFunctions.polyaGammaMean(infinity)).isZero();
        assertThat(SpecialFunctions.digamma(infinity)).isEqualTo(infinity);
        assertThat(SpecialFunctions.trigamma(infinity)).isZero();
        assertThat(SpecialFunctions.logGamma(infinity)).isEqualTo(infinity);
        assertThat(SpecialFunctions.logGamma(1e305)).isEqualTo(1e305 * (Math.log(1e305) - 1));
        assertThat(SpecialFunctions.normalCdf(infinity)).isEqualTo(1);
        assertThat(SpecialFunctions.normalCdf(-infinity)).isZero();
        assertThat(SpecialFunctions.normalCdf(-50)).isZero();
        assertThat(SpecialFunctions.normalQuantile(0)).isEqualTo(-infinity);
        assertThat(SpecialFunctions.normalQuantile(1)).isEqualTo(infinity);
        assertThat(SpecialFunctions.logSigmoid(-1e6)).isEqualTo(-1e6);
    }

    @Test
    void exponentiatesDigamma() {
        double[] points = Golden.numbers(Golden.object(GOLDEN, "digamma"), "x");
        double[] values = Golden.numbers(Golden.object(GOLDEN, "digamma"), "value");
        int compared = 0;
        for (int i = 0; i < points.length; i++) {
            if (points[i] > 0.0015) {
                double expected = StrictMath.exp(values[i]);
                assertThat(SpecialFunctions.expDigamma(points[i]))
                        .as("at %s", points[i])
                        .isCloseTo(expected, within(2e-12 * expected));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(50);
        RandomStream random = RandomStream.ofSeed(1);
        for (int i = 0; i < 10_000; i++) {
            double x = Math.exp(3 * random.normal());
            double expected = Math.exp(SpecialFunctions.digamma(x));
            assertThat(SpecialFunctions.expDigamma(x)).isCloseTo(expected, within(2e-12 * expected + 1e-300));
        }
        assertThat(SpecialFunctions.expDigamma(Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(SpecialFunctions.expDigamma(1e-300)).isBetween(0.0, 1e-300);
        assertThat(SpecialFunctions.expDigamma(0)).isNaN();
        assertThat(SpecialFunctions.expDigamma(Double.NaN)).isNaN();
    }

    /** One more set of Pólya-Gamma means, computed by an infinite series instead of the closed form. */
    @Test
    void hasTheKnownPolyaGammaMeans() {
        double[] c = {0, 1e-8, 1e-4, 0.01, 0.5, 1, 2.5, 10, 50, 700};
        double[] means = {
            0.25,
            0.25,
            0.24999999979166668,
            0.2499979166874998,
            0.24491866240370913,
            0.23105857863000487,
            0.16965672799150258,
            0.049995460213129755,
            0.01,
            0.0007142857142857143
        };
        for (int i = 0; i < c.length; i++) {
            assertThat(SpecialFunctions.polyaGammaMean(c[i])).isCloseTo(means[i], within(4e-16 * means[i]));
            assertThat(SpecialFunctions.polyaGammaMean(-c[i])).isEqualTo(SpecialFunctions.polyaGammaMean(c[i]));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void obeysTheIdentities(long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        for (int i = 0; i < 2000; i++) {
            double x = 20 * random.normal();
            double y = random.uniform();
            assertThat(SpecialFunctions.sigmoid(x) + SpecialFunctions.sigmoid(-x))
                    .isCloseTo(1, within(3e-16));
            assertThat(SpecialFunctions.softplus(x) - SpecialFunctions.softplus(-x))
                    .isCloseTo(x, within(4e-16 * Math.max(1, Math.abs(x))));
            assertThat(SpecialFunctions.logisticLogLikelihood(x, 1)).isEqualTo(SpecialFunctions.logSigmoid(x));
            assertThat(SpecialFunctions.logisticLogLikelihood(new double[] {x, -x}, new double[] {y, 1 - y}, 2))
                    .isCloseTo(2 * SpecialFunctions.logisticLogLikelihood(x, y), within(1e-15 * (1 + Math.abs(2 * x))));
            double p = SpecialFunctions.sigmoid(x / 10);
            assertThat(SpecialFunctions.logit(p)).isCloseTo(x / 10, within(1e-15 / Math.min(p, 1 - p)));
            double shape = Math.exp(4 * random.normal());
            assertThat(SpecialFunctions.digamma(shape + 1) - SpecialFunctions.digamma(shape))
                    .isCloseTo(1 / shape, within(4e-15 * Math.max(4, 1 / shape)));
            double step = 1e-4 * shape;
            double slope =
                    (SpecialFunctions.logGamma(shape + step) - SpecialFunctions.logGamma(shape - step)) / (2 * step);
            assertThat(slope)
                    .isCloseTo(
                            SpecialFunctions.digamma(shape),
                            within(1e-6 * (1 + Math.abs(SpecialFunctions.digamma(shape)))));
        }
    }

    @Test
    void addsExponentialsWithoutOverflow() {
        assertThat(SpecialFunctions.logSumExp(new double[] {1000, 1000}, 2)).isEqualTo(1000 + Math.log(2));
        assertThat(SpecialFunctions.logSumExp(new double[] {-1000, -2000, 5}, 2))
                .isEqualTo(-1000);
        assertThat(SpecialFunctions.logSumExp(new double[] {}, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(SpecialFunctions.logSumExp(new double[] {Double.NEGATIVE_INFINITY, 0}, 2))
                .isZero();
        assertThat(SpecialFunctions.logSumExp(new double[] {Double.NaN, 0}, 2)).isNaN();
        double[] shares = {700, 701, -1e9};
        SpecialFunctions.softmax(shares, shares, 3);
        assertThat(shares[1] / shares[0]).isCloseTo(Math.E, within(1e-15));
        assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-15));
    }
}
