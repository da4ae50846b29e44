package dev.tacit.spark;

import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.csv.CsvPart;
import dev.tacit.spark.read.PartReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;

/**
 * A range of the bytes of a text file that begins and ends between records.
 *
 * @param path of the file
 * @param from where the range begins
 * @param to where it ends
 * @param names of the file's columns
 * @param compressed whether the file is compressed; then the range is the whole file
 */
record TextSplit(String path, long from, long to, List<String> names, boolean compressed) implements Serializable {
    /** Reads lines of documents or records. */
    InputStream open(SerializableConfiguration configuration) throws IOException {
        Path file = new Path(path);
        FSDataInputStream in = file.getFileSystem(configuration.value()).open(file);
        try {
            if (compressed) {
                return new GZIPInputStream(in, 1 << 16);
            }
            return new Range(in, from, to);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /** How executors read records. */
    record Records(SerializableConfiguration configuration) implements PartSource.Reading<TextSplit> {
        @Override
        public PartReader of(Iterator<TextSplit> handed, RowLayout layout) {
            List<TextSplit> splits = new ArrayList<>();
            handed.forEachRemaining(splits::add);
            return take -> {
                for (TextSplit split : splits) {
                    CsvPart.Form form = new CsvPart.Form(split.names(), split.from());
                    try (InputStream in = split.open(configuration)) {
                        if (split.compressed()) {
                            in.skipNBytes(split.from());
                        }
                        CsvPart.read(in, form, DataLocation.of(split.path()), layout, take);
                    }
                }
            };
        }
    }

    /** The bytes of a range. */
    private static final class Range extends InputStream {
        private final FSDataInputStream in;
        private long left;

        Range(FSDataInputStream in, long from, long to) throws IOException {
            this.in = in;
            this.left = to - from;
            in.seek(from);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(bytes, offset, (int) Math.min(length, left));
            left -= Math.max(0, count);
            return count;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Cuts a file in which every line is a record after line ends, into ranges of about so many bytes. */
    static List<TextSplit> cut(FSDataInputStream in, TextSplit whole, long bytes) throws IOException {
        List<TextSplit> splits = new ArrayList<>();
        long from = whole.from();
        while (from < whole.to()) {
            long to = Math.min(whole.to(), from + bytes);
            long end = to == whole.to() ? to : afterLineEnd(in, to - 1, whole.to());
            splits.add(new TextSplit(whole.path(), from, end, whole.names(), false));
            from = end;
        }
        return splits;
    }

    private static long afterLineEnd(FSDataInputStream in, long place, long end) throws IOException {
        byte[] bytes = new byte[1 << 12];
        for (long start = place; start < end; start += bytes.length) {
            int count = (int) Math.min(bytes.length, end - start);
            in.readFully(start, bytes, 0, count);
            for (int i = 0; i < count; i++) {
                if (bytes[i] == '\n') {
                    return start + i + 1;
                }
            }
        }
        return end;
    }
}
