package dev.tacit.federated.crypto;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * Keys from secrets, each bound to what it is for: HKDF with SHA-256, RFC 5869.
 *
 * <pre>
 *   key = HKDF(secret, salt = none, info = "dev.tacit.federated/1/" label 0 | length of part 1 | part 1 | …)
 * </pre>
 *
 * Two keys of one secret under different labels or parts are independent to whoever does not know the secret.
 */
public final class KeyDerivation {
    /** How many bytes a key of AES-256 has. */
    public static final int KEY_BYTES = 32;

    private static final String TAG = "dev.tacit.federated/1/";

    private KeyDerivation() {}

    /** A key of 32 bytes. */
    public static byte[] key(byte[] secret, String label, byte[]... context) {
        return bytes(KEY_BYTES, secret, label, context);
    }

    /** So many bytes. */
    public static byte[] bytes(int count, byte[] secret, String label, byte[]... context) {
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        info.writeBytes((TAG + label + "\0").getBytes(StandardCharsets.UTF_8));
        for (byte[] part : context) {
            info.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
            info.writeBytes(part);
        }
        HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
        generator.init(new HKDFParameters(secret, null, info.toByteArray()));
        byte[] bytes = new byte[count];
        generator.generateBytes(bytes, 0, count);
        return bytes;
    }
}
