package dev.tacit.fit.formula;

import java.util.OptionalDouble;

/**
 * One line of a summary, on the scale of the link.
 *
 * @param term its name: {@code age}, {@code icu[surgery]}, {@code age:sex[male]}
 * @param unit what it is per, or against: {@code per 1}, {@code vs coronary}
 * @param positive whether it is the logarithm of a positive parameter, which is what is shown: {@code log(sigma)} as sigma
 * @param mean of the posterior
 * @param sd of the posterior
 * @param lower end of the interval
 * @param upper end of the interval
 * @param prior before the data; empty if the method has none that could be said for this term
 * @param privacyShare share of the interval's width that would go without privacy noise; empty if it is not known
 */
public record TermRow(
        String term,
        String unit,
        boolean positive,
        double mean,
        double sd,
        double lower,
        double upper,
        java.util.Optional<Prior> prior,
        OptionalDouble privacyShare) {
    /** What stands in place of a unit for the effect of a group, and for the standard deviation of such effects. */
    static final String GROUP = "vs the mean of groups";

    static final String BETWEEN_GROUPS = "between groups";

    /** Whether it is the effect of a group. */
    boolean isGroup() {
        return unit.equals(GROUP);
    }

    /** Whether it is the standard deviation of groups. */
    boolean isBetweenGroups() {
        return unit.equals(BETWEEN_GROUPS);
    }

    /**
     * What was believed before.
     *
     * @param sd standard deviation
     * @param lower end of the interval of the same level
     * @param upper end of that interval
     */
    public record Prior(double sd, double lower, double upper) {}
}
