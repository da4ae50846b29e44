package dev.tacit.noise;

import java.math.BigInteger;

/**
 * A real number in [0, 1] between two fixed-point numbers: low · 2^−bits ≤ value ≤ high · 2^−bits.
 *
 * <p>Every operation rounds low down and high up, so an enclosure is right whatever its width. This is the slow,
 * certain arithmetic behind the comparisons that floating point leaves open.
 */
record Enclosure(BigInteger low, BigInteger high, int bits) {

    /** The exact value numerator · 2^−scale, rounded outwards to the given number of bits. */
    static Enclosure ofDyadic(BigInteger numerator, int scale, int bits) {
        return new Enclosure(floorShift(numerator, bits - scale), ceilingShift(numerator, bits - scale), bits);
    }

    /**
     * exp(−numerator / denominator) for a rational number that is 0 or more.
     *
     * <pre>
     *   e^{−x} = (e^{−x/2^h})^{2^h},  x/2^h ≤ 1/2;
     *   partial sums of 1 − y + y²/2! − … are upper and lower bounds in turn
     * </pre>
     */
    static Enclosure expOfMinus(BigInteger numerator, BigInteger denominator, int bits) {
        // If x ≥ bits, then e^{−x} < 2^−bits.
        if (numerator.compareTo(denominator.multiply(BigInteger.valueOf(bits))) >= 0) {
            return new Enclosure(BigInteger.ZERO, BigInteger.ONE, bits);
        }
        int halvings = Math.max(0, numerator.bitLength() - denominator.bitLength() + 2);
        int working = bits + halvings + 16;
        BigInteger divisor = denominator.shiftLeft(halvings);
        BigInteger scaled = numerator.shiftLeft(working);
        Enclosure result = alternatingSeries(scaled.divide(divisor), ceilingDivide(scaled, divisor), working);
        for (int i = 0; i < halvings; i++) {
            result = result.times(result);
        }
        return result.toBits(bits);
    }

    /** The series of e^{−y} for y in [lowY, highY] · 2^−bits, highY at most about one half. */
    private static Enclosure alternatingSeries(BigInteger lowY, BigInteger highY, int bits) {
        BigInteger one = BigInteger.ONE.shiftLeft(bits);
        BigInteger lowTerm = one;
        BigInteger highTerm = one;
        BigInteger low = one;
        BigInteger high = one;
        for (int n = 1; ; n++) {
            BigInteger order = BigInteger.valueOf(n);
            lowTerm = lowTerm.multiply(lowY).shiftRight(bits).divide(order);
            highTerm = ceilingDivide(ceilingShift(highTerm.multiply(highY), -bits), order);
            if (n % 2 == 1) {
                low = low.subtract(highTerm);
                high = high.subtract(lowTerm);
                if (highTerm.bitLength() <= 1) {
                    // The next term is positive and no larger than this one.
                    return new Enclosure(low.max(BigInteger.ZERO), high.add(highTerm), bits);
                }
            } else {
                low = low.add(lowTerm);
                high = high.add(highTerm);
            }
        }
    }

    /** base^exponent by repeated squaring, for an exponent that is 0 or more. */
    static Enclosure power(Enclosure base, long exponent) {
        BigInteger one = BigInteger.ONE.shiftLeft(base.bits);
        Enclosure result = new Enclosure(one, one, base.bits);
        Enclosure square = base;
        for (long left = exponent; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                result = result.times(square);
            }
            if (left > 1) {
                square = square.times(square);
            }
        }
        return result;
    }

    /** The product of two enclosures of the same number of bits. */
    Enclosure times(Enclosure other) {
        if (bits != other.bits) {
            throw new IllegalArgumentException("enclosures of different precision");
        }
        return new Enclosure(
                low.multiply(other.low).shiftRight(bits), ceilingShift(high.multiply(other.high), -bits), bits);
    }

    /** This value times an integer and a power of two; the result may leave [0, 1]. */
    Enclosure scaledBy(BigInteger factor, int powerOfTwo) {
        return new Enclosure(
                floorShift(low.multiply(factor), powerOfTwo), ceilingShift(high.multiply(factor), powerOfTwo), bits);
    }

    /** The same value with fewer or more bits. */
    Enclosure toBits(int newBits) {
        return new Enclosure(floorShift(low, newBits - bits), ceilingShift(high, newBits - bits), newBits);
    }

    private static BigInteger floorShift(BigInteger value, int left) {
        return value.shiftLeft(left);
    }

    private static BigInteger ceilingShift(BigInteger value, int left) {
        return value.negate().shiftLeft(left).negate();
    }

    private static BigInteger ceilingDivide(BigInteger value, BigInteger divisor) {
        return value.add(divisor).subtract(BigInteger.ONE).divide(divisor);
    }
}
