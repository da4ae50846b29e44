package dev.tacit.data.source;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into chunks of whole records.
 *
 * <p>A record longer than {@value #LONGEST_RECORD} bytes is cut there, and the rest of its line is dropped.
 */
final class CsvSplitter {
    static final int LONGEST_RECORD = 1 << 26;

    /** Whole records. */
    static final class Chunk {
        private final byte[] bytes;
        private final int from;
        private final int to;

        Chunk(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.from = from;
            this.to = to;
        }

        byte[] bytes() {
            return bytes;
        }

        int from() {
            return from;
        }

        int to() {
            return to;
        }
    }

    private final InputStream in;
    private final CsvDialect dialect;
    private final int chunkSize;
    private byte[] bytes;
    private int start;
    private int end;
    private boolean endOfFile;
    private boolean dropLine;

    CsvSplitter(InputStream in, CsvDialect dialect, int chunkSize) {
        this.in = in;
        this.dialect = dialect;
        this.chunkSize = chunkSize;
        this.bytes = new byte[chunkSize];
    }

    /** The next record alone, or null at the end of the file; used for the header. */
    Chunk nextRecord() throws IOException {
        while (true) {
            int stop = dialect.recordEnd(bytes, start, end, endOfFile);
            if (stop == CsvDialect.UNKNOWN && end - start < LONGEST_RECORD) {
                more();
                continue;
            }
            if (start == end) {
                return null;
            }
            int to = stop == CsvDialect.UNKNOWN ? end : stop;
            Chunk record = new Chunk(Arrays.copyOfRange(bytes, start, to), 0, to - start);
            start = Math.min(end, to + 1);
            return record;
        }
    }

    /** The next few megabytes of records, or null at the end of the file. */
    Chunk next() throws IOException {
        more();
        dropRestOfLine();
        int cut = cut();
        while (cut == start && !endOfFile && end - start < LONGEST_RECORD) {
            more();
            cut = cut();
        }
        if (start == end) {
            return null;
        }
        if (cut == start) {
            cut = end;
            dropLine = !endOfFile;
        }
        Chunk chunk = new Chunk(bytes, start, cut);
        byte[] rest = new byte[Math.max(chunkSize, 2 * (end - cut))];
        System.arraycopy(bytes, cut, rest, 0, end - cut);
        end -= cut;
        start = 0;
        bytes = rest;
        return chunk;
    }

    /** After the last record that is known to be whole and begins within the size of a chunk. */
    private int cut() {
        if (endOfFile && end - start <= chunkSize) {
            return end;
        }
        if (!dialect.quoted() || !hasQuote()) {
            return cutAtLine();
        }
        int cut = start;
        while (cut < end && cut - start < chunkSize) {
            int stop = dialect.recordEnd(bytes, cut, end, endOfFile);
            if (stop == CsvDialect.UNKNOWN) {
                return cut;
            }
            cut = Math.min(end, stop + 1);
        }
        return cut;
    }

    private int cutAtLine() {
        int limit = Math.min(end, start + chunkSize);
        int last = limit;
        while (last > start && bytes[last - 1] != '\n') {
            last--;
        }
        if (last > start) {
            return last;
        }
        int next = EightBytes.indexOf(bytes, limit, end, (byte) '\n', (byte) '\n');
        return next < end ? next + 1 : (endOfFile ? end : start);
    }

    private boolean hasQuote() {
        return EightBytes.indexOf(bytes, start, end, (byte) '"', (byte) '"') < end;
    }

    private void dropRestOfLine() throws IOException {
        while (dropLine && (start < end || !endOfFile)) {
            while (start < end && dropLine) {
                dropLine = bytes[start] != '\n';
                start++;
            }
            if (dropLine) {
                more();
            }
        }
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
        }
    }
}
