package dev.tacit.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The sigmoid of an array against that of one number, whose own error is below 3e-16. The seed is fixed. */
class VectorSigmoidTest {
    @Test
    void isAsAccurateAsItsDescriptionSays() {
        int count = 400_001;
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = -50 + i * 2.5e-4;
        }
        double[] result = numbers.clone();
        VectorSigmoid.replace(result, count);
        double worst = 0;
        for (int i = 0; i < count; i++) {
            worst = Math.max(worst, Math.abs(result[i] - SpecialFunctions.sigmoid(numbers[i])));
        }
        assertThat(worst).isLessThan(6e-14);
    }

    @Test
    void isRightAtTheEnds() {
        double[] numbers = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 0, -0.0, 1e300, 7};
        VectorSigmoid.replace(numbers, 6);
        assertThat(numbers[0]).isEqualTo(1);
        assertThat(numbers[1]).isCloseTo(0, within(1e-17));
        assertThat(numbers[2]).isNaN();
        assertThat(numbers[3]).isEqualTo(0.5);
        assertThat(numbers[4]).isEqualTo(0.5);
        assertThat(numbers[5]).isEqualTo(1);
        assertThat(numbers[6]).as("beyond the count").isEqualTo(7);
    }

    /** Also after the compiler has turned the loop into one over several numbers at once. */
    @Test
    void everyNumberHasTheSameBitsWhereverItStands() {
        RandomStream random = RandomStream.ofSeed(20261115);
        double[] numbers = new double[1000];
        for (int round = 0; round < 3000; round++) {
            random.fillNormal(numbers);
            int count = 900 + round % 100;
            double[] together = numbers.clone();
            VectorSigmoid.replace(together, count);
            int place = round % 900;
            double[] alone = {numbers[place]};
            VectorSigmoid.replace(alone, 1);
            assertThat(Double.doubleToRawLongBits(together[place])).isEqualTo(Double.doubleToRawLongBits(alone[0]));
        }
    }
}
