package dev.tacit.door.mechanism;

import static dev.tacit.noise.Statistics.LEVEL;
import static dev.tacit.noise.Statistics.because;
import static dev.tacit.noise.Statistics.chiSquareTail;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.sum.UnitSum;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import dev.tacit.noise.Statistics;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NoiseMechanismTest {
    private static final List<NoiseMechanism> MECHANISMS =
            List.of(new DiscreteGaussianMechanism(1.3), new DiscreteGaussianMechanism(0.2));

    /** The requested multiplier is kept for every bound and dimension, at a price of less than a millionth. */
    @Test
    void deliversTheMultiplierItWasAskedFor() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            double noiseMultiplier = Math.exp(2.5 * random.nextGaussian());
            double l2Bound = Math.exp(4 * random.nextGaussian());
            int dimension = (int) Math.min(1 << 24, Math.ceil(Math.exp(4 * Math.abs(random.nextGaussian()))));
            DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(noiseMultiplier);
            double delivered = mechanism.deliveredNoiseMultiplier(l2Bound, dimension);
            assertThat(mechanism.profile(dimension)).isEqualTo(PrivacyProfile.gaussian(noiseMultiplier));
            assertThat(delivered / noiseMultiplier).isBetween(1.0, 1 + 1e-6);
            assertThat(mechanism.noiseStandardDeviation(l2Bound) / noiseMultiplier / l2Bound)
                    .isBetween(1.0, 1 + 1e-6);
        }
    }

    @Test
    void theGridIsAPowerOfTwoBelowItsLimit() {
        for (double l2Bound : new double[] {1e-30, 0.3, 1, Math.sqrt(2), 1 << 20, 1e30}) {
            for (int dimension : new int[] {1, 2, 3, 4, 1000, 1 << 28}) {
                for (double noiseMultiplier : new double[] {dimension > 1000 ? 0x1p-14 : 0x1p-20, 0.1, 1, 3, 1000}) {
                    double granularity = new DiscreteGaussianMechanism(noiseMultiplier)
                            .grid(l2Bound, dimension)
                            .granularity();
                    double limit = Math.min(1, noiseMultiplier) * l2Bound / 0x1p20 / Math.sqrt(dimension);
                    assertThat(granularity).isBetween(limit / 2.1, limit);
                    assertThat(Math.scalb(1.0, Math.getExponent(granularity))).isEqualTo(granularity);
                }
            }
        }
    }

    @Test
    void tooLittleNoiseOnTooManyNumbersIsRefused() {
        DiscreteGaussianMechanism hardlyAny = new DiscreteGaussianMechanism(0x1p-20);
        assertThat(hardlyAny.grid(1, 1 << 18).dimension()).isEqualTo(1 << 18);
        assertThatThrownBy(() -> hardlyAny.grid(1, 1 << 19)).isInstanceOf(IllegalArgumentException.class);
    }

    /** The squared deviations of 200 000 coordinates, in units of the promised variance, are chi-square. */
    @Test
    void theNoiseHasTheStandardDeviationItSays() {
        long seed = Statistics.seed();
        int dimension = 200_000;
        for (NoiseMechanism mechanism : MECHANISMS) {
            double l2Bound = 0.37;
            long[] noisy = new long[dimension];
            mechanism.addNoise(noisy, l2Bound, ReplayNoise.ofSeed(seed));
            double statistic = 0;
            for (double value : mechanism.grid(l2Bound, dimension).numbers(noisy)) {
                statistic += Math.pow(value / mechanism.noiseStandardDeviation(l2Bound), 2);
            }
            double tail = chiSquareTail(statistic, dimension);
            assertThat(tail).as(because("variance", seed)).isBetween(LEVEL, 1 - LEVEL);
        }
    }

    @Test
    void theSumIsInTheOutput() {
        for (NoiseMechanism mechanism : MECHANISMS) {
            SumGrid grid = mechanism.grid(1, 3);
            UnitSum.Owner owner = new UnitSum.Owner(grid);
            double[] steps = {0.6 / grid.granularity(), 0, -0.8 / grid.granularity()};
            for (int i = 0; i < 1_000_000; i++) {
                owner.open(1);
                owner.units().begin(0, steps);
                owner.units().run(0, 3);
                owner.units().end();
            }
            mechanism.addNoise(owner.sums(), 1, ReplayNoise.ofSeed(4));
            double[] noisy = grid.numbers(owner.sums());
            // 10 standard deviations of noise, and half a grid step a record.
            assertThat(noisy[0]).isBetween(600_000 - 14.0, 600_000 + 14.0);
            assertThat(noisy[1]).isBetween(-14.0, 14.0);
            assertThat(noisy[2]).isBetween(-800_000 - 14.0, -800_000 + 14.0);
        }
    }

    /** What is released are integers: the exact sum and nothing but whole steps of noise, also of secret noise. */
    @Test
    void noiseIsAddedToTheSumsThemselves() {
        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(0.7);
        assertThat(mechanism.forRelease()).isTrue();
        long[] noise = new long[5];
        mechanism.addNoise(noise, 3.3, ReplayNoise.ofSeed(9));
        long[] noisy = {1, 2, 3, 4, Long.MAX_VALUE};
        mechanism.addNoise(noisy, 3.3, ReplayNoise.ofSeed(9));
        assertThat(noisy)
                .containsExactly(1 + noise[0], 2 + noise[1], 3 + noise[2], 4 + noise[3], Long.MAX_VALUE + noise[4]);
        long[] secret = new long[5];
        mechanism.addNoise(secret, 3.3, SecureNoise.create());
        assertThat(secret).isNotEqualTo(new long[5]);
    }

    @Test
    void refusesMultipliersOutOfRange() {
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e-12}) {
            assertThatThrownBy(() -> new DiscreteGaussianMechanism(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
