package dev.tacit.federated.study;

import dev.tacit.federated.crypto.SlowHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A hash as words that people can compare by telephone.
 *
 * <pre>
 *   eight words of 11 bits each: 88 bits of a {@linkplain SlowHash slow hash} of a SHA-256
 * </pre>
 *
 * The words are the 2048 English ones of BIP-39, no two of which begin with the same four letters. Somebody who wants another study
 * with the words of a given one has to try about 2^88 of them. The coordinator drafts the study, so it may look for any two that have the
 * same words, to show one to some parties and the other to the rest: about 2^44 tries, which is why each of them is made slow, 2^22 calls
 * of Salsa20/8 in 64 MiB of memory.
 */
public final class FingerprintWords {
    private static final int COUNT = 8;
    private static final int BITS = 11;
    private static final int BYTES = COUNT * BITS / Byte.SIZE;
    private static final List<String> WORDS = load();

    /** A command shows the same words in several places, and works them out once. */
    private static final Map<String, String> KNOWN = new ConcurrentHashMap<>();

    private FingerprintWords() {}

    /** The words of a hash. */
    public static String of(byte[] hash) {
        return KNOWN.computeIfAbsent(
                HexFormat.of().formatHex(hash), unused -> words(SlowHash.of("words", hash, BYTES)));
    }

    /** The words of 88 bits. */
    static String words(byte[] bits) {
        List<String> words = new ArrayList<>();
        for (int word = 0; word < COUNT; word++) {
            int number = 0;
            for (int bit = word * BITS; bit < (word + 1) * BITS; bit++) {
                number = (number << 1) | ((bits[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE)) & 1);
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
