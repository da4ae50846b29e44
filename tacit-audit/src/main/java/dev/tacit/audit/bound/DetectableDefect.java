package dev.tacit.audit.bound;

import java.util.function.DoublePredicate;

/**
 * The smallest defects that a test of so many outputs finds in a Gaussian release whose claim is tight.
 *
 * <pre>
 *   noise times k:  distance of the neighbours over k     leak p: with the unit, with probability p, an output that never is without
 *   found:          lower bound of P(E on D)  >  most that the claim allows at the upper bound of P(E on D′),     E a half line
 * </pre>
 *
 * with counts two standard errors on the wrong side of their expectation, so that such a defect is found in about nineteen
 * of twenty tests. A release that is not Gaussian, or outputs that do not show all that was released, can hide more.
 *
 * @param noiseFactor the largest factor on the noise that is found; 0 if none is
 * @param leak the smallest probability of a leak that is found; 1 if none is
 */
public record DetectableDefect(double noiseFactor, double leak) {
    private static final int HALVINGS = 12;
    private static final int THRESHOLDS = 80;
    private static final double WRONG_SIDE = 2;
    private static final double LEAST_NOISE = 0.05;

    /**
     * The smallest defect that a test of this size finds.
     *
     * @param claim what is held against counts
     * @param tight a release that uses up the claim
     * @param trials how many outputs of each side are counted
     * @param share the probability, at most, with which each bound is wrong
     */
    public static DetectableDefect of(ClaimedCurve claim, GaussianNeighbours tight, long trials, double share) {
        double leak = largest(1, p -> !found(claim, tight, p, trials, share));
        // The other way round: noise that is less by more is found sooner.
        double spared = largest(1 - LEAST_NOISE, less -> !found(claim, tight.withNoise(1 - less), 0, trials, share));
        double noise = tight.distance() == 0 ? 1 : spared >= 1 - LEAST_NOISE - 1e-3 ? 0 : 1 - spared;
        return new DetectableDefect(noise, leak);
    }

    /** Whether defects of these sizes are found. */
    public boolean finds(double noise, double leakProbability) {
        return noiseFactor >= noise && leak <= leakProbability;
    }

    /** The end of an interval from 0 on which something holds; a little more. */
    private static double largest(double end, DoublePredicate holds) {
        double low = 0;
        double high = end;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (holds.test(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static boolean found(
            ClaimedCurve claim, GaussianNeighbours release, double leak, long trials, double share) {
        for (int i = 0; i <= THRESHOLDS; i++) {
            double threshold = -6 + (12 + release.distance()) * i / THRESHOLDS;
            double with = leak + (1 - leak) * release.aboveWith(threshold);
            double without = release.aboveWithout(threshold);
            if (exceeds(claim, with, without, trials, share) || exceeds(claim, 1 - without, 1 - with, trials, share)) {
                return true;
            }
        }
        return false;
    }

    private static boolean exceeds(ClaimedCurve claim, double likely, double unlikely, long trials, double share) {
        return count(likely, trials, -1).lowerBound(share)
                > claim.mostLikely(count(unlikely, trials, 1).upperBound(share));
    }

    private static BinomialCount count(double probability, long trials, int side) {
        double deviation = Math.sqrt(trials * probability * (1 - probability));
        double hits = trials * probability + side * WRONG_SIDE * deviation;
        return new BinomialCount(Math.max(0, Math.min(trials, Math.round(hits))), trials);
    }
}
