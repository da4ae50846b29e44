package dev.tacit.data.source.json;

import dev.tacit.data.source.EightBytes;
import dev.tacit.data.source.csv.CsvSplitter;
import java.util.Arrays;

/** Some records of a JSON file, as places in an array of bytes. */
final class JsonChunk {
    private static final int TOO_LONG = -1;

    private byte[] bytes = new byte[0];
    private int[] ends = new int[64];
    private int[] starts = new int[64];
    private int count;

    /** A record that was found. */
    void add(int from, int to) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
        }
        starts[count] = from;
        ends[count] = to;
        count++;
    }

    /** A record whose bytes were not kept. */
    void addTooLong() {
        add(0, TOO_LONG);
    }

    void setBytes(byte[] all) {
        bytes = all;
    }

    byte[] bytes() {
        return bytes;
    }

    int count() {
        return count;
    }

    int from(int record) {
        return starts[record];
    }

    int to(int record) {
        return ends[record];
    }

    boolean isTooLong(int record) {
        return ends[record] == TOO_LONG;
    }

    /** The lines of a chunk, those of white space aside. */
    static JsonChunk ofLines(CsvSplitter.Chunk lines) {
        JsonChunk chunk = new JsonChunk();
        chunk.setBytes(lines.bytes());
        if (lines.isTooLong()) {
            chunk.addTooLong();
        }
        int from = lines.from();
        while (from < lines.to()) {
            int to = EightBytes.indexOf(lines.bytes(), from, lines.to(), (byte) '\n', (byte) '\n');
            int first = from;
            while (first < to && JsonGrammar.isSpace(lines.bytes()[first])) {
                first++;
            }
            if (first < to) {
                chunk.add(first, to);
            }
            from = to + 1;
        }
        return chunk;
    }
}
