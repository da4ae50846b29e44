package dev.tacit.data.source.json;

import dev.tacit.data.source.csv.CsvSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts one JSON array into its elements by the structure of JSON alone; an element longer than the longest record is void,
 * while its bytes are followed to its end.
 */
final class JsonArraySplitter {
    /** The text is not one array that is closed. */
    static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Fault() {
            super("not one array", null, false, false);
        }
    }

    private final InputStream in;
    private final int chunkSize;
    private final int longestRecord;
    private final JsonGrammar grammar = new JsonGrammar();
    private byte[] bytes;
    private int position;
    private int end;
    private boolean endOfFile;
    private boolean inElement;
    private boolean dropped;
    private int elementStart;

    JsonArraySplitter(InputStream in, int chunkSize) {
        this(in, chunkSize, CsvSplitter.LONGEST_RECORD);
    }

    /** For tests, which have shorter records. */
    JsonArraySplitter(InputStream in, int chunkSize, int longestRecord) {
        this.in = in;
        this.chunkSize = chunkSize;
        this.longestRecord = longestRecord;
        this.bytes = new byte[chunkSize];
    }

    /** The next elements, or null after the last one. */
    JsonChunk next() throws IOException {
        JsonChunk chunk = new JsonChunk();
        while (true) {
            while (position < end) {
                look(bytes[position], chunk);
                position++;
            }
            if (chunk.count() > 0) {
                return handOver(chunk);
            }
            if (endOfFile) {
                if (!grammar.isComplete()) {
                    throw new Fault();
                }
                return null;
            }
            more();
        }
    }

    private void look(byte b, JsonChunk chunk) {
        if (grammar.depth() == 1 && !JsonGrammar.isSpace(b)) {
            if (grammar.expectsValue() && b != ']') {
                inElement = true;
                elementStart = position;
            } else if (inElement && grammar.isAfterValue() && (b == ',' || b == ']')) {
                if (dropped || position - elementStart > longestRecord) {
                    chunk.addTooLong();
                } else {
                    chunk.add(elementStart, position);
                }
                inElement = false;
                dropped = false;
            }
        }
        if (!grammar.accept(b)) {
            throw new Fault();
        }
    }

    /** The chunk keeps the bytes; what follows its last element goes on in new ones. */
    private JsonChunk handOver(JsonChunk chunk) {
        chunk.setBytes(bytes);
        int kept = inElement && !dropped ? end - elementStart : 0;
        byte[] rest = new byte[Math.max(chunkSize, 2 * kept)];
        System.arraycopy(bytes, end - kept, rest, 0, kept);
        bytes = rest;
        elementStart = 0;
        end = kept;
        position = kept;
        return chunk;
    }

    /** Goes on with more bytes; those of an open element are kept unless it is too long. */
    private void more() throws IOException {
        dropped |= inElement && end - elementStart > longestRecord;
        int kept = inElement && !dropped ? end - elementStart : 0;
        System.arraycopy(bytes, end - kept, bytes, 0, kept);
        elementStart = 0;
        end = kept;
        position = kept;
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
