package dev.tacit.glm.model;

import java.io.Serializable;
import java.util.Objects;

/**
 * What is public about one column of a design matrix in natural units.
 *
 * <p>A number, or a product of columns, lies between its bounds. The levels of one factor share its index; in a row at most
 * one of them is 1 and the others are 0 (reference coding), so that all levels of a factor together have norm at most 1.
 *
 * @param name as it is printed, for example {@code age} or {@code sex=female}
 * @param kind what the numbers of the column are
 * @param low the smallest value that a record can have here
 * @param high the largest value that a record can have here
 * @param factor for a level, which factor it belongs to, counted from 0; −1 otherwise
 */
public record GlmColumn(String name, Kind kind, double low, double high, int factor) implements Serializable {
    /** What the numbers of a column are. */
    public enum Kind {
        /** The constant 1. */
        INTERCEPT,
        /** A number between bounds: a measurement, a transformed one, a spline, a product with a number in it. */
        NUMBER,
        /** 1 for one level of a factor (or of a crossing of factors), and 0 for the others. */
        LEVEL
    }

    public GlmColumn {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        if (!(Double.isFinite(low) && Double.isFinite(high)) || (kind == Kind.NUMBER && !(low < high))) {
            throw new IllegalArgumentException(
                    "the column " + name + " needs finite bounds, the lower below the upper");
        }
        if ((kind == Kind.LEVEL) != (factor >= 0)) {
            throw new IllegalArgumentException("a level, and nothing else, belongs to a factor; not so " + name);
        }
    }

    /** The constant. */
    public static GlmColumn intercept(String name) {
        return new GlmColumn(name, Kind.INTERCEPT, 1, 1, -1);
    }

    /** A number between bounds. */
    public static GlmColumn number(String name, double low, double high) {
        return new GlmColumn(name, Kind.NUMBER, low, high, -1);
    }

    /** A level of a factor. */
    public static GlmColumn level(String name, int factor) {
        return new GlmColumn(name, Kind.LEVEL, 0, 1, factor);
    }
}
