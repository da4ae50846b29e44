package dev.tacit.noise;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Exact noise that whoever holds its key can take off again: one layer of a party's noise.
 *
 * <pre>
 *   keystream = AES-256-CTR from counter 0 with key SHA-256(tag, key);   layer = independent N_Z(0, σ²) drawn from it
 * </pre>
 *
 * Jiang, Wang, Chen 2024 (XNoise): noise for absences that do not happen is removed from the opened sum. The key is drawn from the
 * source of a release and is as secret as that noise until it is shown; whoever shows it gives up this layer and nothing else. The
 * same key and the same σ give the same integers on every machine, because the sampler is exact and its arithmetic strict.
 *
 * <p>This is no third source of noise: it is never handed to a door in place of one, and a release without noise of the door's own
 * source does not become private by layers.
 */
public final class NoiseLayer {
    private static final String TAG = "dev.tacit.noise.NoiseLayer/1";
    private static final int LEAST_KEY_BYTES = 16;

    private final byte[] key;

    /**
     * @param key at least 16 secret bytes, drawn for this layer only
     */
    public NoiseLayer(byte[] key) {
        if (key.length < LEAST_KEY_BYTES) {
            throw new IllegalArgumentException("the key of a layer has at least " + LEAST_KEY_BYTES + " bytes");
        }
        this.key = key.clone();
    }

    /** Adds the layer, modulo 2^64. */
    public void add(double standardDeviation, long[] numbers) {
        KeystreamBits bits = bits();
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(standardDeviation);
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] += sampler.next(bits);
        }
    }

    /** Takes the layer off, modulo 2^64: what {@link #add} with the same standard deviation added. */
    public void remove(double standardDeviation, long[] numbers) {
        KeystreamBits bits = bits();
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(standardDeviation);
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] -= sampler.next(bits);
        }
    }

    private KeystreamBits bits() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(TAG.getBytes(StandardCharsets.UTF_8));
            byte[] seed = Arrays.copyOf(digest.digest(key), AesCounterStream.SEED_BYTES);
            return new KeystreamBits(new AesCounterStream(seed, unchanged -> {}));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this Java runtime has no SHA-256", missing);
        }
    }

    @Override
    public String toString() {
        return "a layer of noise";
    }
}
