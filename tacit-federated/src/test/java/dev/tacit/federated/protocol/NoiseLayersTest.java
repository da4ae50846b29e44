package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.noise.LayeredNoiseShare;
import dev.tacit.federated.noise.NoiseLayers;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.noise.ReplayNoise;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The noise that is left when layers are off: exactly as fractions, and as it is drawn. */
class NoiseLayersTest {
    /** Numerators over the product of all denominators, without rounding. */
    private static boolean telescopes(NoiseLayers layers, int upTo) {
        BigInteger numerator = BigInteger.ONE;
        BigInteger denominator = BigInteger.valueOf(layers.baseDenominator());
        for (int layer = 1; layer <= upTo; layer++) {
            BigInteger next = layers.denominator(layer);
            numerator = numerator.multiply(next).add(denominator);
            denominator = denominator.multiply(next);
            BigInteger common = numerator.gcd(denominator);
            numerator = numerator.divide(common);
            denominator = denominator.divide(common);
        }
        // What one party keeps, times the honest parties that are left, is the whole variance.
        return numerator.multiply(BigInteger.valueOf(layers.honest() - upTo)).equals(denominator);
    }

    @Test
    void honestSurvivorsKeepExactlyTheWholeNoise() {
        for (int honest = 2; honest <= 255; honest++) {
            NoiseLayers layers = new NoiseLayers(honest, 0, (honest - 1) / 2);
            for (int missing = 0; missing <= layers.count(); missing++) {
                assertThat(telescopes(layers, missing)).isTrue();
                assertThat(layers.relativeVariance(honest - missing, missing)).isEqualTo(1);
            }
        }
    }

    @Test
    void deviationsAreRoundedUpAndByNextToNothing() {
        for (int honest : new int[] {2, 3, 9, 90, 255}) {
            NoiseLayers layers = new NoiseLayers(honest, 0, (honest - 1) / 2);
            double variance = Math.pow(layers.baseDeviation(1), 2);
            for (int layer = 1; layer <= layers.count(); layer++) {
                variance += Math.pow(layers.layerDeviation(layer, 1), 2);
                assertThat(variance * (honest - layer)).isBetween(1.0, 1 + 1e-13);
            }
            assertThat(layers.wholePartyDeviation(1) * layers.wholePartyDeviation(1))
                    .isBetween(variance * (1 - 1e-13), variance * (1 + 1e-13));
        }
    }

    @Test
    void withoutLayersTheNoiseIsThatOfTheParties() {
        NoiseLayers layers = new NoiseLayers(9, 3, 0);
        assertThat(layers.baseDenominator()).isEqualTo(6);
        assertThat(layers.relativeVariance(10, 0)).isEqualTo(10.0 / 6);
        assertThatThrownBy(() -> new NoiseLayers(9, 9, 0)).hasMessageContaining("fewer absences");
        assertThatThrownBy(() -> layers.denominator(1)).hasMessageContaining("layers 1 to 0");
    }

    /**
     * Six honest parties of seven, two of them missing: what is left of 20 000 numbers has the variance that was charged. A sum with that
     * variance is outside 1 ± 0.06 with probability below 1e-6 (six standard deviations of a mean of squares). The twin takes one layer too
     * many off.
     */
    @Test
    void whatIsLeftIsTheNoiseThatWasCharged() {
        assertThat(variance(2)).isBetween(0.94, 1.06);
        assertThat(variance(1)).isLessThan(0.94);
    }

    private static double variance(int kept) {
        NoiseLayers layers = new NoiseLayers(6, 0, 2);
        ReplayNoise source = ReplayNoise.ofSeed(20_261_118);
        long[] sum = new long[20_000];
        LayeredNoiseShare share = LayeredNoiseShare.publicPart(1, layers);
        double whole = share.wholeSteps(1, sum.length);
        for (int party = 0; party < 4; party++) {
            List<NoiseLayer> own = RoundKeys.fresh(source.fork(party), 2).noiseLayers();
            new LayeredNoiseShare(1, layers, () -> own).addNoise(sum, 1, source.fork(100 + party));
            for (int layer = kept + 1; layer <= 2; layer++) {
                own.get(layer - 1).remove(layers.layerDeviation(layer, whole), sum);
            }
        }
        double squares = 0;
        for (long number : sum) {
            squares += (number / whole) * (number / whole);
        }
        return squares / sum.length;
    }

    @Test
    void aLayerIsTakenOffToTheBit() {
        List<NoiseLayer> layers =
                new ArrayList<>(RoundKeys.fresh(ReplayNoise.ofSeed(1), 3).noiseLayers());
        long[] numbers = {1, -2, Long.MAX_VALUE};
        layers.get(1).add(5e6, numbers);
        assertThat(numbers[0]).isNotEqualTo(1);
        layers.get(1).remove(5e6, numbers);
        assertThat(numbers).containsExactly(1, -2, Long.MAX_VALUE);
    }

    @Test
    void aReleaseWithoutItsLayersIsRefused() {
        LayeredNoiseShare share = LayeredNoiseShare.publicPart(1, new NoiseLayers(6, 0, 2));
        assertThatThrownBy(() -> share.addNoise(new long[3], 1, ReplayNoise.ofSeed(1)))
                .hasMessageContaining("has 2 layers of noise");
    }
}
