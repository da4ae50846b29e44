package dev.tacit.accounting.pair;

import java.util.OptionalDouble;

/**
 * Two distributions that are at least as easy to tell apart as any two neighbouring outputs of a release.
 *
 * <pre>
 *   H_a(M(D) || M(D')) ≤ H_a(P || Q)   for every a ≥ 0,      L = log(dP/dQ) under P is the privacy loss
 * </pre>
 *
 * Pairs compose: the product of pairs dominates the adaptive composition (Zhu, Dong, Wang 2022, Theorem 10). A pair is seen here only through
 * the law of its loss, which is all that accounting needs. Masses must be accurate relative to themselves in both tails, because deltas of
 * 1e-300 are computed from them.
 */
public interface DominatingPair {
    /** P(lowerLoss &lt; L ≤ upperLoss); the bounds may be infinite. Mass at L = +∞ is not included. */
    double massOfP(double lowerLoss, double upperLoss);

    /** Q(lowerLoss &lt; L ≤ upperLoss); the bounds may be infinite. Q has no mass at L = -∞ (P would be free of it, which no mechanism here is). */
    double massOfQ(double lowerLoss, double upperLoss);

    /** The smallest loss that can occur, or -∞. */
    double lossInfimum();

    /** The largest finite loss that can occur, or +∞ if losses are unbounded. */
    double lossSupremum();

    /** P-mass on which the loss is infinite (Q has no mass there). */
    default double infiniteLossMass() {
        return 0;
    }

    /** True if (Q, P) has the same loss law, so that one direction covers both. */
    boolean symmetric();

    /** A spacing such that every atom of the loss lies on one of its multiples, if there is one. */
    default OptionalDouble lossLattice() {
        return OptionalDouble.empty();
    }
}
