package dev.tacit.data.source;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Reads decimal numbers from bytes, rounded to the nearest double.
 *
 * <pre>
 *   w 10^q:  exact product or quotient if w ≤ 2^53 and |q| ≤ 22;  otherwise the upper bits of w times a 128-bit 5^q
 * </pre>
 *
 * Lemire 2021, "Number parsing at a gigabyte per second", Algorithm 1; what it leaves open (more than 19 digits,
 * exponents beyond ±300, subnormal results) goes through {@link Double#parseDouble}. Also read: inf, infinity and nan
 * in any case. Everything else is not a number, and the answer is NaN.
 */
public final class DecimalReader {
    private static final int LEAST_POWER = -300;
    private static final int LARGEST_POWER = 300;
    private static final long[] HIGH = new long[LARGEST_POWER - LEAST_POWER + 1];
    private static final long[] LOW = new long[LARGEST_POWER - LEAST_POWER + 1];
    private static final double[] TENS = new double[23];

    static {
        for (int power = LEAST_POWER; power <= LARGEST_POWER; power++) {
            BigInteger bits = significand(power);
            HIGH[power - LEAST_POWER] = bits.shiftRight(64).longValue();
            LOW[power - LEAST_POWER] = bits.longValue();
        }
        double ten = 1;
        for (int power = 0; power < TENS.length; power++) {
            TENS[power] = ten;
            ten *= 10;
        }
    }

    private DecimalReader() {}

    /** The first 128 bits of 5^power; rounded up if the power is negative. */
    private static BigInteger significand(int power) {
        BigInteger five = BigInteger.valueOf(5).pow(Math.abs(power));
        if (power >= 0) {
            return five.shiftLeft(128).shiftRight(five.bitLength());
        }
        int zeros = five.subtract(BigInteger.ONE).bitLength();
        int shift = power >= -27 ? zeros + 127 : 2 * zeros + 128;
        BigInteger inverse = BigInteger.ONE.shiftLeft(shift).divide(five).add(BigInteger.ONE);
        return inverse.shiftRight(Math.max(0, inverse.bitLength() - 128));
    }

    /** The number that these bytes spell, without white space around it; NaN if they spell none. */
    public static double read(byte[] text, int from, int to) {
        int position = from;
        boolean negative = false;
        if (position < to && (text[position] == '-' || text[position] == '+')) {
            negative = text[position] == '-';
            position++;
        }
        long digits = 0;
        int start = position;
        while (position < to && isDigit(text[position])) {
            digits = 10 * digits + (text[position] - '0');
            position++;
        }
        int count = position - start;
        int exponent = 0;
        if (position < to && text[position] == '.') {
            position++;
            int fraction = position;
            while (position + 8 <= to && EightBytes.areDigits(text, position)) {
                digits = 100_000_000 * digits + EightBytes.digits(text, position);
                position += 8;
            }
            while (position < to && isDigit(text[position])) {
                digits = 10 * digits + (text[position] - '0');
                position++;
            }
            count += position - fraction;
            exponent = fraction - position;
        }
        if (count == 0) {
            return word(text, from, to);
        }
        if (position < to && (text[position] == 'e' || text[position] == 'E')) {
            int exponentEnd = exponentEnd(text, position + 1, to);
            if (exponentEnd != to) {
                return Double.NaN;
            }
            if (exponentEnd - position > 6) {
                return slow(text, from, to);
            }
            exponent += exponentValue(text, position + 1, to);
            position = exponentEnd;
        }
        if (position != to) {
            return Double.NaN;
        }
        if (count > 19 && count - leadingZeros(text, start, to) > 19) {
            return slow(text, from, to);
        }
        double value = value(digits, exponent);
        if (Double.isNaN(value)) {
            return slow(text, from, to);
        }
        return negative ? -value : value;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static int leadingZeros(byte[] text, int from, int to) {
        int zeros = 0;
        for (int position = from; position < to && (text[position] == '0' || text[position] == '.'); position++) {
            zeros += text[position] == '0' ? 1 : 0;
        }
        return zeros;
    }

    private static int exponentEnd(byte[] text, int from, int to) {
        int position = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
        int digits = position;
        while (position < to && isDigit(text[position])) {
            position++;
        }
        return position == digits ? -1 : position;
    }

    private static int exponentValue(byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        int value = 0;
        for (int position = from; position < to; position++) {
            if (isDigit(text[position])) {
                value = 10 * value + (text[position] - '0');
            }
        }
        return negative ? -value : value;
    }

    private static double slow(byte[] text, int from, int to) {
        return Double.parseDouble(new String(text, from, to - from, StandardCharsets.US_ASCII));
    }

    private static double word(byte[] text, int from, int to) {
        boolean signed = from < to && (text[from] == '-' || text[from] == '+');
        int start = signed ? from + 1 : from;
        if (is(text, start, to, "inf") || is(text, start, to, "infinity")) {
            return text[from] == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return Double.NaN;
    }

    private static boolean is(byte[] text, int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((text[from + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** digits 10^power with unsigned digits, or NaN if this method cannot tell. */
    private static double value(long digits, int power) {
        if (digits == 0) {
            return 0;
        }
        if (digits > 0 && digits <= 1L << 53 && power >= -22 && power <= 22) {
            return power < 0 ? digits / TENS[-power] : digits * TENS[power];
        }
        if (power < LEAST_POWER || power > LARGEST_POWER) {
            return Double.NaN;
        }
        int zeros = Long.numberOfLeadingZeros(digits);
        long shifted = digits << zeros;
        long high = multiplyHigh(shifted, HIGH[power - LEAST_POWER]);
        long low = shifted * HIGH[power - LEAST_POWER];
        if ((high & 0x1ff) == 0x1ff) {
            long more = low + multiplyHigh(shifted, LOW[power - LEAST_POWER]);
            if (Long.compareUnsigned(more, low) < 0) {
                high++;
            }
            low = more;
        }
        if (low == -1 && (power < -27 || power > 55)) {
            return Double.NaN;
        }
        return assemble(high, low, power, zeros);
    }

    private static double assemble(long high, long low, int power, int zeros) {
        int upper = (int) (high >>> 63);
        long mantissa = high >>> (upper + 9);
        int exponent = ((217706 * power) >> 16) + 63 + upper - zeros + 1023;
        if (exponent <= 0) {
            return Double.NaN;
        }
        boolean halfway = Long.compareUnsigned(low, 1) <= 0 && power >= -4 && power <= 23 && (mantissa & 3) == 1;
        if (halfway && mantissa << (upper + 9) == high) {
            mantissa &= ~1L;
        }
        mantissa = (mantissa + (mantissa & 1)) >>> 1;
        if (mantissa >= 1L << 53) {
            mantissa = 1L << 52;
            exponent++;
        }
        if (exponent >= 0x7ff) {
            return Double.NaN;
        }
        return Double.longBitsToDouble((mantissa & ((1L << 52) - 1)) | ((long) exponent << 52));
    }

    private static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }
}
