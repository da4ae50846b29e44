package dev.tacit.fit.base;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A JSON object that carries the SHA-256 of its own text as its last field, so that a number that was changed by hand or
 * by a disk is noticed. It is no signature: whoever wants to deceive can compute it again.
 */
public final class CheckedText {
    private static final String FIELD = ",\"sha256\":\"";
    private static final int DIGITS = 64;

    private CheckedText() {}

    /** An object with its check sum. */
    public static String seal(String object) {
        String body = object.substring(0, object.length() - 1);
        return body + FIELD + sum(body) + "\"}";
    }

    /** The object without its check sum, which must fit. */
    public static String open(String text, String name) {
        String object = text.strip();
        int end = object.length() - FIELD.length() - DIGITS - 2;
        if (end < 1 || !object.startsWith(FIELD, end)) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    name
                            + " is not whole or not of this version: its check sum is missing; fit again or use the version"
                            + " that wrote it.");
        }
        String body = object.substring(0, end);
        if (!object.substring(end + FIELD.length()).equals(sum(body) + "\"}")) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    name + " was changed since it was written: its check sum does not fit; take the file from a copy,"
                            + " or rebuild it with fit --resume.");
        }
        return body + "}";
    }

    private static String sum(String body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(body.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
