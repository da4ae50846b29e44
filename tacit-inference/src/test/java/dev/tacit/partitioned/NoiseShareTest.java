package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.noise.ReplayNoise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares of noise add up to the noise that was charged, and one alone is √shares times smaller. */
class NoiseShareTest {
    private static final long SEED = 4_711L;

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 10, 200})
    void sharesAddUpToTheWholeNoise(int shares) {
        NoiseShare share = new NoiseShare(3, shares);
        DiscreteGaussianMechanism whole = new DiscreteGaussianMechanism(3);
        double sum = share.noiseStandardDeviation(0.7) * Math.sqrt(shares);
        assertThat(sum).isBetween(whole.noiseStandardDeviation(0.7), whole.noiseStandardDeviation(0.7) * (1 + 1e-12));
        assertThat(share.profile(5)).isEqualTo(whole.profile(5));
        assertThat(share.grid(0.7, 5).granularity())
                .isEqualTo(whole.grid(0.7, 5).granularity());
        assertThat(share.scaled(2).noiseStandardDeviation(1))
                .isCloseTo(2 * share.noiseStandardDeviation(1), within(1e-12));
    }

    /**
     * The variance of 40 000 numbers is within 5 % of its expectation but with probability below 1e-11 (chi-squared), for
     * single shares and for their sum.
     */
    @Test
    void varianceOfSharesAndOfTheirSum() {
        int shares = 8;
        int numbers = 40_000;
        NoiseShare share = new NoiseShare(2, shares);
        double[] sum = new double[numbers];
        double single = 0;
        for (int party = 0; party < shares; party++) {
            long[] integers = new long[numbers];
            share.addNoise(integers, 1, ReplayNoise.ofSeed(SEED).fork(party));
            double[] noise = share.grid(1, numbers).numbers(integers);
            for (int i = 0; i < numbers; i++) {
                sum[i] += noise[i];
                single += noise[i] * noise[i] / (shares * numbers);
            }
        }
        double total = 0;
        for (double value : sum) {
            total += value * value / numbers;
        }
        assertThat(single).as("seed " + SEED).isCloseTo(4.0 / shares, within(0.05 * 4 / shares));
        assertThat(total).as("seed " + SEED).isCloseTo(4, within(0.05 * 4));
    }

    /** Convolutions of discrete Gaussians are discrete Gaussians up to 3 exp(−2π²c), here at small variances. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 2, 3})
    void sumsOfDiscreteGaussiansAreDiscreteGaussians(double variance) {
        int range = 60;
        double[] one = probabilities(variance, range);
        double[] whole = probabilities(2 * variance, 2 * range);
        double error = 3 * Math.exp(-2 * Math.PI * Math.PI * variance / 2);
        for (int n = -12; n <= 12; n++) {
            double convolved = 0;
            for (int k = -range; k <= range; k++) {
                if (Math.abs(n - k) <= range) {
                    convolved += one[k + range] * one[n - k + range];
                }
            }
            double ratio = convolved / whole[n + 2 * range];
            assertThat(ratio).isBetween((1 - error) * (1 - error) - 1e-12, (1 + error) * (1 + error) + 1e-12);
        }
    }

    private static double[] probabilities(double variance, int range) {
        double[] weights = new double[2 * range + 1];
        double sum = 0;
        for (int k = -range; k <= range; k++) {
            weights[k + range] = Math.exp(-k * k / (2 * variance));
            sum += weights[k + range];
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] /= sum;
        }
        return weights;
    }

    @Test
    void impossibleSharesAreRefused() {
        assertThatThrownBy(() -> new NoiseShare(1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NoiseShare(1, 1 << 17)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NoiseShare(0, 3)).isInstanceOf(IllegalArgumentException.class);
    }
}
