package dev.tacit.text;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Decimal numbers as people write them, without the forms that only programmers know ({@code 0x1p-3}, {@code 1d}, {@code NaN}). */
public final class PlainNumber {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,9})?");

    private PlainNumber() {}

    /** A plain decimal number, or NaN if the text is anything else. */
    public static double parse(String text) {
        return DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    }

    /** A whole number, also written 1e6, or -1 if the text is anything else. */
    public static long parseWhole(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            return -1;
        }
        try {
            return new BigDecimal(text).longValueExact();
        } catch (ArithmeticException notWhole) {
            return -1;
        }
    }
}
