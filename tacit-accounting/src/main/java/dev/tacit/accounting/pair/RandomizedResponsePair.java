package dev.tacit.accounting.pair;

import java.util.OptionalDouble;

/**
 * Binary randomised response: the hardest pair for pure differential privacy.
 *
 * <pre>
 *   L = +epsilon with probability p under P and 1 − p under Q,  −epsilon otherwise,     p = e^epsilon / (1 + e^epsilon)
 * </pre>
 *
 * Kairouz, Oh, Viswanath 2015, proof of Theorem 3.3: it dominates every epsilon-DP release.
 *
 * @param epsilon the declared epsilon
 */
public record RandomizedResponsePair(double epsilon) implements DominatingPair {
    public RandomizedResponsePair {
        if (!(epsilon >= 0) || Double.isInfinite(epsilon)) {
            throw new IllegalArgumentException("epsilon must be a finite number, 0 or more");
        }
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        return mass(lowerLoss, upperLoss, 1, Math.exp(-epsilon));
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        return mass(lowerLoss, upperLoss, Math.exp(-epsilon), 1);
    }

    private double mass(double lowerLoss, double upperLoss, double high, double low) {
        double mass = 0;
        if (lowerLoss < epsilon && epsilon <= upperLoss) {
            mass += high;
        }
        if (lowerLoss < -epsilon && -epsilon <= upperLoss) {
            mass += low;
        }
        return mass / (high + low);
    }

    @Override
    public double lossInfimum() {
        return -epsilon;
    }

    @Override
    public double lossSupremum() {
        return epsilon;
    }

    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    public OptionalDouble lossLattice() {
        return epsilon > 0 ? OptionalDouble.of(epsilon) : OptionalDouble.empty();
    }
}
