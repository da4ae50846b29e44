package dev.tacit.accounting.pair;

import java.util.OptionalDouble;

/**
 * Two Laplace distributions at a distance.
 *
 * <pre>
 *   P = Laplace(epsilon, 1),  Q = Laplace(0, 1),  L = |x| − |x − epsilon|
 *   P: 1/2 at +epsilon,  e^−epsilon / 2 at −epsilon,  density e^((ℓ − epsilon)/2) / 4 between;   Q is the mirror image
 * </pre>
 *
 * Dwork, McSherry, Nissim, Smith 2006 (the noise); the law of the loss follows by substitution.
 *
 * @param epsilon distance of the centres in units of the scale, the largest loss
 */
public record LaplacePair(double epsilon) implements DominatingPair {
    public LaplacePair {
        if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
            throw new IllegalArgumentException("epsilon is a positive number");
        }
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        double lower = Math.max(lowerLoss, -epsilon);
        double upper = Math.min(upperLoss, epsilon);
        double mass = lower < upper ? -0.5 * Math.exp((upper - epsilon) / 2) * Math.expm1((lower - upper) / 2) : 0;
        return mass + atoms(lowerLoss, upperLoss, 0.5, 0.5 * Math.exp(-epsilon));
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        double lower = Math.max(lowerLoss, -epsilon);
        double upper = Math.min(upperLoss, epsilon);
        double mass = lower < upper ? -0.5 * Math.exp(-(lower + epsilon) / 2) * Math.expm1((lower - upper) / 2) : 0;
        return mass + atoms(lowerLoss, upperLoss, 0.5 * Math.exp(-epsilon), 0.5);
    }

    private double atoms(double lowerLoss, double upperLoss, double high, double low) {
        double mass = 0;
        if (lowerLoss < epsilon && epsilon <= upperLoss) {
            mass += high;
        }
        if (lowerLoss < -epsilon && -epsilon <= upperLoss) {
            mass += low;
        }
        return mass;
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
        return OptionalDouble.of(epsilon);
    }
}
