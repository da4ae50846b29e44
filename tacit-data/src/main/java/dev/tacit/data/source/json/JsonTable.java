package dev.tacit.data.source.json;

import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.DecimalReader;
import dev.tacit.data.source.OrderedWork;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.csv.CsvDialect;
import dev.tacit.data.source.csv.CsvSplitter;
import dev.tacit.data.source.csv.CsvTable;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A file of JSON, compressed or not: one object a line, or one array of objects.
 *
 * <p>The file is read here and not by DuckDB, which stops at a record that it cannot read: what one record says must not
 * decide whether others are read. A line is a record whatever it holds. In an array, records are what stands between the
 * commas of the structure; if that is not closed, the file is refused.
 */
public final class JsonTable implements TableSource {
    private static final CsvDialect LINES = new CsvDialect((byte) '\n', -1, false, false, false);

    private final DataLocation location;
    private final RowLayout layout;
    private final InputStream in;
    private final OrderedWork.Pieces<JsonChunk> chunks;
    private final int threads;

    private JsonTable(
            DataLocation location,
            RowLayout layout,
            InputStream in,
            OrderedWork.Pieces<JsonChunk> chunks,
            int threads) {
        this.location = location;
        this.layout = layout;
        this.in = in;
        this.chunks = chunks;
        this.threads = threads;
    }

    public static JsonTable open(DataLocation location, RowLayout layout, ReadingOptions options) {
        boolean array = isArray(location);
        InputStream in = CsvTable.stream(location);
        try {
            OrderedWork.Pieces<JsonChunk> chunks = chunks(in, array, CsvTable.chunkSize(layout));
            return new JsonTable(location, layout, in, chunks, options.threads());
        } catch (IOException e) {
            CsvTable.closeQuietly(in);
            throw CsvTable.unreadable(location, e);
        }
    }

    private static OrderedWork.Pieces<JsonChunk> chunks(InputStream in, boolean array, int chunkSize)
            throws IOException {
        if (array) {
            PushbackInputStream text = new PushbackInputStream(in, 1);
            text.unread(skipByteOrderMark(in));
            return new JsonArraySplitter(text, chunkSize)::next;
        }
        CsvSplitter lines = new CsvSplitter(in, LINES, chunkSize);
        return () -> {
            CsvSplitter.Chunk chunk = lines.next();
            return chunk == null ? null : JsonChunk.ofLines(chunk);
        };
    }

    /** A file named .json is one array if it begins with a bracket, and one object a line otherwise. */
    private static boolean isArray(DataLocation location) {
        try (InputStream in = new BufferedInputStream(CsvTable.stream(location))) {
            int first = skipByteOrderMark(in);
            while (first >= 0 && JsonGrammar.isSpace((byte) first)) {
                first = in.read();
            }
            if (first < 0) {
                throw new DataException(location.name() + " is empty");
            }
            String name = location.address().toLowerCase(Locale.ROOT);
            return first == '[' && (name.endsWith(".json") || name.endsWith(".json.gz"));
        } catch (IOException e) {
            throw CsvTable.unreadable(location, e);
        }
    }

    /** The first byte that is not of a mark of the byte order. */
    private static int skipByteOrderMark(InputStream in) throws IOException {
        int first = in.read();
        return first == 0xef && in.read() == 0xbb && in.read() == 0xbf ? in.read() : first;
    }

    private static DataException fault(DataLocation location) {
        return new DataException(location.name()
                + " is not one JSON array with all its brackets and strings closed, as every correct writer of JSON"
                + " writes it; write it again, or one object a line in a file named .ndjson");
    }

    @Override
    public <T> void read(Function<CodedRows, T> step, Consumer<T> inOrder) {
        ThreadLocal<JsonRecords> parsers = ThreadLocal.withInitial(() -> new JsonRecords(layout));
        try {
            OrderedWork.run(threads, chunks, chunk -> step.apply(parsers.get().code(chunk)), inOrder);
        } catch (JsonArraySplitter.Fault e) {
            throw fault(location);
        } catch (IOException e) {
            throw CsvTable.unreadable(location, e);
        }
    }

    /** The names of members in the first records, and which of them are numbers in all of these. */
    public static Map<String, Boolean> describe(DataLocation location, int records) {
        boolean array = isArray(location);
        Map<String, Boolean> isNumber = new LinkedHashMap<>();
        JsonObject object = new JsonObject();
        int looked = 0;
        try (InputStream in = CsvTable.stream(location)) {
            OrderedWork.Pieces<JsonChunk> chunks = chunks(in, array, 1 << 16);
            for (JsonChunk chunk = chunks.next(); chunk != null && looked < records; chunk = chunks.next()) {
                for (int i = 0; i < chunk.count() && looked < records; i++) {
                    looked++;
                    if (!chunk.isTooLong(i)) {
                        object.read(
                                chunk.bytes(),
                                chunk.from(i),
                                chunk.to(i),
                                (name, nameFrom, nameTo, kind, text, from, to) -> {
                                    boolean word = kind == JsonObject.Kind.WORD;
                                    String value = new String(text, from, word ? to - from : 0, StandardCharsets.UTF_8);
                                    boolean number = word && !Double.isNaN(DecimalReader.read(text, from, to));
                                    boolean missing = word && value.equals("null");
                                    isNumber.merge(
                                            new String(name, nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8),
                                            number || missing,
                                            Boolean::logicalAnd);
                                });
                    }
                }
            }
            return isNumber;
        } catch (JsonArraySplitter.Fault e) {
            throw fault(location);
        } catch (IOException e) {
            throw CsvTable.unreadable(location, e);
        }
    }

    @Override
    public void close() {
        CsvTable.closeQuietly(in);
    }
}
