package dev.tacit.data.prepare;

import dev.tacit.data.source.SketchKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.crypto.Mac;

/**
 * A keyed digest of records in their order, which parts of a table can be digested for on their own and then put together.
 *
 * <pre>
 *   two polynomials over the 32-bit words w of the records' marks:   h = Σ w_i r^(n − i)  mod 2^61 − 1
 *   parts A, B:  h(AB) = h(A) r^|B| + h(B)          digest = HMAC(key, h_1, h_2, number of records)
 * </pre>
 *
 * r is known to whoever has the key. Two different sequences of n words that were fixed before agree with a probability of
 * at most (n / 2^61)², the degree of a polynomial over the number of points, twice (Carter, Wegman 1979).
 */
final class RecordSequence {
    private static final long PRIME = (1L << 61) - 1;
    private static final byte[] POINTS = "tacit record sequence".getBytes(StandardCharsets.US_ASCII);

    private final SketchKey key;
    private final long firstPoint;
    private final long secondPoint;
    private long first;
    private long second;
    private long records;

    RecordSequence(SketchKey key) {
        this.key = key;
        ByteBuffer points = ByteBuffer.wrap(key.mac().doFinal(POINTS));
        this.firstPoint = (points.getLong() >>> 3) % PRIME;
        this.secondPoint = (points.getLong() >>> 3) % PRIME;
    }

    /** Adds a record by its mark. */
    void add(long high, long low) {
        first = words(first, firstPoint, high, low);
        second = words(second, secondPoint, high, low);
        records++;
    }

    private static long words(long value, long point, long high, long low) {
        long next = sum(product(value, point), high >>> 32);
        next = sum(product(next, point), high & 0xffffffffL);
        next = sum(product(next, point), low >>> 32);
        return sum(product(next, point), low & 0xffffffffL);
    }

    /** Adds the records of a part, as {@link #part} says, after those that are here. */
    void addPart(long[] part) {
        long more = part[2];
        first = sum(product(first, power(firstPoint, more)), part[0]);
        second = sum(product(second, power(secondPoint, more)), part[1]);
        records += more;
    }

    /** The values of both polynomials, and how many records there are. */
    long[] part() {
        return new long[] {first, second, records};
    }

    byte[] digest() {
        Mac mac = key.mac();
        return mac.doFinal(ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(first)
                .putLong(second)
                .putLong(records)
                .array());
    }

    private static long power(long point, long records) {
        long result = 1;
        long square = product(product(point, point), product(point, point)); // four words a record
        for (long left = records; left > 0; left >>= 1) {
            result = (left & 1) == 1 ? product(result, square) : result;
            square = product(square, square);
        }
        return result;
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        long folded = (sum & PRIME) + (sum >>> 61);
        return folded == PRIME ? 0 : folded;
    }

    /** a b = high 2^64 + low = (8 high + low / 2^61) 2^61 + low mod 2^61, and 2^61 = 1. */
    private static long product(long one, long other) {
        long high = Math.multiplyHigh(one, other);
        long low = one * other;
        return sum((high << 3) | (low >>> 61), low & PRIME);
    }
}
