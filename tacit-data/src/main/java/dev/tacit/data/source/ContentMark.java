package dev.tacit.data.source;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A 128-bit mark of a whole record under a key: the first half of its HMAC-SHA-256. Does nothing if there is no key.
 *
 * <p>Cells are set one after the other, each followed by its length, so that records with different cells are different
 * texts; whether cells stood in quotes does not matter.
 */
public final class ContentMark {
    private final KeyedHash keyed;
    private byte[] record = new byte[256];
    private int length;

    public ContentMark(Optional<SketchKey> key) {
        keyed = key.map(SketchKey::hash).orElse(null);
    }

    /** Whether marks are wanted. */
    public boolean wanted() {
        return keyed != null;
    }

    /** Adds a cell to the record. */
    public void cell(byte[] text, int from, int to) {
        int size = to - from;
        if (length + size + Integer.BYTES > record.length) {
            record = Arrays.copyOf(record, 2 * (length + size + Integer.BYTES));
        }
        System.arraycopy(text, from, record, length, size);
        length += size;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            record[length] = (byte) (size >>> shift);
            length++;
        }
    }

    /** Marks a row with the cells since the last one. */
    public void mark(CodedRows rows, int row) {
        if (keyed != null) {
            ByteBuffer hash = ByteBuffer.wrap(keyed.of(record, length));
            length = 0;
            rows.setContent(row, hash.getLong(), hash.getLong());
        }
    }
}
