package dev.tacit.noise;

import dev.tacit.door.noise.RandomBits;
import java.math.BigInteger;
import java.util.function.IntFunction;

/**
 * A random real number of which only the leading bits are known; the others are uniform and drawn when a comparison
 * needs them.
 *
 * <pre>
 *   value ∈ [prefix, prefix + 1) · 2^−bits,  uniform in that interval given the prefix
 * </pre>
 *
 * A comparison with a threshold reveals bits, and asks for the threshold more precisely, until the two intervals do not
 * meet. Each round leaves it open with probability of about 2^−63, so it ends, and its answer is that of the infinitely
 * precise number: the comparison is exact.
 */
final class LazyReal {
    private static final int ROUND_BITS = 64;

    private final RandomBits noise;
    private BigInteger prefix;
    private int bits;

    /** A number whose first bits have been drawn already; {@code prefix} is 0 or more. */
    LazyReal(long prefix, int bits, RandomBits noise) {
        this.prefix = BigInteger.valueOf(prefix);
        this.bits = bits;
        this.noise = noise;
    }

    /**
     * Whether the number is below a threshold, which is given as a function from a number of bits to an enclosure of
     * that precision.
     */
    boolean isBelow(IntFunction<Enclosure> threshold) {
        while (true) {
            Enclosure bound = threshold.apply(bits + ROUND_BITS);
            BigInteger unit = BigInteger.ONE.shiftLeft(bound.bits() - bits);
            BigInteger lowest = prefix.multiply(unit);
            if (lowest.compareTo(bound.high()) >= 0) {
                return false;
            }
            if (lowest.add(unit).compareTo(bound.low()) <= 0) {
                return true;
            }
            reveal();
        }
    }

    private void reveal() {
        long word = noise.nextLong();
        prefix = prefix.shiftLeft(ROUND_BITS)
                .add(BigInteger.valueOf(word >>> 1).shiftLeft(1))
                .add(BigInteger.valueOf(word & 1));
        bits += ROUND_BITS;
    }
}
