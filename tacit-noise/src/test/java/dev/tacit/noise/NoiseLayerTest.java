package dev.tacit.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Layers of noise that can be taken off, and bytes for keys. */
class NoiseLayerTest {
    private static final byte[] KEY = SecretBytes.draw(ReplayNoise.ofSeed(3), 16);

    @Test
    void theSameKeyTakesOffWhatItAddedAndNoOtherDoes() {
        long[] numbers = {0, 7, Long.MIN_VALUE};
        new NoiseLayer(KEY).add(1e9, numbers);
        long[] other = numbers.clone();
        new NoiseLayer(KEY).remove(1e9, numbers);
        assertThat(numbers).containsExactly(0, 7, Long.MIN_VALUE);
        new NoiseLayer(SecretBytes.draw(ReplayNoise.ofSeed(4), 16)).remove(1e9, other);
        assertThat(other[0]).isNotZero();
        assertThatThrownBy(() -> new NoiseLayer(new byte[15])).hasMessageContaining("at least 16 bytes");
        assertThat(new NoiseLayer(KEY)).hasToString("a layer of noise");
    }

    /** A layer is the exact sampler over a keystream; 40 000 squares are within 1 ± 0.05 but for less than 1e-6 of all keys. */
    @Test
    void aLayerHasTheDeviationThatWasAskedFor() {
        long[] numbers = new long[40_000];
        new NoiseLayer(KEY).add(5e6, numbers);
        double mean = Arrays.stream(numbers)
                .mapToDouble(number -> number / 5e6)
                .map(x -> x * x)
                .average()
                .orElseThrow();
        assertThat(mean).isBetween(0.95, 1.05);
    }

    @Test
    void bytesAreThoseOfTheSource() {
        byte[] bytes = SecretBytes.draw(ReplayNoise.ofSeed(1), 20);
        assertThat(bytes).hasSize(20).isEqualTo(SecretBytes.draw(ReplayNoise.ofSeed(1), 20));
        byte[] random = new byte[20];
        SecretBytes.asRandom(ReplayNoise.ofSeed(1)).nextBytes(random);
        assertThat(random).isEqualTo(bytes);
        assertThat(SecretBytes.draw(SecureNoise.create(), 20)).isNotEqualTo(SecretBytes.draw(SecureNoise.create(), 20));
    }
}
