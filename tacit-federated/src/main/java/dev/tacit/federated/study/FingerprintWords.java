package dev.tacit.federated.study;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A hash as words that two people can compare by telephone.
 *
 * <pre>
 *   eight words of 11 bits each: the first 88 bits of a SHA-256
 * </pre>
 *
 * The words are the 2048 English ones of BIP-39, no two of which begin with the same four letters. Somebody who wants another study
 * with the same words has to try about 2^88 of them.
 */
public final class FingerprintWords {
    private static final int COUNT = 8;
    private static final int BITS = 11;
    private static final List<String> WORDS = load();

    private FingerprintWords() {}

    /** The words of a hash of at least eleven bytes. */
    public static String of(byte[] hash) {
        if (hash.length * Byte.SIZE < COUNT * BITS) {
            throw new IllegalArgumentException("eight words are made of eleven bytes or more");
        }
        List<String> words = new ArrayList<>();
        for (int word = 0; word < COUNT; word++) {
            int number = 0;
            for (int bit = word * BITS; bit < (word + 1) * BITS; bit++) {
                number = (number << 1) | ((hash[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE)) & 1);
            }
            words.add(WORDS.get(number));
        }
        return String.join(" ", words);
    }

    private static List<String> load() {
        try (InputStream file = FingerprintWords.class.getResourceAsStream("words.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
