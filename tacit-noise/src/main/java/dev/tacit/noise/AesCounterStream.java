package dev.tacit.noise;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.function.Consumer;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keystream of AES-256 in counter mode, with fast key erasure.
 *
 * <pre>
 *   block = AES-CTR(key, counter, 0…0);   output: all but the last 48 bytes, which are the next key and counter
 * </pre>
 *
 * NIST SP 800-38A, section 6.5, for the mode; Bernstein 2017, "Fast-key-erasure random-number generators", for the
 * keys: a block is encrypted under a key that is forgotten before its first word is handed out, and a word is wiped
 * when it is read, so a later look into memory finds no earlier output. (Copies that the Java runtime or its cipher
 * made are out of reach; see SECURITY.md.) Blocks start small and grow, so that short streams are cheap and long ones
 * fast.
 */
final class AesCounterStream {
    static final int KEY_BYTES = 32;
    static final int SEED_BYTES = KEY_BYTES + 16;

    private static final int FIRST_BLOCK_BYTES = 1 << 10;
    private static final int LARGEST_BLOCK_BYTES = 1 << 15;
    private static final int GROWTH = 4;
    private static final int BLOCKS_PER_REFRESH = 1 << 9;
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Cipher cipher;
    private final Consumer<byte[]> refresh;
    private final byte[] seed;
    private byte[] block = new byte[FIRST_BLOCK_BYTES];
    private int position;
    private int end;
    private int blocks;

    /**
     * A stream that starts at the given key and counter.
     *
     * @param seed 32 bytes of key, then 16 bytes of counter; copied
     * @param refresh may change the seed of a coming block in place; called once in 512 blocks
     */
    AesCounterStream(byte[] seed, Consumer<byte[]> refresh) {
        if (seed.length != SEED_BYTES) {
            throw new IllegalArgumentException("a keystream starts from a key of 32 bytes and a counter of 16");
        }
        this.seed = seed.clone();
        this.refresh = refresh;
        try {
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java runtime has no AES in counter mode", missing);
        }
    }

    long nextLong() {
        if (position == end) {
            nextBlock();
        }
        long word = (long) WORDS.get(block, position);
        WORDS.set(block, position, 0L);
        position += Long.BYTES;
        return word;
    }

    void fill(long[] words, int from, int to) {
        for (int index = from; index < to; index++) {
            words[index] = nextLong();
        }
    }

    /** What has been read is zero, so encrypting the block in place leaves the keystream in it. */
    private void nextBlock() {
        if (blocks > 0 && block.length < LARGEST_BLOCK_BYTES) {
            block = new byte[Math.min(GROWTH * block.length, LARGEST_BLOCK_BYTES)];
        }
        blocks++;
        if (blocks % BLOCKS_PER_REFRESH == 0) {
            refresh.accept(seed);
        }
        try {
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(seed, 0, KEY_BYTES, "AES"),
                    new IvParameterSpec(seed, KEY_BYTES, SEED_BYTES - KEY_BYTES));
            if (cipher.update(block, 0, block.length, block, 0) != block.length) {
                throw new IllegalStateException("AES in counter mode held back part of the keystream");
            }
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException("AES in counter mode does not work on this Java runtime", broken);
        }
        end = block.length - SEED_BYTES;
        System.arraycopy(block, end, seed, 0, SEED_BYTES);
        Arrays.fill(block, end, block.length, (byte) 0);
        position = 0;
    }
}
