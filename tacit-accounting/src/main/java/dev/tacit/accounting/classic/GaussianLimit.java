package dev.tacit.accounting.classic;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.DiscreteGaussianCurves;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.exact.closed.GaussianClosedForm;
import dev.tacit.accounting.numerics.NormalTail;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.util.List;
import java.util.Optional;

/**
 * What the central limit theorem suggests for many releases: an estimate, not a bound, and therefore no {@link
 * PrivacyAccountant}.
 *
 * <pre>
 *   shift = 2·Σ_j T_j·mean_j / √(Σ_j T_j·variance_j)       mean and variance of the loss of one release under P
 *   Poisson Gaussian, add/remove      variance = 2·mean = q²(e^{1/s²} − 1)
 *   Poisson Gaussian, replace-one     variance = 2·mean = 4q²·sinh(1/s²)
 *   fixed-size Gaussian, replace-one  variance = 2·mean = 2q²(e^{4/s²}Φ(3/s) + 3Φ(−1/s) − 2)
 * </pre>
 *
 * Central limit theorems of Dong, Roth, Su 2022 (composition and fixed-size sampling) and Bu, Dong, Long, Su 2020
 * (Poisson sampling); the replace-one line is the same expansion for that pair. For a sampled release both moments are
 * the leading terms at small rates. The estimate is often below the truth: for rate 0.01, 10 000 steps, multiplier 1
 * and delta 1e-5 it says 6.007 where 6.188 holds. Nothing that guards a release may use it; it exists for comparison
 * with papers that print it.
 */
public final class GaussianLimit {
    /** The name in JSON answers. */
    public static final String NAME = "gaussian-clt";

    private GaussianLimit() {}

    /** A number without a guarantee in either direction. */
    public record Estimate(double epsilon) {}

    /** The estimate for an event, or nothing if the limit of one of its releases is not known. */
    public static Optional<Estimate> epsilon(PrivacyEvent event, double delta, Neighbours neighbours) {
        PrivacyBudget.requireDelta(delta);
        try {
            double worst = 0;
            for (List<Phase> phases : Composition.of(event, neighbours).alternatives()) {
                double mean = 0;
                double variance = 0;
                for (Phase phase : phases) {
                    Optional<Moments> moments = moments(phase, neighbours);
                    if (moments.isEmpty()) {
                        return Optional.empty();
                    }
                    mean += phase.times() * moments.get().mean();
                    variance += phase.times() * moments.get().variance();
                }
                double shift = variance > 0 ? 2 * mean / Math.sqrt(variance) : 0;
                if (!(shift < 1e100)) {
                    return Optional.empty();
                }
                worst = Math.max(worst, GaussianClosedForm.epsilonUpper(shift, delta));
            }
            return Optional.of(new Estimate(worst));
        } catch (UnsupportedEventException refusal) {
            return Optional.empty();
        }
    }

    private record Moments(double mean, double variance) {
        static Optional<Moments> gaussian(double variance) {
            return Optional.of(new Moments(variance / 2, variance));
        }
    }

    private static Optional<Moments> moments(Phase phase, Neighbours neighbours) {
        MechanismCurves curves = phase.curves();
        if (curves instanceof GaussianCurves gaussian) {
            return gaussian(phase.sampling(), gaussian, neighbours);
        }
        if (!(phase.sampling() instanceof Sampling.None)) {
            return Optional.empty();
        }
        if (curves instanceof DiscreteGaussianCurves discrete) {
            double shift = neighbours.boundsMoved() / discrete.noiseMultiplier();
            return Moments.gaussian(shift * shift);
        }
        if (curves instanceof PureCurves pure) {
            double tanh = Math.tanh(pure.epsilon() / 2);
            return Optional.of(new Moments(pure.epsilon() * tanh, pure.epsilon() * pure.epsilon() * (1 - tanh * tanh)));
        }
        if (curves instanceof LaplaceCurves laplace) {
            double epsilon = laplace.epsilon(neighbours);
            double decay = Math.exp(-epsilon);
            double variance = epsilon < 1e-3
                    ? epsilon * epsilon * (1 - epsilon / 3)
                    : 3 - (4 * epsilon + 2) * decay - decay * decay;
            return Optional.of(new Moments(laplace.zeroConcentration(neighbours).orElseThrow(), variance));
        }
        return Optional.empty();
    }

    private static Optional<Moments> gaussian(Sampling sampling, GaussianCurves curves, Neighbours neighbours) {
        double precision = 1 / curves.noiseMultiplier() / curves.noiseMultiplier();
        if (sampling instanceof Sampling.Poisson poisson && poisson.rate() < 1) {
            double square = poisson.rate() * poisson.rate();
            return Moments.gaussian(
                    neighbours == Neighbours.ADD_REMOVE
                            ? square * Math.expm1(precision)
                            : 4 * square * Math.sinh(precision));
        }
        if (sampling instanceof Sampling.FixedSize fixed && fixed.batch() < fixed.population()) {
            double shift = curves.shift(Neighbours.REPLACE_ONE);
            double limit =
                    Math.exp(shift * shift) * NormalTail.above(-1.5 * shift) + 3 * NormalTail.above(0.5 * shift) - 2;
            return neighbours == Neighbours.REPLACE_ONE
                    ? Moments.gaussian(2 * fixed.rate() * fixed.rate() * limit)
                    : Optional.empty();
        }
        double shift = curves.shift(neighbours);
        return Moments.gaussian(shift * shift);
    }
}
