package dev.tacit.data.catalogue.entry;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a stream, in hexadecimal. */
public final class Digest {
    private Digest() {}

    public static String sha256(InputStream stream) throws IOException {
        MessageDigest digest = algorithm();
        byte[] buffer = new byte[1 << 16];
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
            digest.update(buffer, 0, count);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
