package dev.tacit.json;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/**
 * Arrays of doubles as one JSON string: base64 (RFC 4648) of their IEEE 754 bits, eight bytes each, the low byte first.
 *
 * <p>Exact like the decimal form, a third shorter, and some hundred times faster to write; for states and posteriors of
 * hundreds of thousands of numbers.
 */
public final class PackedNumbers {
    private PackedNumbers() {}

    /** The text of an array. */
    public static String write(double[] numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Double.BYTES, numbers.length))
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(numbers);
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** Reads a field that {@link #write} wrote. */
    public static double[] read(JsonFields json, String name) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(json.text(name));
        } catch (IllegalArgumentException e) {
            throw e instanceof JsonFieldException known
                    ? known
                    : new JsonFieldException(json.pathOf(name), "must be numbers packed as base64");
        }
        if (bytes.length % Double.BYTES != 0) {
            throw new JsonFieldException(json.pathOf(name), "must hold eight bytes for each number");
        }
        double[] numbers = new double[bytes.length / Double.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(numbers);
        return numbers;
    }
}
