package dev.tacit.data.catalogue.corpus;

import dev.tacit.data.catalogue.entry.Broken;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetException.Kind;
import dev.tacit.data.catalogue.entry.LocatedFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;
import java.util.zip.GZIPInputStream;

/**
 * Reads word counts in the two public forms, and vocabularies of one word a line. Lines end at line feeds only, as those of
 * private documents do; a carriage return is a blank.
 */
public final class CorpusReader {
    private CorpusReader() {}

    /** Reads a vocabulary: one word a line, folded to lower case. */
    public static List<String> vocabulary(Path file) throws DatasetException {
        return reading(file, CorpusReader::vocabulary);
    }

    /** Reads LDA-C, compressed or not: {@code M word:count ...}, words counted from 0, one document a line. */
    public static Corpus ldaC(Path file, List<String> vocabulary) throws DatasetException {
        return reading(file, lines -> ldaC(lines, vocabulary));
    }

    /** Reads UCI's docword form: D, W and NNZ on a line each, then {@code document word count}, both counted from 1. */
    public static Corpus docword(Path file, List<String> vocabulary) throws DatasetException {
        return reading(file, lines -> docword(lines, vocabulary));
    }

    static List<String> vocabulary(BufferedReader lines) throws IOException {
        List<String> words = new ArrayList<>();
        for (String line = line(lines); line != null; line = line(lines)) {
            if (!line.isBlank()) {
                words.add(line.strip().toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }

    static Corpus ldaC(BufferedReader lines, List<String> vocabulary) throws IOException {
        CorpusBuilder corpus = new CorpusBuilder(vocabulary.size());
        for (String line = line(lines); line != null; line = line(lines)) {
            StringTokenizer tokens = new StringTokenizer(line, " \t\r:");
            if (!tokens.hasMoreTokens()) {
                continue;
            }
            int words = number(tokens.nextToken());
            require(tokens.countTokens() == 2L * words, "a line does not have as many words as it says");
            corpus.begin();
            for (int i = 0; i < words; i++) {
                add(corpus, number(tokens.nextToken()), number(tokens.nextToken()));
            }
        }
        return corpus.build(vocabulary);
    }

    static Corpus docword(BufferedReader lines, List<String> vocabulary) throws IOException {
        int documents = headerNumber(lines);
        require(headerNumber(lines) == vocabulary.size(), "it counts other words than the vocabulary has");
        int entries = headerNumber(lines);
        CorpusBuilder corpus = new CorpusBuilder(vocabulary.size());
        int current = 0;
        for (String line = line(lines); line != null; line = line(lines)) {
            StringTokenizer tokens = new StringTokenizer(line);
            if (!tokens.hasMoreTokens()) {
                continue;
            }
            require(tokens.countTokens() == 3, "a line is not three numbers");
            int document = number(tokens.nextToken());
            require(document >= current && document <= documents, "documents are not in ascending order");
            while (current < document) {
                corpus.begin();
                current++;
            }
            add(corpus, number(tokens.nextToken()) - 1, number(tokens.nextToken()));
            entries--;
        }
        require(entries == 0, "it does not have as many entries as it says");
        while (current < documents) {
            corpus.begin();
            current++;
        }
        return corpus.build(vocabulary);
    }

    private static int headerNumber(BufferedReader lines) throws IOException {
        String line = line(lines);
        require(line != null, "it ends within its header");
        return number(line.strip());
    }

    /** The next line without its line feed, or null at the end. */
    private static String line(BufferedReader lines) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = lines.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = lines.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private static void add(CorpusBuilder corpus, int word, int count) throws IOException {
        require(corpus.add(word, count), "a word is not in the vocabulary or a count is negative");
    }

    private static int number(String text) throws IOException {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IOException("something is not a whole number", e);
        }
    }

    private static void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }

    /** Something that is made from lines of text. */
    @FunctionalInterface
    interface FromLines<T> {
        T read(BufferedReader lines) throws IOException;
    }

    private static <T> T reading(Path file, FromLines<T> parser) throws DatasetException {
        boolean compressed = file.toString().endsWith(".gz");
        try (var stream = Files.newInputStream(file);
                var unpacked = compressed ? new GZIPInputStream(stream, 1 << 16) : stream;
                var lines = new BufferedReader(new InputStreamReader(unpacked, StandardCharsets.UTF_8), 1 << 16)) {
            return parser.read(lines);
        } catch (NoSuchFileException e) {
            throw new DatasetException(Kind.NO_INPUT, "there is no file " + file + "; name an existing one.", e);
        } catch (IOException e) {
            throw new DatasetException(
                    Kind.BAD_DATA, file + " cannot be read: " + e.getMessage() + "; repair or replace it.", e);
        }
    }

    static <T> T reading(LocatedFile file, FromLines<T> parser) throws DatasetException {
        try (BufferedReader lines = file.lines()) {
            return parser.read(lines);
        } catch (IOException e) {
            throw Broken.because(file, e.getMessage());
        }
    }
}
