package dev.tacit.data.source;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

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

    /** 0x1., thirteen digits, p, a sign, four digits. */
    private static final int LONGEST_NUMBER = 4 + 13 + 2 + 4;

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
        text[length++] = '0';
        text[length++] = 'x';
        text[length++] = (byte) (exponent == 0 ? '0' : '1');
        if (fraction != 0) {
            text[length++] = '.';
            for (long left = fraction << (Long.SIZE - FRACTION_BITS); left != 0; left <<= 4) {
                text[length++] = HEX[(int) (left >>> 60)];
            }
        }
        text[length++] = 'p';
        int power = exponent == 0 ? 1 - BIAS : exponent - BIAS;
        text[length++] = (byte) (power < 0 ? '-' : '+');
        int size = Math.abs(power);
        for (int unit = size < 10 ? 1 : size < 100 ? 10 : size < 1000 ? 100 : 1000; unit > 0; unit /= 10) {
            text[length++] = HEX[size / unit % 10];
        }
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
