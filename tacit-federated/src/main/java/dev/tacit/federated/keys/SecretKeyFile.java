package dev.tacit.federated.keys;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.study.StudyException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/** Private keys of 32 bytes in files that only their owner may read (PKCS #8, RFC 8410). */
final class SecretKeyFile {
    private static final byte[] ED25519 = HexFormat.of().parseHex("302e020100300506032b657004220420");
    private static final byte[] X25519 = HexFormat.of().parseHex("302e020100300506032b656e04220420");

    private SecretKeyFile() {}

    static void write(Identity identity, Path file) {
        write(ED25519, identity.privateKey(), file);
    }

    static void write(SealedBox box, Path file) {
        write(X25519, box.privateKey(), file);
    }

    static Identity identity(Path file) {
        return Identity.of(read(ED25519, file));
    }

    static SealedBox sealing(Path file) {
        return SealedBox.of(read(X25519, file));
    }

    private static void write(byte[] prefix, byte[] key, Path file) {
        byte[] bytes = ByteBuffer.allocate(prefix.length + key.length)
                .put(prefix)
                .put(key)
                .array();
        Pem.writeSecret(file, new Pem(Pem.PRIVATE_KEY, bytes));
    }

    private static byte[] read(byte[] prefix, Path file) {
        byte[] bytes = Pem.read(file, Pem.PRIVATE_KEY);
        if (bytes.length != prefix.length + Identity.KEY_BYTES
                || !Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length)) {
            throw new StudyException(file + " is not a key of the kind that keys party makes");
        }
        return Arrays.copyOfRange(bytes, prefix.length, bytes.length);
    }
}
