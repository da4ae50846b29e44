package dev.tacit.data.source.csv;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.FileFormat;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.OrderedWork;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.TableSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * A text file with delimiters, compressed or not.
 *
 * <p>One thread finds the ends of records and others read numbers. The file is read here and not by DuckDB, which
 * guesses how quotes are meant and skips what does not fit: what one record says must not decide what becomes of others.
 */
public final class CsvTable implements TableSource {
    private static final int LARGEST_CHUNK = 1 << 20;
    private static final int SMALLEST_CHUNK = 1 << 14;

    /** Bytes of a chunk times columns: lines of two bytes must not become more rows than memory holds. */
    private static final int CHUNK_CELLS = 1 << 23;

    private final DataLocation location;
    private final RowLayout layout;
    private final CsvDialect dialect;
    private final InputStream in;
    private final CsvSplitter splitter;
    private final List<String> names;
    private final int threads;

    private CsvTable(
            DataLocation location,
            RowLayout layout,
            CsvDialect dialect,
            InputStream in,
            CsvSplitter splitter,
            List<String> names,
            int threads) {
        this.location = location;
        this.layout = layout;
        this.dialect = dialect;
        this.in = in;
        this.splitter = splitter;
        this.names = names;
        this.threads = threads;
    }

    public static CsvTable open(DataLocation location, RowLayout layout, ReadingOptions options) {
        FileFormat format = layout.schema().format();
        CsvDialect dialect = CsvDialect.of(format, location.defaultDelimiter());
        InputStream in = stream(location);
        try {
            CsvSplitter splitter = new CsvSplitter(in, dialect, chunkSize(layout));
            List<String> names = format.header()
                    ? header(location, dialect, splitter)
                    : layout.schema().columns().stream().map(ColumnSchema::name).toList();
            if (splitter.isAtEnd() && !format.header()) {
                throw new DataException(location.name() + " is empty");
            }
            requireColumns(location, layout, dialect, names);
            return new CsvTable(location, layout, dialect, in, splitter, names, options.threads());
        } catch (IOException e) {
            closeQuietly(in);
            throw unreadable(location, e);
        } catch (CsvFault e) {
            closeQuietly(in);
            throw e.about(location, dialect);
        } catch (RuntimeException e) {
            closeQuietly(in);
            throw e;
        }
    }

    public static int chunkSize(RowLayout layout) {
        return Math.max(SMALLEST_CHUNK, Math.min(LARGEST_CHUNK, CHUNK_CELLS / Math.max(1, layout.width())));
    }

    public static InputStream stream(DataLocation location) {
        try {
            InputStream raw = Files.newInputStream(location.file());
            return location.compressed() ? new GZIPInputStream(raw, 1 << 16) : raw;
        } catch (IOException e) {
            throw unreadable(location, e);
        }
    }

    public static DataException unreadable(DataLocation location, IOException e) {
        return new DataException(
                location.name()
                        + (location.compressed()
                                ? " cannot be decompressed to its end; is it a whole gzip file?"
                                : " cannot be read to its end"),
                e);
    }

    /** The names in the first line that is neither a comment nor empty. */
    public static List<String> header(DataLocation location, CsvDialect dialect, CsvSplitter splitter)
            throws IOException {
        CsvSplitter.Chunk record = firstRecord(splitter);
        while (record != null && isBlank(record)) {
            record = firstRecord(splitter);
        }
        if (record == null) {
            throw new DataException(location.name() + " is empty, and its first line should hold the names of columns");
        }
        if (record.isTooLong() || !isText(record.bytes())) {
            throw new DataException("the first line of " + location.name()
                    + " is not text in UTF-8; is it a text file with the names of columns in its first line?");
        }
        return CsvRecords.texts(dialect, record).stream().map(String::strip).toList();
    }

    private static CsvSplitter.Chunk firstRecord(CsvSplitter splitter) throws IOException {
        boolean skipped = true;
        while (skipped) {
            skipped = splitter.skipCommentLine();
        }
        return splitter.nextRecord();
    }

    private static boolean isBlank(CsvSplitter.Chunk record) {
        for (byte b : record.bytes()) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return !record.isTooLong();
    }

    private static boolean isText(byte[] line) {
        for (byte b : line) {
            if (b >= 0 && b < ' ' && b != '\t' && b != '\r' && b != '\n') {
                return false;
            }
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    static void requireColumns(DataLocation location, RowLayout layout, CsvDialect dialect, List<String> names) {
        for (String needed : layout.neededNames()) {
            if (!names.contains(needed)) {
                throw new DataException(absent(location, dialect, names, needed));
            }
        }
        // Only now: if the first line is a record, nothing may be said about its cells.
        for (String needed : layout.neededNames()) {
            if (names.indexOf(needed) != names.lastIndexOf(needed)) {
                throw new DataException("the header of " + location.name() + " has the column \"" + needed
                        + "\" twice; rename one of them");
            }
        }
    }

    /** What stands in the first line is not repeated: without a header it is a record. */
    private static String absent(DataLocation location, CsvDialect dialect, List<String> names, String needed) {
        if (names.size() == 1) {
            String delimiter = dialect.delimiter() == '\t' ? "tab" : "\"" + (char) dialect.delimiter() + "\"";
            return "the header of " + location.name() + " is a single column at delimiter " + delimiter
                    + " and has no \"" + needed + "\"; declare the delimiter that the file uses (format: {delimiter: "
                    + "\";\"})";
        }
        return "the header of " + location.name() + " has no column \"" + needed
                + "\"; write it in the schema as in the file, capital letters included, or declare that there is no "
                + "header (format: {header: false})";
    }

    @Override
    public <T> void read(Function<CodedRows, T> step, Consumer<T> inOrder) {
        int[] slots = CsvRecords.slots(layout, names);
        ThreadLocal<CsvRecords> parsers =
                ThreadLocal.withInitial(() -> new CsvRecords(dialect, layout, slots, names.size()));
        try {
            OrderedWork.run(
                    threads, splitter::next, chunk -> step.apply(parsers.get().code(chunk)), inOrder);
        } catch (CsvFault e) {
            throw e.about(location, dialect);
        } catch (IOException e) {
            throw unreadable(location, e);
        }
    }

    @Override
    public void close() {
        closeQuietly(in);
    }

    public static void closeQuietly(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            // nothing was written, so nothing is lost
        }
    }
}
