package dev.tacit.data.source.csv;

import dev.tacit.data.source.EightBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into chunks of whole records.
 *
 * <p>Where quotes are doubled within quotes, a line end ends a record if and only if the number of quotes before it is
 * even; so quotes are counted, eight bytes at a time, and records are not looked at. In a file with a {@link CsvFault} this
 * can go wrong after the fault only, and whoever walks over the chunk that holds the fault finds it.
 *
 * <p>A record longer than {@value #LONGEST_RECORD} bytes is void: a chunk of its own that says so, while the bytes are
 * followed to the record's end.
 */
public final class CsvSplitter {
    public static final int LONGEST_RECORD = 1 << 26;

    /**
     * Whole records.
     *
     * @param bytes among others theirs; not to be written to
     * @param from where the first begins
     * @param to where the last ends
     * @param hasSpecial whether a quote, or a backslash where it matters, may be among them
     * @param isTooLong whether this stands for one record that is too long, and is empty
     */
    public record Chunk(byte[] bytes, int from, int to, boolean hasSpecial, boolean isTooLong) {
        /** One record. */
        static Chunk of(byte[] record) {
            return new Chunk(record, 0, record.length, true, false);
        }
    }

    private final InputStream in;
    private final CsvDialect dialect;
    private final int chunkSize;
    private final int longestRecord;
    private byte[] bytes;
    private int start;
    private int end;
    private boolean endOfFile;
    private long taken;

    public CsvSplitter(InputStream in, CsvDialect dialect, int chunkSize) throws IOException {
        this(in, dialect, chunkSize, LONGEST_RECORD);
    }

    /** For tests, which have shorter records. */
    CsvSplitter(InputStream in, CsvDialect dialect, int chunkSize, int longestRecord) throws IOException {
        this.in = in;
        this.dialect = dialect;
        this.chunkSize = chunkSize;
        this.longestRecord = longestRecord;
        this.bytes = new byte[Math.max(4, chunkSize)];
        more();
        skipByteOrderMark();
    }

    /** From the middle of a file, where a mark of the byte order is text. */
    static CsvSplitter ofLaterPart(InputStream in, CsvDialect dialect, int chunkSize) throws IOException {
        CsvSplitter splitter = new CsvSplitter(in, dialect, chunkSize);
        splitter.start = 0;
        return splitter;
    }

    /** How many bytes of the stream were handed out, or passed over. */
    long position() {
        return taken - (end - start);
    }

    /** Some programs put a mark of the byte order in front of UTF-8. */
    private void skipByteOrderMark() {
        if (end >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf) {
            start = 3;
        }
    }

    /** Whether the stream holds nothing more. */
    boolean isAtEnd() throws IOException {
        if (start == end) {
            more();
        }
        return start == end;
    }

    /** Drops the line if it begins with the character of comments; for what stands before a header, whatever it holds. */
    boolean skipCommentLine() throws IOException {
        if (isAtEnd() || bytes[start] != dialect.comment()) {
            return false;
        }
        int stop = EightBytes.indexOf(bytes, start, end, (byte) '\n', (byte) '\n');
        while (stop == end && !endOfFile) {
            start = end;
            more();
            stop = EightBytes.indexOf(bytes, start, end, (byte) '\n', (byte) '\n');
        }
        start = Math.min(end, stop + 1);
        return true;
    }

    /** The next record alone, or null at the end of the file; used where records are few. */
    public Chunk nextRecord() throws IOException {
        while (true) {
            CsvRecordEnd ends = new CsvRecordEnd(dialect);
            int stop = ends.find(bytes, start, end);
            int to = stop == CsvRecordEnd.NOT_HERE ? end : stop;
            if (to - start > longestRecord) {
                return dropRecord();
            }
            if (stop == CsvRecordEnd.NOT_HERE && !endOfFile) {
                more();
                continue;
            }
            if (start == end) {
                return null;
            }
            if (stop == CsvRecordEnd.NOT_HERE) {
                ends.endOfFile();
            }
            Chunk record = Chunk.of(Arrays.copyOfRange(bytes, start, to));
            start = Math.min(end, to + 1);
            return record;
        }
    }

    /** The next few megabytes of records, or null at the end of the file. */
    public Chunk next() throws IOException {
        more();
        int cut = cut();
        while (cut == start && !endOfFile && end - start <= longestRecord) {
            more();
            cut = cut();
        }
        if (start == end) {
            return null;
        }
        // Beyond the size of a chunk there is one record, and its end may not be known.
        int recordEnd = cut == start ? end : bytes[cut - 1] == '\n' ? cut - 1 : cut;
        if (recordEnd - start > longestRecord) {
            return dropRecord();
        }
        cut = cut == start ? end : cut;
        Chunk chunk = new Chunk(bytes, start, cut, hasSpecial(start, cut), false);
        byte[] rest = new byte[Math.max(chunkSize, 2 * (end - cut))];
        System.arraycopy(bytes, cut, rest, 0, end - cut);
        end -= cut;
        start = 0;
        bytes = rest;
        return chunk;
    }

    /** Follows a record to its end. */
    private Chunk dropRecord() throws IOException {
        CsvRecordEnd ends = new CsvRecordEnd(dialect);
        int stop = ends.find(bytes, start, end);
        while (stop == CsvRecordEnd.NOT_HERE && !endOfFile) {
            start = end;
            more();
            stop = ends.find(bytes, start, end);
        }
        if (stop == CsvRecordEnd.NOT_HERE) {
            ends.endOfFile();
        }
        start = stop == CsvRecordEnd.NOT_HERE ? end : stop + 1;
        return new Chunk(new byte[0], 0, 0, false, true);
    }

    /**
     * After the last record that ends within the size of a chunk; if there is none, after the first one; the start if
     * that is not known to end.
     */
    private int cut() {
        if (endOfFile && end - start <= Math.min(chunkSize, longestRecord)) {
            return end;
        }
        int limit = Math.min(end, start + Math.min(chunkSize, longestRecord));
        if (dialect.escaped()) {
            return cutByRecords(limit);
        }
        boolean open = dialect.quoted() && EightBytes.count(bytes, start, limit, (byte) '"') % 2 == 1;
        int last = lastLineEnd(limit, open);
        return last > start ? last : nextLineEnd(limit, open);
    }

    /** After the last line end before the limit that is not in quotes, or the start; quotes are counted backwards. */
    private int lastLineEnd(int limit, boolean openAtLimit) {
        boolean open = openAtLimit;
        int last = limit;
        while (last > start && (open || bytes[last - 1] != '\n')) {
            open ^= dialect.quoted() && bytes[last - 1] == '"';
            last--;
        }
        return last;
    }

    private int nextLineEnd(int limit, boolean openAtLimit) {
        boolean open = openAtLimit;
        byte quote = dialect.quoted() ? (byte) '"' : (byte) '\n';
        int next = EightBytes.indexOf(bytes, limit, end, (byte) '\n', quote);
        while (next < end && (open || bytes[next] == '"')) {
            open ^= bytes[next] == '"';
            next = EightBytes.indexOf(bytes, next + 1, end, (byte) '\n', quote);
        }
        return next < end ? next + 1 : endOfFile && !open ? end : start;
    }

    private int cutByRecords(int limit) {
        CsvRecordEnd ends = new CsvRecordEnd(dialect);
        int cut = start;
        while (cut < limit) {
            int stop = ends.find(bytes, cut, end);
            if (stop == CsvRecordEnd.NOT_HERE || (stop >= limit && cut > start)) {
                return cut > start || stop != CsvRecordEnd.NOT_HERE || !endOfFile ? cut : end;
            }
            cut = stop + 1;
        }
        return cut;
    }

    private boolean hasSpecial(int from, int to) {
        byte special = dialect.quoted() ? (byte) '"' : (byte) '\\';
        return !dialect.linesAreRecords() && EightBytes.indexOf(bytes, from, to, special, special) < to;
    }

    /** Fills the buffer, which grows if it is full. */
    private void more() throws IOException {
        if (start > 0) {
            System.arraycopy(bytes, start, bytes, 0, end - start);
            end -= start;
            start = 0;
        }
        if (end == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        while (!endOfFile && end < bytes.length) {
            int count = in.read(bytes, end, bytes.length - end);
            endOfFile = count < 0;
            end += Math.max(0, count);
            taken += Math.max(0, count);
        }
    }
}
