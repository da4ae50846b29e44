package dev.tacit.federated.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What things are called by: SHA-256 of a label and of parts, each with its length, so that no two lists of parts are written alike.
 *
 * <pre>
 *   SHA-256("dev.tacit.federated/1/" label 0 | length of part 1 | part 1 | …)
 * </pre>
 */
public final class ContentHash {
    /** How many bytes a hash has. */
    public static final int BYTES = 32;

    private static final String TAG = "dev.tacit.federated/1/";

    private ContentHash() {}

    /** The hash of parts under a label. */
    public static byte[] of(String label, byte[]... parts) {
        MessageDigest digest = sha256();
        digest.update((TAG + label + "\0").getBytes(StandardCharsets.UTF_8));
        for (byte[] part : parts) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
            digest.update(part);
        }
        return digest.digest();
    }

    /** A number as eight bytes, to be hashed. */
    public static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this Java runtime has no SHA-256", missing);
        }
    }
}
