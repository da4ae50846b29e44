package dev.tacit.fit.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoundedTest {
    @Test
    void boundsAreNeverPrintedSmallerAndLowerEndsNeverLarger() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            double value = Math.pow(10, random.nextDouble(-300, 300)) * random.nextDouble();
            assertThat(new BigDecimal(Rounded.up(value)))
                    .as("seed 1, draw %d", i)
                    .isGreaterThanOrEqualTo(new BigDecimal(value));
            assertThat(new BigDecimal(Rounded.down(value)))
                    .as("seed 1, draw %d", i)
                    .isLessThanOrEqualTo(new BigDecimal(value));
        }
    }

    @Test
    void numbersAreShort() {
        assertThat(Rounded.up(1.0)).isEqualTo("1");
        assertThat(Rounded.up(1.0000001)).isEqualTo("1.00001");
        assertThat(Rounded.down(1.99999999)).isEqualTo("1.99999");
        assertThat(Rounded.up(0)).isEqualTo("0");
        assertThat(Rounded.up(0x1p-30)).isEqualTo("9.31323e-10");
        assertThat(Rounded.up(1234567.1)).isEqualTo("1234570");
        assertThat(Rounded.up(0x1p1000)).isEqualTo("1.07151e301");
        assertThat(Rounded.asGiven(1e-5)).isEqualTo("1e-5");
        assertThat(Rounded.asGiven(0.01)).isEqualTo("0.01");
        assertThat(Rounded.asGiven(10_000)).isEqualTo("10000");
        assertThat(Rounded.up(Double.POSITIVE_INFINITY)).isEqualTo("unbounded");
    }
}
