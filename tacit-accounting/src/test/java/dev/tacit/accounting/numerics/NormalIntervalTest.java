package dev.tacit.accounting.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.numerics.NormalInterval.Point;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormalIntervalTest {
    /** 40 digits in mpmath. */
    @ParameterizedTest
    @CsvSource({
        "0, 0.5",
        "12.5, 3.732564298877713377225836e-36",
        "36, 4.182624065797283331742332e-284",
    })
    void tailsKeepTheirDigits(double point, double expected) {
        assertThat(NormalInterval.above(Point.sum(point, 0))).isCloseTo(expected, within(1e-15 * expected));
    }

    @Test
    void theRestOfAPointCounts() {
        Point rounded = Point.sum(30, 1e-15);
        double slope = 30 + 1 / 30.0;
        double expected = NormalInterval.above(Point.sum(30, 0)) * (1 - slope * 1e-15);
        assertThat(NormalInterval.above(rounded)).isCloseTo(expected, within(4e-16 * expected));
    }

    @Test
    void intervalsAddUp() {
        for (double start : new double[] {-37, -9, -0.4, 0, 3, 25, 37}) {
            for (double width : new double[] {1e-6, 0.01, 0.6, 2}) {
                double whole = NormalInterval.between(Point.sum(start, 0), Point.sum(start + 3 * width, 0));
                double parts = 0;
                for (int i = 0; i < 3; i++) {
                    parts += NormalInterval.between(
                            Point.sum(start + i * width, 0), Point.sum(start + (i + 1) * width, 0));
                }
                // Rounding of the third edge moves it by at most one unit in its last place.
                double tolerance = 4e-15 + Math.ulp(start + 3 * width) / width;
                assertThat(parts).as("%s + 3·%s", start, width).isCloseTo(whole, within(tolerance * whole));
            }
        }
    }

    @Test
    void quotientsKeepTwiceThePrecision() {
        Point third = Point.quotientPlus(1, 3, 0);
        assertThat(3 * third.rest()).isCloseTo(-Math.fma(3, third.value(), -1), within(1e-31));
        assertThat(Point.quotientPlus(1, 1e-320, 5).value()).isInfinite();
    }

    @Test
    void millsDifferenceAgreesOnBothSidesOfItsThreshold() {
        for (double c : new double[] {-0.9, -0.2, 0, 0.7, 5, 38}) {
            for (double shift : new double[] {0.3, 0.5, 0.9, 3, 20}) {
                double direct = NormalInterval.mills(c) - NormalInterval.mills(c + shift);
                assertThat(NormalInterval.millsDifference(c, shift))
                        .isCloseTo(direct, within(1e-15 * NormalInterval.mills(c) * 3));
            }
            double tiny = 1e-9;
            double halved = 2 * NormalInterval.millsDifference(c, tiny / 2);
            assertThat(NormalInterval.millsDifference(c, tiny)).isCloseTo(halved, within(3e-9 * halved));
        }
    }
}
