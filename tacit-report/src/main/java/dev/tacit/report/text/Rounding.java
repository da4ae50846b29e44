package dev.tacit.report.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Optional;

/** Numbers for people: few digits, rounded in the direction that keeps a bound a bound, and never "NaN". */
public final class Rounding {
    /** What stands where there is no number. */
    public static final String NONE = "\u2013";

    private static final int LARGEST_PLAIN_EXPONENT = 6;
    private static final int MOST_DECIMALS = 8;
    private static final int LONGEST_TYPED = 6;

    private Rounding() {}

    /** Never less than the value, to so many significant digits; infinity is {@code unbounded}. */
    public static String up(double value, int digits) {
        return text(value, digits, RoundingMode.CEILING);
    }

    /** Never more than the value, to so many significant digits. */
    public static String down(double value, int digits) {
        return text(value, digits, RoundingMode.FLOOR);
    }

    /** For numbers that bound nothing. */
    public static String nearest(double value, int digits) {
        return text(value, digits, RoundingMode.HALF_EVEN);
    }

    /** A number that a person may have typed, such as delta: as it was typed if that is short, otherwise rounded up. */
    public static String typedOrUp(double value) {
        return typed(value).orElseGet(() -> up(value, LONGEST_TYPED));
    }

    /** The same for numbers of which more is better, such as a noise multiplier: rounded down unless typed. */
    public static String typedOrDown(double value) {
        return typed(value).orElseGet(() -> down(value, LONGEST_TYPED));
    }

    private static Optional<String> typed(double value) {
        return Optional.of(value)
                .filter(Double::isFinite)
                .map(number -> new BigDecimal(Double.toString(number)).stripTrailingZeros())
                .filter(number -> number.precision() <= LONGEST_TYPED)
                .map(Rounding::layOut);
    }

    /** A probability as per cent with one decimal, never less than the value and never more than 100. */
    public static String percentUp(double probability) {
        if (Double.isNaN(probability)) {
            return NONE;
        }
        BigDecimal percent = new BigDecimal(Math.max(0, Math.min(1, probability))).movePointRight(2);
        return percent.setScale(1, RoundingMode.CEILING).stripTrailingZeros().toPlainString() + "%";
    }

    /** A share as per cent, to the nearest whole number; what is above 0 but small is {@code < 1 %}. */
    public static String share(double share) {
        if (!Double.isFinite(share)) {
            return NONE;
        }
        return share > 0 && share < 0.01 ? "< 1%" : Math.round(100 * share) + "%";
    }

    /** A whole number with its thousands set apart. */
    public static String count(long count) {
        String digits = Long.toString(count);
        StringBuilder grouped = new StringBuilder();
        int start = digits.startsWith("-") ? 1 : 0;
        for (int i = 0; i < digits.length(); i++) {
            int left = digits.length() - i;
            if (i > start && left % 3 == 0 && digits.length() - start > 4) {
                grouped.append('\u2009');
            }
            grouped.append(digits.charAt(i));
        }
        return grouped.toString();
    }

    /** With so many decimals; very large and very small numbers are written with an exponent. */
    public static String decimals(double value, int decimals) {
        if (!Double.isFinite(value)) {
            return noNumber(value);
        }
        if (Math.abs(value) >= Math.pow(10, LARGEST_PLAIN_EXPONENT + 1)) {
            return nearest(value, 3);
        }
        BigDecimal rounded = new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN);
        if (rounded.signum() == 0 && value != 0) {
            return nearest(value, 2);
        }
        return minus(rounded.toPlainString());
    }

    /** How many decimals show two digits of a typical spread. */
    public static int decimalsFor(double... spreads) {
        double[] usable = Arrays.stream(spreads)
                .filter(spread -> spread > 0 && Double.isFinite(spread))
                .sorted()
                .toArray();
        if (usable.length == 0) {
            return 3;
        }
        double typical = usable[usable.length / 2];
        int exponent = (int) Math.floor(Math.log10(typical));
        return Math.max(0, Math.min(MOST_DECIMALS, 1 - exponent));
    }

    private static String text(double value, int digits, RoundingMode rounding) {
        return Double.isFinite(value)
                ? layOut(new BigDecimal(value).round(new MathContext(digits, rounding)))
                : noNumber(value);
    }

    private static String noNumber(double value) {
        return Double.isNaN(value) ? NONE : "unbounded";
    }

    private static String layOut(BigDecimal number) {
        if (number.signum() == 0) {
            return "0";
        }
        BigDecimal shortest = number.stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent <= LARGEST_PLAIN_EXPONENT) {
            return minus(shortest.toPlainString());
        }
        return minus(shortest.scaleByPowerOfTen(-exponent).toPlainString()) + "e" + exponent;
    }

    private static String minus(String number) {
        return number.replace('-', '\u2212');
    }
}
