package dev.tacit.federated.crypto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Masks on integers modulo 2^64: words of AES-256 in counter mode that are added, and later subtracted.
 *
 * <pre>
 *   pair mask of i and j = AES-256-CTR(HKDF(agreement of i and j, "pair mask", context, i, j)),   added by the smaller, subtracted by the larger
 *   self mask of i       = AES-256-CTR(HKDF(self seed of i, "self mask", context, i))
 *   context              = hash of study, roster, round, request and of who takes part
 * </pre>
 *
 * Bonawitz et al. 2017, Section 4; NIST SP 800-38A for the mode, by the JDK. Differs from the paper in the context: two parties that were
 * asked different things, in different company, or in another study have different masks, which do not cancel, so a sum over answers to
 * different questions is uniform whatever the coordinator does. Without it a coordinator that names a slightly larger bound to one party
 * halves what the noise of the others counts on the common grid.
 */
public final class RoundMasks {
    private static final int BLOCK_BYTES = 1 << 14;
    private static final byte[] ZEROS = new byte[BLOCK_BYTES];
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] context;

    /**
     * @param context a hash of everything that all who take part must agree on
     */
    public RoundMasks(byte[] context) {
        this.context = context.clone();
    }

    /**
     * Adds to a party's numbers the mask that it has with another.
     *
     * @param agreement what the two have in common in this round
     * @param party whose numbers they are, by place
     * @param other with whom, by place
     */
    public void addPair(long[] numbers, byte[] agreement, int party, int other) {
        apply(numbers, pairKey(agreement, party, other), party < other);
    }

    /** Takes {@link #addPair} of the same party off again. */
    public void removePair(long[] numbers, byte[] agreement, int party, int other) {
        apply(numbers, pairKey(agreement, party, other), party > other);
    }

    private byte[] pairKey(byte[] agreement, int party, int other) {
        if (party == other) {
            throw new IllegalArgumentException("a pair is two parties");
        }
        return KeyDerivation.key(
                agreement,
                "pair mask",
                context,
                ContentHash.number(Math.min(party, other)),
                ContentHash.number(Math.max(party, other)));
    }

    /** Adds the mask that a party has for itself. */
    public void addSelf(long[] numbers, byte[] selfSeed, int party) {
        apply(numbers, selfKey(selfSeed, party), true);
    }

    /** Takes {@link #addSelf} off again. */
    public void removeSelf(long[] numbers, byte[] selfSeed, int party) {
        apply(numbers, selfKey(selfSeed, party), false);
    }

    private byte[] selfKey(byte[] selfSeed, int party) {
        return KeyDerivation.key(selfSeed, "self mask", context, ContentHash.number(party));
    }

    /** Adds or subtracts the keystream of a key. */
    static void apply(long[] numbers, byte[] key, boolean adds) {
        byte[] block = new byte[(int) Math.min(BLOCK_BYTES, (long) numbers.length * Long.BYTES)];
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
            for (int from = 0; from < numbers.length; from += BLOCK_BYTES / Long.BYTES) {
                int count = Math.min(BLOCK_BYTES / Long.BYTES, numbers.length - from);
                if (cipher.update(ZEROS, 0, count * Long.BYTES, block, 0) != count * Long.BYTES) {
                    throw new IllegalStateException("AES in counter mode held back part of the keystream");
                }
                if (adds) {
                    add(numbers, from, from + count, block);
                } else {
                    subtract(numbers, from, from + count, block);
                }
            }
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java runtime has no AES in counter mode", missing);
        }
    }

    /** Counts through the numbers and not through the block: then the compiler adds several at once, also where it inlines the loop. */
    private static void add(long[] numbers, int from, int to, byte[] block) {
        for (int i = from; i < to; i++) {
            numbers[i] += (long) WORDS.get(block, (i - from) * Long.BYTES);
        }
    }

    private static void subtract(long[] numbers, int from, int to, byte[] block) {
        for (int i = from; i < to; i++) {
            numbers[i] -= (long) WORDS.get(block, (i - from) * Long.BYTES);
        }
    }
}
