package dev.tacit.noise;

import dev.tacit.door.noise.RandomBits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that two parties share, from which both draw the same uniform words for a round.
 *
 * <pre>
 *   key of a round = HMAC-SHA-256(secret, tag, round);   words = AES-256-CTR from counter 0 with that key
 * </pre>
 *
 * RFC 2104 for the former, NIST SP 800-38A for the latter. Whoever does not know the secret cannot tell the words from
 * independent uniform ones, as long as each round's words are used once. How two parties come to share a secret over a
 * network is not part of this.
 */
public final class MaskKey {
    private static final String TAG = "dev.tacit.privacy.noise.MaskKey/1";
    private static final int WORDS = 4;

    private final byte[] secret;

    private MaskKey(byte[] secret) {
        this.secret = secret;
    }

    /** A new secret of 256 bits. */
    public static MaskKey fresh(RandomBits source) {
        ByteBuffer secret = ByteBuffer.allocate(WORDS * Long.BYTES);
        for (int word = 0; word < WORDS; word++) {
            secret.putLong(source.nextLong());
        }
        return new MaskKey(secret.array());
    }

    /** The words of a round; the same whenever they are asked for. */
    public long[] words(long round, int count) {
        byte[] key = keyOf(round);
        AesCounterStream stream = new AesCounterStream(Arrays.copyOf(key, AesCounterStream.SEED_BYTES), seed -> {});
        Arrays.fill(key, (byte) 0);
        long[] words = new long[count];
        stream.fill(words, 0, count);
        return words;
    }

    private byte[] keyOf(long round) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(TAG.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(round).array());
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java runtime has no HMAC with SHA-256", missing);
        }
    }

    @Override
    public String toString() {
        return "a secret of two parties";
    }
}
