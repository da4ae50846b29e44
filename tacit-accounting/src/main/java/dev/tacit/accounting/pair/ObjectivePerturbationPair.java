package dev.tacit.accounting.pair;

import dev.tacit.accounting.numerics.NormalTail;
import java.util.OptionalDouble;

/**
 * A Gaussian pair whose losses are moved outwards by a constant, with what is left of the middle as two atoms.
 *
 * <pre>
 *   L &gt; curvature:       L − curvature as under the Gaussian pair; Q as there, times e^−curvature
 *   L &lt; −curvature:      the mirror image
 *   L = ±curvature:      P-mass a at +, a·e^−curvature at −,   a = Φ(−shift/2)·tanh(curvature/2)
 * </pre>
 *
 * The largest pair whose hockey-stick curve is δ_shift(ε − curvature) for ε ≥ curvature, the same in the other
 * direction, and linear in e^ε between −curvature and curvature: curves are convex in e^ε, so none lies above the chord.
 * At curvature 0 it is the Gaussian pair, without Gaussian losses it is randomised response.
 *
 * @param shift of the Gaussian pair, positive
 * @param curvature the constant, 0 or more
 */
public record ObjectivePerturbationPair(double shift, double curvature) implements DominatingPair {
    public ObjectivePerturbationPair {
        if (!(curvature >= 0) || Double.isInfinite(curvature)) {
            throw new IllegalArgumentException("a curvature is a finite number, 0 or more");
        }
        if (!(shift > 0) || Double.isInfinite(shift)) {
            throw new IllegalArgumentException("a shift is a positive number");
        }
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        GaussianPair gaussian = new GaussianPair(shift);
        double decay = Math.exp(-curvature);
        double above =
                upperLoss > curvature ? gaussian.massOfP(Math.max(0, lowerLoss - curvature), upperLoss - curvature) : 0;
        double below = lowerLoss < -curvature
                ? decay * gaussian.massOfQ(Math.max(0, -upperLoss - curvature), -lowerLoss - curvature)
                : 0;
        return above + below + atoms(lowerLoss, upperLoss, 1, decay);
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        GaussianPair gaussian = new GaussianPair(shift);
        double decay = Math.exp(-curvature);
        double above = upperLoss > curvature
                ? decay * gaussian.massOfQ(Math.max(0, lowerLoss - curvature), upperLoss - curvature)
                : 0;
        double below = lowerLoss < -curvature
                ? gaussian.massOfP(Math.max(0, -upperLoss - curvature), -lowerLoss - curvature)
                : 0;
        return above + below + atoms(lowerLoss, upperLoss, decay, 1);
    }

    private double atoms(double lowerLoss, double upperLoss, double high, double low) {
        double mass = 0;
        if (lowerLoss < curvature && curvature <= upperLoss) {
            mass += high;
        }
        if (lowerLoss < -curvature && -curvature <= upperLoss) {
            mass += low;
        }
        return mass * NormalTail.above(0.5 * shift) * Math.tanh(0.5 * curvature);
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

    @Override
    public OptionalDouble lossLattice() {
        // Atoms so close together need not be told apart, and a lattice that fine would be too long.
        return curvature > 0.01 * shift ? OptionalDouble.of(curvature) : OptionalDouble.empty();
    }
}
