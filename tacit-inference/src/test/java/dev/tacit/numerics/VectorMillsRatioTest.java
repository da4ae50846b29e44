package dev.tacit.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.commons.numbers.gamma.Erfcx;
import org.junit.jupiter.api.Test;

/** Mills' ratio of an array against erfcx of one number, whose own error is below 1e-15. The seed is fixed. */
class VectorMillsRatioTest {
    private static double expected(double a) {
        return Math.sqrt(Math.PI / 2) * Erfcx.value(a * Math.sqrt(0.5));
    }

    @Test
    void isAsAccurateAsItsDescriptionSays() {
        int count = 400_000;
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = i % 2 == 0 ? 5e-5 * i : Math.pow(10, -10 + 20.0 * i / count);
        }
        double[] result = numbers.clone();
        VectorMillsRatio.replace(result, count);
        double worst = 0;
        for (int i = 0; i < count; i++) {
            worst = Math.max(worst, Math.abs(result[i] / expected(numbers[i]) - 1));
        }
        assertThat(worst).isLessThan(2e-15);
    }

    /** The first line is Abramowitz and Stegun's Φ(−1)/φ(1). */
    @Test
    void isRightAtOneAndAtTheEnds() {
        double[] numbers = {1, 0, 1e200, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NaN, 7};
        VectorMillsRatio.replace(numbers, 6);
        assertThat(Math.abs(numbers[0] / 0.655679542418798 - 1)).isLessThan(2e-15);
        assertThat(Math.abs(numbers[1] / Math.sqrt(Math.PI / 2) - 1)).isLessThan(1e-15);
        assertThat(numbers[2]).isEqualTo(1e-200);
        assertThat(numbers[3]).isBetween(0.0, 1e-299);
        assertThat(numbers[4]).isBetween(0.0, 1e-299);
        assertThat(numbers[5]).isNaN();
        assertThat(numbers[6]).as("beyond the count").isEqualTo(7);
    }
}
