package dev.tacit.data.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * What a record of a table with typed columns holds, as the text that is marked: cells in the order of the columns, with
 * commas between them, then its SHA-256. {@link dev.tacit.data.source.database.DuckDbTable} lets DuckDB write some of the cells.
 *
 * <pre>
 *   text: its SHA-256 in base 16      number with a fraction: as C's %a      whole number, decimal, true/false, date: as SQL writes them
 *   missing: nothing
 * </pre>
 */
public final class ContentText {
    private static final byte[] NOT_A_NUMBER = ascii("nan");
    private static final byte[] INFINITE = ascii("inf");
    private static final byte[] ZERO = ascii("0x0p+0");
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final int FRACTION_BITS = 52;
    private static final int BIAS = 1023;

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle FOUR_BYTES = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int ZERO_POINT = '0' << 24 | 'x' << 16 | '0' << 8 | '.';
    private static final int ONE_POINT = '0' << 24 | 'x' << 16 | '1' << 8 | '.';

    /** 0x1., thirteen digits that are written as sixteen, p, a sign, four digits. */
    private static final int LONGEST_NUMBER = 4 + 16 + 2 + 4;

    private final MessageDigest digest;
    private byte[] text = new byte[512];
    private int length;

    public ContentText() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] ascii(String characters) {
        return characters.getBytes(StandardCharsets.US_ASCII);
    }

    /** Ends a cell. */
    public void endCell() {
        put((byte) ',');
    }

    /** A cell of text. */
    public void addText(byte[] bytes, int from, int to) {
        digest.update(bytes, from, to - from);
        put(hexDigest());
    }

    /** A cell that is written as it is, without commas. */
    public void addPlain(String plain) {
        put(ascii(plain));
    }

    /** A whole number. */
    public void addWhole(long number) {
        if (number >= 0 && number < 10) {
            put(HEX[(int) number]);
        } else {
            addPlain(Long.toString(number));
        }
    }

    /** A number with a fraction: sign, 0x1., the bits of the fraction in base 16 without zeros at the end, p, exponent with its sign. */
    public void addNumber(double number) {
        if (Double.isNaN(number)) {
            put(NOT_A_NUMBER);
            return;
        }
        long bits = Double.doubleToRawLongBits(number);
        if (bits < 0) {
            put((byte) '-');
        }
        long fraction = bits & ((1L << FRACTION_BITS) - 1);
        int exponent = (int) (bits >>> FRACTION_BITS) & 0x7ff;
        if (exponent == 0x7ff) {
            put(INFINITE);
            return;
        }
        if (exponent == 0 && fraction == 0) {
            put(ZERO);
            return;
        }
        room(LONGEST_NUMBER);
        byte[] to = text;
        int at = length;
        FOUR_BYTES.set(to, at, exponent == 0 ? ZERO_POINT : ONE_POINT);
        if (fraction == 0) {
            at += 3;
        } else {
            long left = fraction << (Long.SIZE - FRACTION_BITS);
            EIGHT_BYTES.set(to, at + 4, eightDigits(left >>> Integer.SIZE));
            EIGHT_BYTES.set(to, at + 4 + Long.BYTES, eightDigits(left & 0xffffffffL));
            at += 4 + (Long.SIZE - Long.numberOfTrailingZeros(left) + 3) / 4;
        }
        int power = exponent == 0 ? 1 - BIAS : exponent - BIAS;
        to[at] = 'p';
        to[at + 1] = (byte) (power < 0 ? '-' : '+');
        at += 2;
        int size = Math.abs(power);
        if (size >= 10) {
            if (size >= 1000) {
                to[at++] = HEX[size / 1000];
            }
            if (size >= 100) {
                to[at++] = HEX[size / 100 % 10];
            }
            to[at++] = HEX[size / 10 % 10];
            size %= 10;
        }
        to[at] = (byte) ('0' + size);
        length = at + 1;
    }

    /**
     * The characters of 32 bits in base 16, one a byte, the highest first: halves are set apart three times, until every byte is a
     * digit, and those above 9 go to the letters.
     */
    private static long eightDigits(long bits) {
        long digits = (bits << 16 | bits) & 0x0000ffff0000ffffL;
        digits = (digits << 8 | digits) & 0x00ff00ff00ff00ffL;
        digits = (digits << 4 | digits) & 0x0f0f0f0f0f0f0f0fL;
        long letters = (digits + 0x0606060606060606L) >>> 4 & 0x0101010101010101L;
        return digits + 0x3030303030303030L + letters * ('a' - '0' - 10);
    }

    private void room(int more) {
        if (length + more > text.length) {
            text = Arrays.copyOf(text, 2 * (length + more));
        }
    }

    private void put(byte b) {
        room(1);
        text[length] = b;
        length++;
    }

    private void put(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, text, length, bytes.length);
        length += bytes.length;
    }

    /** SHA-256 of what the digest was given, in base 16. */
    private byte[] hexDigest() {
        byte[] hash = digest.digest();
        byte[] hex = new byte[2 * hash.length];
        for (int i = 0; i < hash.length; i++) {
            hex[2 * i] = HEX[hash[i] >> 4 & 0xf];
            hex[2 * i + 1] = HEX[hash[i] & 0xf];
        }
        return hex;
    }

    /** Marks a row with the cells since the last one; commas stand between cells, not after the last. */
    public void mark(ContentMark mark, CodedRows rows, int row) {
        digest.update(text, 0, Math.max(0, length - 1));
        length = 0;
        byte[] hash = hexDigest();
        mark.cell(hash, 0, hash.length);
        mark.mark(rows, row);
    }
}
