package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.RowStore;
import dev.tacit.data.schema.CorpusSchema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.engine.RecordsInMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * Reads documents as rows of word counts, by a public vocabulary only.
 *
 * <p>What becomes of a document depends on that document alone. Among private documents, a piece that is not understood
 * counts as nothing and nobody is told; among documents that are to be described or scored it is an error that names its
 * line. Every line of {@code lda-c} and {@code text} is a document, also an empty one; in {@code docword} all lines with
 * one number are a document, wherever they stand. Lines end at line feeds only.
 */
public final class Documents {
    private static final long MOST_COUNT = 1_000_000_000;

    private final CorpusSchema schema;
    private final boolean strict;
    private final String name;
    private final Map<String, Integer> places = new HashMap<>();

    private Documents(CorpusSchema schema, boolean strict, String name) {
        this.schema = schema;
        this.strict = strict;
        this.name = name;
        if (schema.format() == CorpusSchema.Format.TEXT) {
            for (int w = 0; w < schema.vocabulary().size(); w++) {
                places.put(schema.vocabulary().get(w), w);
            }
        }
    }

    /** Private documents; they are told to the sketch if there is one. */
    static RecordSource privateRecords(String file, CorpusSchema schema, Optional<RecordSketch.Builder> sketch) {
        return new RecordsInMemory(schema.vocabulary().size(), false, read(file, schema, false, sketch), null);
    }

    /** Private documents of a part of a file that has a document in every line. */
    public static RecordSource privatePart(InputStream part, CorpusSchema schema, Optional<RecordSketch.Builder> sketch)
            throws IOException {
        if (schema.format() == CorpusSchema.Format.DOCWORD) {
            throw new DataException("the lines of a document in docword may stand anywhere; write lda-c or text");
        }
        List<RecordBlock> blocks = new Documents(schema, false, "").lines(new Lines(part), sketch);
        return new RecordsInMemory(schema.vocabulary().size(), false, blocks, null);
    }

    /** Documents that may be looked at, in the order of the file. */
    public static List<RecordBlock> publicRows(String file, CorpusSchema schema) {
        return read(file, schema, true, Optional.empty());
    }

    /** Tells documents to a sketch. */
    static void sketch(String file, CorpusSchema schema, RecordSketch.Builder sketch) {
        read(file, schema, false, Optional.of(sketch));
    }

    private static List<RecordBlock> read(
            String file, CorpusSchema schema, boolean strict, Optional<RecordSketch.Builder> sketch) {
        DataLocation location = DataLocation.of(file);
        Documents reader = new Documents(schema, strict, location.name());
        try (InputStream raw = Files.newInputStream(location.file());
                InputStream plain = location.compressed() ? new GZIPInputStream(raw, 1 << 16) : raw) {
            Lines lines = new Lines(plain);
            return schema.format() == CorpusSchema.Format.DOCWORD
                    ? reader.triples(lines, sketch)
                    : reader.lines(lines, sketch);
        } catch (IOException e) {
            throw new DataException(location.name() + " cannot be read; check that it is whole");
        }
    }

    private DataException broken(long line, String what) {
        return new DataException("line " + line + " of " + name + " " + what);
    }

    private List<RecordBlock> lines(Lines lines, Optional<RecordSketch.Builder> sketch) throws IOException {
        Blocks blocks = new Blocks(schema.vocabulary().size());
        TreeMap<Integer, Long> document = new TreeMap<>();
        long number = 0;
        for (byte[] bytes = lines.next(); bytes != null; bytes = lines.next()) {
            String line = new String(bytes, StandardCharsets.UTF_8);
            number++;
            document.clear();
            if (sketch.isPresent()) {
                sketch.get().add(bytes);
            }
            if (schema.format() == CorpusSchema.Format.TEXT) {
                text(line, document);
            } else {
                pairs(line, number, document);
            }
            blocks.add(document);
        }
        return blocks.finish();
    }

    /** Lower case; a hyphen ends a word; everything else that is neither letter nor digit nor blank is dropped. */
    private void text(String line, Map<Integer, Long> document) {
        StringBuilder word = new StringBuilder();
        String lower = line.toLowerCase(Locale.ROOT);
        for (int i = 0; i <= lower.length(); i++) {
            char c = i == lower.length() ? ' ' : lower.charAt(i);
            if (Character.isLetterOrDigit(c)) {
                word.append(c);
            } else if (c == '-' || Character.isWhitespace(c)) {
                Integer place = places.get(word.toString());
                if (place != null) {
                    document.merge(place, 1L, Long::sum);
                }
                word.setLength(0);
            }
        }
    }

