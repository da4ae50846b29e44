package dev.tacit.accounting.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NearZeroTest {
    /** The error promised, and one more unit for the reference. */
    private static final double TOLERANCE = 9 * 0x1p-53;

    @Test
    void agreesWithTheLibraryAtEveryScale() {
        Random random = new Random(5);
        for (int i = 0; i < 200_000; i++) {
            double size = Math.pow(10, -18 * random.nextDouble());
            double x = (random.nextBoolean() ? 1 : -1) * size * (i % 3 == 0 ? 20 : 1);
            double power = Math.expm1(x);
            assertThat(NearZero.expm1(x)).as("expm1 %s", x).isCloseTo(power, within(TOLERANCE * Math.abs(power)));
            if (x > -1) {
                double logarithm = Math.log1p(x);
                assertThat(NearZero.log1p(x))
                        .as("log1p %s", x)
                        .isCloseTo(logarithm, within(TOLERANCE * Math.abs(logarithm)));
            }
        }
    }

    @Test
    void seriesOfTheCircleAgreeWithTheLibrary() {
        Random random = new Random(6);
        for (int i = 0; i < 20_000; i++) {
            double x = (random.nextBoolean() ? 1 : -1) * (i % 2 == 0 ? random.nextDouble() : Math.pow(10, -i % 16));
            double half = Math.sin(0.5 * x);
            double cosineLessOne = -2 * half * half;
            assertThat(NearZero.sineSeries(x)).as("sin %s", x).isCloseTo(Math.sin(x), within(3 * Math.ulp(x)));
            assertThat(NearZero.cosineLessOneSeries(x))
                    .as("cos %s - 1", x)
                    .isCloseTo(cosineLessOne, within(TOLERANCE * Math.abs(cosineLessOne)));
        }
    }

    @Test
    void keepsTheEnds() {
        assertThat(NearZero.expm1(0)).isZero();
        assertThat(NearZero.expm1(-1000)).isEqualTo(-1);
        assertThat(NearZero.expm1(1000)).isInfinite();
        assertThat(NearZero.log1p(0)).isZero();
        assertThat(NearZero.log1p(-1)).isEqualTo(Double.NEGATIVE_INFINITY);
    }
}
