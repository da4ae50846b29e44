package dev.tacit.data.source;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret of 256 bits under which records are hashed by HMAC-SHA-256 (RFC 2104): without it, nobody can tell whether a
 * guessed record is behind a hash.
 *
 * <p>The holder draws it once for what is to be compared, and keeps it where the records are. It goes with them to the executors of
 * a cluster, over encrypted channels.
 */
public final class SketchKey implements Serializable {
    private static final long serialVersionUID = 1L;

    /** How long a key is. */
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] MARK = "tacit record sketch".getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;

    /** A key of {@value #BYTES} bytes, which should come from a generator of secrets. */
    public SketchKey(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException("a key has " + BYTES + " bytes, and this one has " + secret.length);
        }
        this.bytes = secret.clone();
    }

    /** A new computation under this key, for one thread. */
    public Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** What {@link #mac} computes, for many short texts. */
    KeyedHash hash() {
        return new KeyedHash(bytes);
    }

    /** What is equal for equal keys and says nothing about the key. */
    public long mark() {
        return ByteBuffer.wrap(mac().doFinal(MARK)).getLong();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SketchKey key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(mark());
    }

    /** Not the secret. */
    @Override
    public String toString() {
        return "SketchKey";
    }
}
