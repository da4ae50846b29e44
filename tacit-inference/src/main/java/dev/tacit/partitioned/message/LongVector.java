package dev.tacit.partitioned.message;

import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;

/** A list of 64-bit words that nobody can change, compared by value: what releases and masked shares are made of. */
public final class LongVector {
    private final long[] values;

    private LongVector(long[] values) {
        this.values = values;
    }

    /** A copy of these words. */
    public static LongVector of(long... values) {
        return new LongVector(values.clone());
    }

    /** A copy. */
    public long[] toArray() {
        return values.clone();
    }

    /** How many there are. */
    public int size() {
        return values.length;
    }

    /** As base64, eight bytes each, the low byte first. */
    String packed() {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Long.BYTES, values.length))
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(values);
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** Reads {@link #packed} back. */
    static LongVector read(JsonFields json, String name) {
        byte[] bytes;
        String text = json.text(name);
        try {
            bytes = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(json.pathOf(name), "must be words packed as base64");
        }
        if (bytes.length % Long.BYTES != 0) {
            throw new JsonFieldException(json.pathOf(name), "must hold eight bytes for each word");
        }
        long[] values = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
        return new LongVector(values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LongVector words && Arrays.equals(words.values, values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return values.length + " words";
    }
}
