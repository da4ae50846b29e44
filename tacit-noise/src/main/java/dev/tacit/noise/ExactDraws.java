package dev.tacit.noise;

import dev.tacit.door.noise.RandomBits;

/** Coins and integers whose law is exact: no rounding, no modulo bias. */
public final class ExactDraws {
    private static final double TWO_TO_63 = 0x1p63;

    private ExactDraws() {}

    /**
     * True with exactly the given probability.
     *
     * <p>A uniform real number is compared with the probability 64 binary digits at a time; only equal digits lead to
     * the next round. Every double has finitely many digits, and all steps on it are exact.
     */
    public static boolean bernoulli(double probability, RandomBits noise) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("a probability is a number between 0 and 1");
        }
        if (probability == 1) {
            return true;
        }
        double rest = probability;
        while (rest > 0) {
            double scaled = rest * 0x1p64;
            double digits = Math.floor(scaled);
            long word = noise.nextLong();
            int order = Long.compareUnsigned(word, unsigned(digits));
            if (order != 0) {
                return order < 0;
            }
            rest = scaled - digits;
        }
        return false;
    }

    private static long unsigned(double integerBelowTwoTo64) {
        return integerBelowTwoTo64 < TWO_TO_63
                ? (long) integerBelowTwoTo64
                : (long) (integerBelowTwoTo64 - TWO_TO_63) + Long.MIN_VALUE;
    }

    /**
     * A uniform integer from 0 up to, not including, the bound.
     *
     * <p>Lemire 2019, "Fast random integer generation in an interval", Algorithm 5, with 64-bit words.
     */
    public static long below(long bound, RandomBits noise) {
        if (bound < 1) {
            throw new IllegalArgumentException("a bound is at least 1");
        }
        long word = noise.nextLong();
        long low = word * bound;
        if (Long.compareUnsigned(low, bound) < 0) {
            long threshold = Long.remainderUnsigned(-bound, bound);
            while (Long.compareUnsigned(low, threshold) < 0) {
                word = noise.nextLong();
                low = word * bound;
            }
        }
        return unsignedMultiplyHigh(word, bound);
    }

    /** The upper half of the product of an unsigned and a positive number. */
    private static long unsignedMultiplyHigh(long unsigned, long positive) {
        return Math.multiplyHigh(unsigned, positive) + (positive & (unsigned >> 63));
    }
}