    private void pairs(String line, long number, Map<Integer, Long> document) {
        StringTokenizer tokens = new StringTokenizer(line);
        if (!tokens.hasMoreTokens()) {
            return;
        }
        long declared = whole(tokens.nextToken());
        if (strict && declared != tokens.countTokens()) {
            throw broken(number, "does not begin with the number of its words; lda-c is M word:count word:count ...");
        }
        while (tokens.hasMoreTokens()) {
            String pair = tokens.nextToken();
            int colon = pair.indexOf(':');
            long word = colon < 0 ? -1 : whole(pair.substring(0, colon));
            long count = colon < 0 ? -1 : whole(pair.substring(colon + 1));
            add(word, count, number, document);
        }
    }

    private void add(long word, long count, long number, Map<Integer, Long> document) {
        if (word >= 0 && word < schema.vocabulary().size() && count >= 0) {
            if (count > 0) {
                document.merge((int) word, Math.min(MOST_COUNT, count), Documents::capped);
            }
        } else if (strict) {
            throw broken(number, "holds a word that the vocabulary does not have, or something that is not a count");
        }
    }

    private static long capped(long one, long other) {
        return Math.min(MOST_COUNT, one + other);
    }

    /** A whole number from 0 on, or −1. */
    private static long whole(String text) {
        if (text.isEmpty() || text.length() > 18) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = 10 * value + (c - '0');
        }
        return value;
    }

    /** The second line of the header is public: how many words the vocabulary has. The others count documents. */
    private List<RecordBlock> triples(Lines lines, Optional<RecordSketch.Builder> sketch) throws IOException {
        byte[] documents = lines.next();
        byte[] words = lines.next();
        byte[] entries = lines.next();
        if (documents == null || words == null || entries == null) {
            throw new DataException(name + " has no header; docword begins with three lines of one number each");
        }
        if (whole(new String(words, StandardCharsets.UTF_8).strip())
                != schema.vocabulary().size()) {
            throw new DataException(name + " counts another number of words than the vocabulary has");
        }
        Map<Long, TreeMap<Integer, Long>> found = strict ? new TreeMap<>() : new LinkedHashMap<>();
        long number = 3;
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            number++;
            StringTokenizer tokens = new StringTokenizer(new String(line, StandardCharsets.UTF_8));
            if (tokens.countTokens() != 3) {
                if (strict && tokens.hasMoreTokens()) {
                    throw broken(number, "is not three numbers: document, word and count");
                }
                continue;
            }
            long document = whole(tokens.nextToken());
            long word = whole(tokens.nextToken()) - 1;
            long count = whole(tokens.nextToken());
            if (document > 0) {
                add(word, count, number, found.computeIfAbsent(document, unused -> new TreeMap<>()));
            } else if (strict) {
                throw broken(number, "does not begin with the number of a document");
            }
        }
        Blocks blocks = new Blocks(schema.vocabulary().size());
        found.values().forEach(blocks::add);
        if (sketch.isPresent()) {
            found.values().forEach(document -> sketch.get().add(content(document)));
        }
        return blocks.finish();
    }

    private static byte[] content(Map<Integer, Long> document) {
        ByteBuffer bytes = ByteBuffer.allocate((Integer.BYTES + Long.BYTES) * document.size());
        document.forEach((word, count) -> bytes.putInt(word).putLong(count));
        return bytes.array();
    }

    /** Rows of equally large blocks. */
    private static final class Blocks {
        private final int columns;
        private final List<RecordBlock> done = new ArrayList<>();
        private final int[] starts = new int[RowStore.BLOCK_ROWS + 1];
        private int[] words = new int[1 << 12];
        private double[] counts = new double[1 << 12];
        private int rows;

        Blocks(int columns) {
            this.columns = columns;
        }

        void add(Map<Integer, Long> document) {
            int entries = starts[rows];
            if (entries + document.size() > words.length) {
                int size = Math.max(entries + document.size(), 2 * words.length);
                words = Arrays.copyOf(words, size);
                counts = Arrays.copyOf(counts, size);
            }
            for (Map.Entry<Integer, Long> entry : document.entrySet()) {
                words[entries] = entry.getKey();
                counts[entries++] = entry.getValue();
            }
            starts[++rows] = entries;
            if (rows == RowStore.BLOCK_ROWS) {
                close();
            }
        }

        private void close() {
            done.add(SparseBlock.of(
                    rows,
                    columns,
                    Arrays.copyOf(starts, rows + 1),
                    Arrays.copyOf(words, starts[rows]),
                    Arrays.copyOf(counts, starts[rows]),
                    null));
            rows = 0;
        }

        List<RecordBlock> finish() {
            if (rows > 0) {
                close();
            }
            return done;
        }
    }
}
