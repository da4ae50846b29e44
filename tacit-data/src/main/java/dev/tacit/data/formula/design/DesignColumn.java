package dev.tacit.data.formula.design;

/**
 * A column of a design matrix, in natural units; everything here is declared.
 *
 * @param name as it is reported: {@code (Intercept)}, {@code age}, {@code icu[surgery]}, {@code age:sex[male]}
 * @param kind what it holds
 * @param lower its least value
 * @param upper its greatest value
 * @param factor which factor a level belongs to, from 0; −1 for other columns. At most one level of a factor is 1 in a row
 * @param term the term it is part of: {@code age}, {@code icu}, {@code age:sex}
 * @param level the level or levels it stands for, such as {@code surgery}; empty for numbers
 * @param unit what its coefficient is per or against: {@code per 1}, {@code vs coronary}
 */
public record DesignColumn(
        String name, Kind kind, double lower, double upper, int factor, String term, String level, String unit) {
    /** What a column holds. */
    public enum Kind {
        /** The constant 1. */
        INTERCEPT,
        /** A number between bounds. */
        NUMBER,
        /** 1 where a level of a factor, or a combination of levels, is present. */
        LEVEL
    }
}
