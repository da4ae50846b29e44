package dev.tacit.noise;

import static dev.tacit.noise.Statistics.LEVEL;
import static dev.tacit.noise.Statistics.because;
import static dev.tacit.noise.Statistics.chiSquarePValue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A correct draw fails one check with probability 5e-9. */
class ExactDrawsTest {
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1.0 / 3, 0.9999, 1e-4, 0x1.fffffffffffffp-1})
    void coinsHaveTheirProbability(double probability) {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        int trials = 1_000_000;
        long heads = 0;
        for (int i = 0; i < trials; i++) {
            heads += ExactDraws.bernoulli(probability, noise) ? 1 : 0;
        }
        assertThat(Statistics.rateAtLeast(heads, trials, LEVEL))
                .as(because("coin", seed))
                .isLessThanOrEqualTo(probability);
        assertThat(Statistics.rateAtMost(heads, trials, LEVEL))
                .as(because("coin", seed))
                .isGreaterThanOrEqualTo(probability);
    }

    @Test
    void coinsWithoutDoubt() {
        ReplayNoise noise = ReplayNoise.ofSeed(1);
        for (int i = 0; i < 100; i++) {
            assertThat(ExactDraws.bernoulli(1, noise)).isTrue();
            assertThat(ExactDraws.bernoulli(0, noise)).isFalse();
            assertThat(ExactDraws.bernoulli(Double.MIN_VALUE, noise)).isFalse();
        }
        for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> ExactDraws.bernoulli(bad, noise)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 7, 64, 100})
    void smallIntegersAreUniform(long bound) {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        int trials = 300_000;
        long[] counts = new long[(int) bound];
        for (int i = 0; i < trials; i++) {
            counts[(int) ExactDraws.below(bound, noise)]++;
        }
        double[] uniform = new double[counts.length];
        Arrays.fill(uniform, 1.0 / bound);
        if (bound > 1) {
            assertThat(chiSquarePValue(counts, uniform, trials))
                    .as(because("below " + bound, seed))
                    .isGreaterThan(LEVEL);
        }
    }

    /** For 3/4 of 2^63 a modulo, or a missing rejection, would hit some thirds twice as often. */
    @ParameterizedTest
    @ValueSource(longs = {3L << 61, Long.MAX_VALUE, (1L << 62) + 1, 1_000_000_007L})
    void largeIntegersAreUniform(long bound) {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        int trials = 300_000;
        long[] counts = new long[30];
        long[] remainders = new long[3];
        int outside = 0;
        for (int i = 0; i < trials; i++) {
            long draw = ExactDraws.below(bound, noise);
            outside += draw < 0 || draw >= bound ? 1 : 0;
            counts[(int) (draw / (bound / 30.0 + 1))]++;
            remainders[(int) (draw % 3)]++;
        }
        assertThat(outside).isZero();
        double[] uniform = new double[30];
        Arrays.fill(uniform, 1.0 / 30);
        assertThat(chiSquarePValue(counts, uniform, trials))
                .as(because("parts", seed))
                .isGreaterThan(LEVEL);
        double[] thirds = {1.0 / 3, 1.0 / 3, 1.0 / 3};
        assertThat(chiSquarePValue(remainders, thirds, trials))
                .as(because("remainders", seed))
                .isGreaterThan(LEVEL);
    }

    @Test
    void refusesEmptyRanges() {
        assertThatThrownBy(() -> ExactDraws.below(0, ReplayNoise.ofSeed(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
