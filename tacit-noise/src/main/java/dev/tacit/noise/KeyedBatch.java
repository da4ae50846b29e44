package dev.tacit.noise;

import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.noise.RandomBits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A batch's key as bytes.
 *
 * <pre>
 *   stream of a stretch = AES-256-CTR from counter 0 with key SHA-256(tag, key, stretch)
 * </pre>
 *
 * The key is uniform and unknown to whoever looks at releases, so the streams of different stretches cannot be told from
 * independent uniform bits.
 */
final class KeyedBatch implements BatchKey {
    private static final long serialVersionUID = 1;
    private static final String TAG = "dev.tacit.noise.KeyedBatch/1";
    private static final int WORDS = 4;

    private final byte[] key;

    private KeyedBatch(byte[] key) {
        this.key = key;
    }

    static KeyedBatch drawnFrom(RandomBits bits) {
        ByteBuffer key = ByteBuffer.allocate(WORDS * Long.BYTES);
        for (int word = 0; word < WORDS; word++) {
            key.putLong(bits.nextLong());
        }
        return new KeyedBatch(key.array());
    }

    @Override
    public RandomBits stretch(long number) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(TAG.getBytes(StandardCharsets.UTF_8));
            digest.update(key);
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
            byte[] seed = Arrays.copyOf(digest.digest(), AesCounterStream.SEED_BYTES);
            return new KeystreamBits(new AesCounterStream(seed, bytes -> {}));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this Java runtime has no SHA-256", missing);
        }
    }

    @Override
    public String toString() {
        return "the key of a batch";
    }
}
