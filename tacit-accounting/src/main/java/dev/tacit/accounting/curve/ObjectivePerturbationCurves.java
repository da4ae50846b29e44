package dev.tacit.accounting.curve;

import dev.tacit.accounting.numerics.NormalTail;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.ObjectivePerturbationPair;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The exact minimiser of a convex sum to which a random linear term was added.
 *
 * <pre>
 *   θ = argmin Σ_n ℓ(y_n x_nᵀθ) + Λ‖θ‖²/2 + bᵀθ,   b ~ N(0, s² I),   ‖x_n‖ ≤ R,   ℓ' in [−1, 0],   ℓ'' ≤ ¼
 *   privacy loss ≤ curvature + max(0, G),   G ~ N(μ²/2, μ²),   μ = R/s,   curvature = log(1 + R²/4Λ)
 * </pre>
 *
 * Chaudhuri, Monteleoni, Sarwate 2011, Theorem 9, with the Gaussian noise of Kifer, Smith, Thakurta 2012 and the
 * argument of Redberg, Koskela, Wang 2023 that a linear model moves b along one direction only. Differs from them: one
 * record is added or removed, so that one gradient and one rank of curvature count, and the sign of ℓ' makes the loss
 * one-sided. The derivation is in docs/methods/objective-perturbation.md. Nothing is known here under replace-one.
 *
 * @param noiseMultiplier s/R
 * @param curvature the logarithm of the largest change of volume
 */
public record ObjectivePerturbationCurves(double noiseMultiplier, double curvature) implements MechanismCurves {
    public static final String MECHANISM = "objective-perturbation";

    public ObjectivePerturbationCurves {
        if (!(noiseMultiplier > 0) || Double.isInfinite(noiseMultiplier)) {
            throw new IllegalArgumentException("a noise multiplier is a positive number");
        }
        if (!(curvature >= 0) || Double.isInfinite(curvature)) {
            throw new IllegalArgumentException("a curvature is a finite number, 0 or more");
        }
    }

    @Override
    public PrivacyProfile profile() {
        return new PrivacyProfile(MECHANISM, Map.of("noiseMultiplier", noiseMultiplier, "curvature", curvature));
    }

    /**
     * With t = order − 1 and g = e^{t(t+1)μ²/2}, the moment of the pair is e^{t c} (g Φ(μ/2 + tμ) + a) +
     * e^{−(t+1) c} (g Φ(−μ/2 − tμ) + a), where a is the mass of the pair's larger atom.
     */
    @Override
    public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
        if (neighbours != Neighbours.ADD_REMOVE) {
            return OptionalDouble.empty();
        }
        double above = order - 1;
        double shift = 1 / noiseMultiplier;
        double exponent = 0.5 * above * order * shift * shift;
        double point = (0.5 + above) * shift;
        double atom = NormalTail.above(0.5 * shift) * Math.tanh(0.5 * curvature) * Math.exp(-exponent);
        double up = above * curvature;
        double down = -order * curvature;
        double high = NormalTail.above(-point) + atom;
        double low = NormalTail.above(point) + atom;
        double log = up < 1
                ? Math.log1p(high * Math.expm1(up) + low * Math.expm1(down) + 2 * atom)
                : up + Math.log(high + low * Math.exp(down - up));
        return OptionalDouble.of((exponent + log + 0x1p-48) / above);
    }

    @Override
    public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
        return neighbours == Neighbours.ADD_REMOVE
                ? Optional.of(new ObjectivePerturbationPair(1 / noiseMultiplier, curvature))
                : Optional.empty();
    }
}
