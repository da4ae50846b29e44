package dev.tacit.accounting.curve;

import dev.tacit.accounting.pair.DiscreteGaussianPair;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Discrete Gaussian noise on an integer that one record moves by at most 1.
 *
 * <pre>
 *   P(x) ∝ exp(−x² / (2·noiseMultiplier²)) on the integers,   shift 1 under add/remove, 2 under replace-one
 *   D_a ≤ a·shift² / (2·noiseMultiplier²),   rho = shift² / (2·noiseMultiplier²)
 * </pre>
 *
 * Canonne, Kamath, Steinke 2020, Theorem 4. Shifts of log-concave noise have monotone likelihood ratios, so the largest
 * shift dominates the smaller ones and {@link DiscreteGaussianPair} is exact. The pair is for one integer: an integer
 * vector whose L2 norm is bounded keeps the Rényi and zCDP bounds (they add over coordinates), but no pair is known to
 * dominate all its directions. Multipliers above 1e9, where positions stop being exact doubles, get no pair.
 *
 * @param noiseMultiplier the parameter of the noise in grid steps, about its standard deviation
 */
public record DiscreteGaussianCurves(double noiseMultiplier) implements MechanismCurves {
    /** The name in profiles. */
    public static final String MECHANISM = "discrete-gaussian";

    private static final double LARGEST_WITH_PAIR = 1e9;

    public DiscreteGaussianCurves {
        if (!(noiseMultiplier > 1e-100) || Double.isInfinite(noiseMultiplier)) {
            throw new IllegalArgumentException("a noise multiplier is a positive number");
        }
    }

    @Override
    public PrivacyProfile profile() {
        return new PrivacyProfile(MECHANISM, Map.of("noiseMultiplier", noiseMultiplier));
    }

    @Override
    public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
        return OptionalDouble.of(order * rho(neighbours));
    }

    @Override
    public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
        return noiseMultiplier <= LARGEST_WITH_PAIR
                ? Optional.of(new DiscreteGaussianPair(noiseMultiplier, neighbours.boundsMoved()))
                : Optional.empty();
    }

    @Override
    public OptionalDouble zeroConcentration(Neighbours neighbours) {
        return OptionalDouble.of(rho(neighbours));
    }

    private double rho(Neighbours neighbours) {
        double shift = neighbours.boundsMoved() / noiseMultiplier;
        return 0.5 * shift * shift * (1 + 8 * Math.ulp(1.0));
    }
}
