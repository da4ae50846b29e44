package dev.tacit.federated.crypto;

import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.generators.SCrypt;

/**
 * A hash that costs time and memory on purpose, for what people compare by a few words: scrypt, RFC 7914, by Bouncy Castle.
 *
 * <pre>
 *   scrypt(text, salt = "dev.tacit.federated/1/" label, N = 2^16, r = 8, p = 2)        64 MiB and a third of a second
 * </pre>
 *
 * Whoever wants two texts with the same n bits of it has to try about 2^(n/2) of them, and every try costs 2^22 calls of Salsa20/8 in
 * 64 MiB of memory.
 */
public final class SlowHash {
    private static final String TAG = "dev.tacit.federated/1/";
    private static final int MEMORY_BLOCKS = 1 << 16;
    private static final int BLOCK_SIZE = 8;
    private static final int PASSES = 2;

    private SlowHash() {}

    /** So many bytes of a text under a label. */
    public static byte[] of(String label, byte[] text, int bytes) {
        return SCrypt.generate(
                text, (TAG + label).getBytes(StandardCharsets.UTF_8), MEMORY_BLOCKS, BLOCK_SIZE, PASSES, bytes);
    }
}
