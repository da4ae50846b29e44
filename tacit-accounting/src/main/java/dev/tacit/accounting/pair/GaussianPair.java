package dev.tacit.accounting.pair;

import dev.tacit.accounting.numerics.NormalInterval;
import dev.tacit.accounting.numerics.NormalInterval.Point;

/**
 * Two unit normal distributions at a distance.
 *
 * <pre>
 *   P = N(shift, 1),   Q = N(0, 1),   L = shift·x − shift²/2
 *   L ~ N(shift²/2, shift²) under P,   N(−shift²/2, shift²) under Q
 * </pre>
 *
 * Balle, Wang 2018, Lemma 3.
 *
 * @param shift distance of the means in standard deviations
 */
public record GaussianPair(double shift) implements DominatingPair {
    public GaussianPair {
        if (!(shift > 0) || Double.isInfinite(shift)) {
            throw new IllegalArgumentException("a shift is a positive number");
        }
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        return NormalInterval.between(
                Point.quotientPlus(lowerLoss, shift, -0.5 * shift), Point.quotientPlus(upperLoss, shift, -0.5 * shift));
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        return NormalInterval.between(
                Point.quotientPlus(lowerLoss, shift, 0.5 * shift), Point.quotientPlus(upperLoss, shift, 0.5 * shift));
    }

    @Override
    public double lossInfimum() {
        return Double.NEGATIVE_INFINITY;
    }

    @Override
    public double lossSupremum() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public boolean symmetric() {
        return true;
    }
}
