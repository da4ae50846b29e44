package dev.tacit.fit.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers for people: six significant digits, rounded in the direction that keeps a bound a bound. */
public final class Rounded {
    private static final int DIGITS = 6;

    private Rounded() {}

    /** Never less than the value. */
    public static String up(double value) {
        return text(value, RoundingMode.CEILING);
    }

    /** Never more than the value. */
    public static String down(double value) {
        return text(value, RoundingMode.FLOOR);
    }

    /** For numbers that bound nothing. */
    public static String nearest(double value) {
        return text(value, RoundingMode.HALF_EVEN);
    }

    /** A number a person typed, as short as it can be written without changing it. */
    public static String asGiven(double value) {
        return layOut(new BigDecimal(Double.toString(value)));
    }

    /** A parameter in a description: as given if that is short, otherwise to six digits. */
    public static String brief(double value) {
        String given = asGiven(value);
        return given.length() <= DIGITS + 3 ? given : nearest(value);
    }

    private static String text(double value, RoundingMode rounding) {
        if (Double.isNaN(value)) {
            return "undefined";
        }
        if (Double.isInfinite(value)) {
            return "unbounded";
        }
        return layOut(new BigDecimal(value).round(new MathContext(DIGITS, rounding)));
    }

    private static String layOut(BigDecimal number) {
        if (number.signum() == 0) {
            return "0";
        }
        BigDecimal shortest = number.stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < 7) {
            return shortest.toPlainString();
        }
        return shortest.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
    }

    public static String decimals(double value) {
        return Math.abs(value) >= 1e5 || (value != 0 && Math.abs(value) < 1e-4)
                ? Rounded.nearest(value)
                : String.format(Locale.ROOT, "%.4f", value);
    }
}
