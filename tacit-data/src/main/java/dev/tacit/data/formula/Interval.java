package dev.tacit.data.formula;

import dev.tacit.json.Json;
import java.util.function.DoubleUnaryOperator;

/**
 * Where the value of an expression lies, from the declared bounds of its columns.
 *
 * @param lower the least value
 * @param upper the greatest value
 */
public record Interval(double lower, double upper) {
    public static final Interval UNIT = new Interval(0, 1);

    public static Interval of(double value) {
        return new Interval(value, value);
    }

    public boolean isFinite() {
        return Double.isFinite(lower) && Double.isFinite(upper);
    }

    public boolean isConstant() {
        return lower == upper;
    }

    public boolean contains(double value) {
        return lower <= value && value <= upper;
    }

    public double clamp(double value) {
        return Math.max(lower, Math.min(upper, value));
    }

    public double middle() {
        return lower + (upper - lower) / 2;
    }

    public Interval negated() {
        return new Interval(-upper, -lower);
    }

    public Interval plus(Interval other) {
        return new Interval(lower + other.lower, upper + other.upper);
    }

    public Interval times(Interval other) {
        double a = lower * other.lower;
        double b = lower * other.upper;
        double c = upper * other.lower;
        double d = upper * other.upper;
        return new Interval(Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
    }

    /** By an interval without zero. */
    public Interval over(Interval other) {
        return times(new Interval(1 / other.upper, 1 / other.lower));
    }

    /** Through a function that never falls. */
    public Interval rising(DoubleUnaryOperator function) {
        return new Interval(function.applyAsDouble(lower), function.applyAsDouble(upper));
    }

    /** To a power that is defined on all of it. */
    public Interval power(double exponent) {
        double a = Math.pow(lower, exponent);
        double b = Math.pow(upper, exponent);
        boolean turns = contains(0) && exponent > 0 && lower < 0 && upper > 0;
        double least = Math.min(a, b);
        return new Interval(turns ? Math.min(0, least) : least, Math.max(a, b));
    }

    public Interval absolute() {
        double most = Math.max(Math.abs(lower), Math.abs(upper));
        return new Interval(contains(0) ? 0 : Math.min(Math.abs(lower), Math.abs(upper)), most);
    }

    /** With zero inside: what a value becomes that some other column can switch off. */
    public Interval withZero() {
        return new Interval(Math.min(0, lower), Math.max(0, upper));
    }

    @Override
    public String toString() {
        return "[" + number(lower) + ", " + number(upper) + "]";
    }

    /** A number without a fraction if it has none. */
    public static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Json.write(value);
    }
}
