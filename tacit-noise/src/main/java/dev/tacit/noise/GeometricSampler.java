package dev.tacit.noise;

import dev.tacit.door.noise.RandomBits;
import java.math.BigInteger;

/**
 * The number of failures before the first success, with exactly the geometric law of a double rate.
 *
 * <pre>
 *   P(G ≥ k) = (1 − rate)^k;     G = max{k : U &lt; (1 − rate)^k},  U uniform on [0, 1)
 * </pre>
 *
 * Inversion in floating point is not exact, so it is only used where it cannot be wrong. The first 53 bits of U confine
 * it to an interval, and 1 ulp errors of {@code log} and {@code log1p} (specified by {@link StrictMath}; 16 times that
 * is allowed for) confine −ln U / −ln(1 − rate). If all of that interval has one integer part, this is G whatever the
 * other bits of U are. Otherwise (probability about (1/rate) 2^−47) further bits of U are drawn and compared with
 * powers of the exact rational number 1 − rate in directed integer arithmetic until the answer is certain. Either way G
 * is the same function of the infinitely many bits of U, so its law is exact.
 */
public final class GeometricSampler {
    private static final int PREFIX_BITS = 53;
    private static final double PREFIX_UNIT = 0x1p-53;
    private static final double RELATIVE_ERROR = 0x1p-48;

    private final double rate;
    private final double failuresPerUnit;
    private final int prefixBits;

    /** Successes come with the given probability, at least 2^−100 and at most 1. */
    public GeometricSampler(double rate) {
        this(rate, PREFIX_BITS);
    }

    /** For tests: a shorter prefix leaves more decisions to the exact arithmetic, and must not change the law. */
    GeometricSampler(double rate, int prefixBits) {
        if (!(rate >= RandomBits.SMALLEST_RATE && rate <= 1)) {
            throw new IllegalArgumentException("a success rate is a number from 2^-100 to 1");
        }
        this.rate = rate;
        this.prefixBits = prefixBits;
        failuresPerUnit = -1 / StrictMath.log1p(-rate);
    }

    double rate() {
        return rate;
    }

    /** The number of failures before the first success, or {@code limit} if there are at least that many. */
    public long next(long limit, RandomBits noise) {
        if (rate == 1) {
            return 0;
        }
        long prefix = noise.nextLong() >>> (Long.SIZE - prefixBits);
        double unit = prefixBits == PREFIX_BITS ? PREFIX_UNIT : Math.scalb(1.0, -prefixBits);
        // U lies in [prefix, prefix + 1) · unit, and −ln x ≤ −ln(x + 1) + 1/x.
        double energy = -StrictMath.log((prefix + 1) * unit);
        double least = energy * failuresPerUnit * (1 - RELATIVE_ERROR);
        double most = (energy + 1.0 / prefix) * failuresPerUnit * (1 + RELATIVE_ERROR);
        long lower = (long) least;
        long upper = (long) most;
        if (lower >= limit) {
            return limit;
        }
        return lower == upper ? lower : search(lower, Math.min(upper, limit), new LazyReal(prefix, prefixBits, noise));
    }

    /** The largest k between the bounds with U below (1 − rate)^k; it is known to hold at the lower bound. */
    private long search(long lower, long upper, LazyReal uniform) {
        // rate = mantissa · 2^−scale, so 1 − rate = (2^scale − mantissa) · 2^−scale.
        int scale = 52 - Math.getExponent(rate);
        BigInteger mantissa = BigInteger.valueOf((long) Math.scalb(rate, scale));
        BigInteger complement = BigInteger.ONE.shiftLeft(scale).subtract(mantissa);
        long low = lower;
        long high = upper;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            boolean survives = uniform.isBelow(bits -> Enclosure.power(
                            Enclosure.ofDyadic(complement, scale, bits + Long.SIZE), middle)
                    .toBits(bits));
            if (survives) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
