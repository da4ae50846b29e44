package dev.tacit.data.source;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * HMAC-SHA-256 (RFC 2104) of many short texts under one key, for one thread.
 *
 * <pre>
 *   HMAC(text) = SHA-256((key ⊕ 5c5c...) SHA-256((key ⊕ 3636...) text))      the key with zeros up to a block of 64 bytes
 * </pre>
 *
 * Both hashes begin with a block that is the same for every text. It is hashed once, and every text goes on from a copy; Java's own
 * {@link javax.crypto.Mac} hashes it for every text, which is two blocks of five.
 */
final class KeyedHash {
    private static final int BLOCK_BYTES = 64;
    private static final int INNER = 0x36;
    private static final int OUTER = 0x5c;

    private final MessageDigest inner;
    private final MessageDigest outer;

    /** Under a key that is no longer than a block. */
    KeyedHash(byte[] key) {
        inner = begun(key, INNER);
        outer = begun(key, OUTER);
    }

    private static MessageDigest begun(byte[] key, int pad) {
        byte[] block = Arrays.copyOf(key, BLOCK_BYTES);
        for (int i = 0; i < BLOCK_BYTES; i++) {
            block[i] ^= (byte) pad;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(block);
            return digest;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Of the first bytes of a text. */
    byte[] of(byte[] text, int length) {
        MessageDigest first = copy(inner);
        first.update(text, 0, length);
        MessageDigest second = copy(outer);
        second.update(first.digest());
        return second.digest();
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every Java's SHA-256 can be copied", e);
        }
    }
}
