package dev.tacit.accounting.pair;

import java.util.OptionalDouble;

/**
 * A pair with its two distributions exchanged: the other direction of the same comparison.
 *
 * <pre>
 *   (P, Q) → (Q, P),   L → −L;   an interval (a, b] of the new loss is [−b, −a) of the old one
 * </pre>
 *
 * The half-open end moves by one double, so atoms that sit on doubles are counted on the right side. Q of the original
 * must have no mass where P has none, which {@link DominatingPair} takes for granted (only P may have infinite loss).
 *
 * @param original the pair before the exchange
 */
public record ReversedPair(DominatingPair original) implements DominatingPair {
    public ReversedPair {
        if (original instanceof ReversedPair) {
            throw new IllegalArgumentException("a pair reversed twice is the original; use ReversedPair.of");
        }
    }

    /** The other direction of a pair; twice gives the original back. */
    public static DominatingPair of(DominatingPair pair) {
        return pair instanceof ReversedPair reversed ? reversed.original() : new ReversedPair(pair);
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        return original.massOfQ(mirrored(upperLoss), mirrored(lowerLoss));
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        return original.massOfP(mirrored(upperLoss), mirrored(lowerLoss));
    }

    private static double mirrored(double loss) {
        return Double.isInfinite(loss) ? -loss : Math.nextDown(-loss);
    }

    @Override
    public double lossInfimum() {
        return -original.lossSupremum();
    }

    @Override
    public double lossSupremum() {
        return -original.lossInfimum();
    }

    @Override
    public boolean symmetric() {
        return original.symmetric();
    }

    @Override
    public OptionalDouble lossLattice() {
        return original.lossLattice();
    }
}
