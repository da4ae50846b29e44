package dev.tacit.data.source;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.FileFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * A text file with delimiters, compressed or not.
 *
 * <p>One thread finds the ends of records and others read numbers. The file is read here and not by DuckDB, which
 * stops or skips other records when one holds an unbalanced quote: what one record says must not decide what becomes of
 * others.
 */
final class CsvTable implements TableSource {
    private static final int LARGEST_CHUNK = 1 << 20;
    private static final int SMALLEST_CHUNK = 1 << 14;

    /** Bytes of a chunk times columns: lines of two bytes must not become more rows than memory holds. */
    private static final int CHUNK_CELLS = 1 << 23;

    private final DataLocation location;
    private final RowLayout layout;
    private final CsvDialect dialect;
    private final InputStream in;
    private final CsvSplitter splitter;
    private final int[] slots;
    private final int threads;

    private CsvTable(
            DataLocation location,
            RowLayout layout,
            CsvDialect dialect,
            InputStream in,
            CsvSplitter splitter,
            int[] slots,
            int threads) {
        this.location = location;
        this.layout = layout;
        this.dialect = dialect;
        this.in = in;
        this.splitter = splitter;
        this.slots = slots;
        this.threads = threads;
    }

    static CsvTable open(DataLocation location, RowLayout layout, ReadingOptions options) {
        FileFormat format = layout.schema().format();
        CsvDialect dialect = CsvDialect.of(format, location.defaultDelimiter());
        InputStream in = stream(location);
        try {
            CsvSplitter splitter = new CsvSplitter(in, dialect, chunkSize(layout));
            List<String> names = format.header()
                    ? header(location, dialect, splitter)
                    : layout.schema().columns().stream().map(ColumnSchema::name).toList();
            requireColumns(location, layout, dialect, names);
            int[] slots = CsvRecords.slots(layout, names);
            return new CsvTable(location, layout, dialect, in, splitter, slots, options.threads());
        } catch (IOException e) {
            closeQuietly(in);
            throw unreadable(location, e);
        } catch (RuntimeException e) {
            closeQuietly(in);
            throw e;
        }
    }

    private static int chunkSize(RowLayout layout) {
        return Math.max(SMALLEST_CHUNK, Math.min(LARGEST_CHUNK, CHUNK_CELLS / Math.max(1, layout.width())));
    }

    static InputStream stream(DataLocation location) {
        try {
            InputStream raw = Files.newInputStream(location.file());
            return location.compressed() ? new GZIPInputStream(raw, 1 << 16) : raw;
        } catch (IOException e) {
            throw unreadable(location, e);
        }
    }

    static DataException unreadable(DataLocation location, IOException e) {
        return new DataException(
                location.name()
                        + (location.compressed()
                                ? " cannot be decompressed to its end; is it a whole gzip file?"
                                : " cannot be read to its end"),
                e);
    }

    static List<String> header(DataLocation location, CsvDialect dialect, CsvSplitter splitter) throws IOException {
        CsvSplitter.Chunk record = splitter.nextRecord();
        while (record != null && isSkipped(dialect, record.bytes())) {
            record = splitter.nextRecord();
        }
        if (record == null) {
            throw new DataException(location.name() + " is empty, and its first line should hold the names of columns");
        }
        byte[] bytes = withoutMark(record.bytes());
        if (!isText(bytes)) {
            throw new DataException("the first line of " + location.name()
                    + " is not text in UTF-8; is it a text file with the names of columns in its first line?");
        }
        List<String> names = CsvRecords.names(dialect, bytes);
        Set<String> seen = new HashSet<>();
        for (int place = 0; place < names.size(); place++) {
            if (!names.get(place).isEmpty() && !seen.add(names.get(place))) {
                throw new DataException("the header of " + location.name() + " has a name twice, at column "
                        + (place + 1) + "; rename it, or declare that there is no header (format: {header: false})");
            }
        }
        return names;
    }

    private static boolean isSkipped(CsvDialect dialect, byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return line[0] == dialect.comment();
            }
        }
        return true;
    }

    /** Without the byte-order mark that some programs put in front of UTF-8. */
    private static byte[] withoutMark(byte[] line) {
        boolean marked = line.length >= 3 && line[0] == (byte) 0xef && line[1] == (byte) 0xbb && line[2] == (byte) 0xbf;
        return marked ? Arrays.copyOfRange(line, 3, line.length) : line;
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

    private static void requireColumns(
            DataLocation location, RowLayout layout, CsvDialect dialect, List<String> names) {
        for (String needed : layout.neededNames()) {
            if (!names.contains(needed)) {
                throw new DataException(absent(location, dialect, names, needed));
            }
        }
    }

    private static String absent(DataLocation location, CsvDialect dialect, List<String> names, String needed) {
        String delimiter = dialect.delimiter() == '\t' ? "tab" : "\"" + (char) dialect.delimiter() + "\"";
        if (names.size() == 1) {
            return "the header of " + location.name() + " is a single column at delimiter " + delimiter
                    + " and has no \"" + needed + "\"; declare the delimiter that the file uses (format: {delimiter: "
                    + "\";\"})";
        }
        for (String name : names) {
            if (name.equalsIgnoreCase(needed)) {
                return "the header of " + location.name() + " has no column \"" + needed + "\" but \"" + name
                        + "\"; write it in the schema as in the file";
            }
        }
        // What stands there is not repeated: without a header it is a record.
        return "the header of " + location.name() + " has no column \"" + needed + "\" among its " + names.size()
                + "; correct the schema, or declare that there is no header (format: {header: false})";
    }

    @Override
    public <T> void read(Function<CodedRows, T> step, Consumer<T> inOrder) {
        ThreadLocal<CsvRecords> parsers = ThreadLocal.withInitial(() -> new CsvRecords(dialect, layout, slots));
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "tacit-read");
            thread.setDaemon(true);
            return thread;
        });
        try {
            ArrayDeque<Future<T>> waiting = new ArrayDeque<>();
            for (CsvSplitter.Chunk chunk = splitter.next(); chunk != null; chunk = splitter.next()) {
                CsvSplitter.Chunk part = chunk;
                waiting.add(pool.submit(() -> step.apply(parsers.get().code(part))));
                if (waiting.size() > threads + 1) {
                    inOrder.accept(join(waiting.remove()));
                }
            }
            while (!waiting.isEmpty()) {
                inOrder.accept(join(waiting.remove()));
            }
        } catch (IOException e) {
            throw unreadable(location, e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static <T> T join(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (e.getCause() instanceof DataException known) {
                throw known;
            }
            throw new IllegalStateException("rows could not be coded", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("reading was interrupted", e);
        }
    }

    @Override
    public void close() {
        closeQuietly(in);
    }

    private static void closeQuietly(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            // nothing was written, so nothing is lost
        }
    }
}
