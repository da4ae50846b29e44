package dev.tacit.data.source;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What a record of a table with typed columns holds, as the text that is marked: cells in the order of the columns, with
 * commas between them, then its SHA-256. {@link dev.tacit.data.source.database.DuckDbTable} lets DuckDB write the same text.
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
        put(ascii(HexFormat.of().formatHex(digest.digest())));
    }

    /** A cell that is written as it is, without commas. */
    public void addPlain(String plain) {
        put(ascii(plain));
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
        put((byte) '0');
        put((byte) 'x');
        put((byte) (exponent == 0 ? '0' : '1'));
        if (fraction != 0) {
            put((byte) '.');
            for (long left = fraction << (Long.SIZE - FRACTION_BITS); left != 0; left <<= 4) {
                put(HEX[(int) (left >>> 60)]);
            }
        }
        put((byte) 'p');
        int power = exponent == 0 ? 1 - BIAS : exponent - BIAS;
        put((byte) (power < 0 ? '-' : '+'));
        put(ascii(Integer.toString(Math.abs(power))));
    }

    private void put(byte b) {
        if (length == text.length) {
            text = Arrays.copyOf(text, 2 * length);
        }
        text[length] = b;
        length++;
    }

    private void put(byte[] bytes) {
        if (length + bytes.length > text.length) {
            text = Arrays.copyOf(text, 2 * (length + bytes.length));
        }
        System.arraycopy(bytes, 0, text, length, bytes.length);
        length += bytes.length;
    }

    /** Marks a row with the cells since the last one; commas stand between cells, not after the last. */
    public void mark(ContentMark mark, CodedRows rows, int row) {
        digest.update(text, 0, Math.max(0, length - 1));
        length = 0;
        byte[] hash = ascii(HexFormat.of().formatHex(digest.digest()));
        mark.cell(hash, 0, hash.length);
        mark.mark(rows, row);
    }
}
