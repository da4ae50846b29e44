package dev.tacit.run.method;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * From where to where a setting may be: at either end a fit still runs to its end, and beyond it nothing is charged.
 *
 * @param low the smallest value
 * @param high the largest value
 */
public record Limits(double low, double high) {
    /** How far rounding may carry a limit that follows from the schema. */
    private static final double ROUNDING = 1e-9;

    public Limits {
        if (!(low <= high) || Double.isInfinite(low) || Double.isInfinite(high)) {
            throw new IllegalArgumentException("limits are two finite numbers, the lower one first");
        }
    }

    /** From one number to another. */
    public static Limits between(double low, double high) {
        return new Limits(low, high);
    }

    /** A share of something, none and all of it left out. */
    public static Limits share() {
        return new Limits(1e-3, 0.999);
    }

    /** From a standard value divided by a factor to the value times the factor; for numbers whose size follows from the schema. */
    public static Limits around(double standard, double factor) {
        return around(standard, factor, factor);
    }

    /** The same with a factor for each side. */
    public static Limits around(double standard, double below, double above) {
        return new Limits(shortened(standard / below), shortened(standard * above));
    }

    /** Numbers that a sentence can name. */
    private static double shortened(double limit) {
        return new BigDecimal(limit, new MathContext(2)).doubleValue();
    }

    /** These limits, and another value if it lies outside. */
    public Limits including(double value) {
        return new Limits(Math.min(low, value), Math.max(high, value));
    }

    boolean contain(double value) {
        return value >= low - ROUNDING * Math.abs(low) && value <= high + ROUNDING * Math.abs(high);
    }

    /** As in "a number from 0 to 1". */
    String text() {
        return "from " + text(low) + " to " + text(high);
    }

    private static String text(double value) {
        boolean plain = value == 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e7);
        BigDecimal number = BigDecimal.valueOf(value).stripTrailingZeros();
        return plain
                ? number.toPlainString()
                : Double.toString(value).replace(".0E", "e").replace('E', 'e');
    }
}
