package dev.tacit.diagnostics;

import dev.tacit.numerics.Quantiles;

/**
 * How often central intervals contain the truth, with the range in which the true coverage lies with 99 % confidence.
 *
 * <pre>
 *   covered   |u_i − ½| ≤ level / 2,  u_i the probability integral transform of truth i
 *   range     Beta quantiles: low B(0.005; k, n − k + 1), high B(0.995; k + 1, n − k)        Clopper and Pearson 1934
 * </pre>
 *
 * @param level the probability that the intervals are meant to have
 * @param trials n
 * @param covered k
 * @param low lower end of the range
 * @param high upper end of the range
 */
public record IntervalCoverage(double level, long trials, long covered, double low, double high) {
    private static final double TAIL = 0.005;

    /** From counts. */
    public static IntervalCoverage of(double level, long trials, long covered) {
        if (!(level > 0 && level < 1) || trials < 1 || covered < 0 || covered > trials) {
            throw new IllegalArgumentException(
                    "a coverage needs a level between 0 and 1 and at most as many hits as trials");
        }
        double low = covered == 0 ? 0 : Quantiles.beta((double) covered, trials - covered + 1.0, TAIL);
        double high = covered == trials ? 1 : Quantiles.beta(covered + 1.0, (double) (trials - covered), 1 - TAIL);
        return new IntervalCoverage(level, trials, covered, low, high);
    }

    /** From probability integral transforms. */
    public static IntervalCoverage ofTransforms(double level, double[] transforms) {
        long covered = 0;
        for (double u : transforms) {
            covered += Math.abs(u - 0.5) <= 0.5 * level ? 1 : 0;
        }
        return of(level, transforms.length, covered);
    }

    /** k / n. */
    public double share() {
        return (double) covered / trials;
    }

    /** Whether the range contains the level. */
    public boolean isCompatible() {
        return low <= level && level <= high;
    }
}
