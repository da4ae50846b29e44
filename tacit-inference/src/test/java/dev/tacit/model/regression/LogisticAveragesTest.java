package dev.tacit.model.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.LogisticPredictive;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import org.junit.jupiter.api.Test;

/** The table of averages against dense trapezoidal sums. Seeds are fixed, so results are the same every time. */
class LogisticAveragesTest {
    private static final double ERROR = 2e-10;
    private static final double SLOPE_ERROR = 1e-9;

    /** ∂/∂m E sigmoid(m + √v Z) by the trapezoidal rule, with steps far finer than its poles ask for. */
    private static double denseSlope(double mean, double variance) {
        double deviation = Math.sqrt(variance);
        double step = 0.2 / Math.max(1, deviation);
        double sum = 0;
        for (int k = (int) (-9.5 / step); k <= 9.5 / step; k++) {
            double p = SpecialFunctions.sigmoid(mean + deviation * k * step);
            sum += step * SpecialFunctions.normalDensity(k * step) * p * (1 - p);
        }
        return sum;
    }

    @Test
    void averagesAndSlopesAreRightToNineDigits() {
        RandomStream random = RandomStream.ofSeed(1);
        for (int i = 0; i < 6000; i++) {
            // all of [0, infinity): by the share 1 / (1 + pi v / 8), also at the edges of cells and bands
            double share = i % 5 == 0 ? (1 + (i / 5) % 256) / 256.0 : Math.max(2e-4, random.uniform());
            double variance = (1 / share - 1) * 8 / Math.PI;
            double place = i % 3 == 0 ? Math.rint(60 * random.uniform()) / 4 : (i % 2 == 0 ? 5 : 27) * random.uniform();
            double mean = (random.uniform() < 0.5 ? -1 : 1) * place / Math.sqrt(share);
            assertThat(LogisticAverages.probability(mean, variance))
                    .as("m = %s, v = %s", mean, variance)
                    .isCloseTo(LogisticPredictive.exact(mean, variance), within(ERROR));
            assertThat(LogisticAverages.slope(mean, variance))
                    .as("slope at m = %s, v = %s", mean, variance)
                    .isCloseTo(denseSlope(mean, variance), within(SLOPE_ERROR));
        }
    }

    @Test
    void arraysAndSingleNumbersHaveTheSameBits() {
        double[] means = {0, -0.0, 3, -3, 1e300, -1e300, Double.NaN, 1, 1, Double.POSITIVE_INFINITY, 2};
        double[] variances = {0, 1, 0.01, 0.01, 2, 2, 1, Double.NaN, -9, 0, Double.POSITIVE_INFINITY};
        double[] p = means.clone();
        double[] slopes = variances.clone();
        LogisticAverages.replace(p, slopes, p.length);
        for (int i = 0; i < p.length; i++) {
            assertThat(p[i]).isEqualTo(Double.valueOf(LogisticAverages.probability(means[i], variances[i])));
            assertThat(slopes[i]).isEqualTo(Double.valueOf(LogisticAverages.slope(means[i], variances[i])));
        }
        assertThat(p[0]).isCloseTo(0.5, within(ERROR));
        assertThat(p[2] + p[3]).isCloseTo(1, within(1e-15));
        assertThat(p[4]).isEqualTo(1);
        assertThat(p[5]).isEqualTo(0);
        assertThat(p[6]).isNaN();
        assertThat(p[7]).isNaN();
        assertThat(p[8]).as("no variance is negative").isNaN();
        assertThat(p[9]).isEqualTo(1);
    }
}
