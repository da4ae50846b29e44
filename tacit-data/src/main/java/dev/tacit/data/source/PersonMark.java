package dev.tacit.data.source;

import dev.tacit.data.schema.FileFormat;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A 128-bit mark of a person's identifier: the first half of its SHA-256. Two persons have the same mark only if someone
 * finds a collision, which takes about 2^64 attempts.
 */
public final class PersonMark {
    private final MessageDigest digest;
    private final byte[][] missing;

    public PersonMark(FileFormat format) {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        missing = format.missing().stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** Marks a row; a missing identifier leaves it without a mark. */
    public void mark(byte[] text, int from, int to, CodedRows rows, int row) {
        if (from >= to) {
            return;
        }
        for (byte[] marker : missing) {
            if (Arrays.equals(marker, 0, marker.length, text, from, to)) {
                return;
            }
        }
        digest.update(text, from, to - from);
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        rows.setId(row, hash.getLong(), hash.getLong() | 1);
    }
}
