package dev.tacit.accounting.curve;

import dev.tacit.accounting.numerics.SampledGaussianMoments;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.GaussianPair;
import dev.tacit.accounting.pair.PoissonReplaceGaussianPair;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Gaussian noise on a sum of vectors whose L2 norm is bounded.
 *
 * <pre>
 *   N(0, s²) against N(1, s²) under add/remove, N(0, s²) against N(2, s²) under replace-one,     s = noiseMultiplier
 * </pre>
 *
 * Balle, Wang 2018, Theorem 8: by rotation invariance the one-dimensional pair at the largest shift dominates in every dimension. The Poisson
 * replace-one pair is derived in docs/privacy-model.md.
 *
 * @param noiseMultiplier noise standard deviation over the L2 bound of one record
 */
public record GaussianCurves(double noiseMultiplier) implements MechanismCurves {
    /** The name in profiles. */
    public static final String MECHANISM = "gaussian";

    public GaussianCurves {
        if (!(noiseMultiplier > 0) || Double.isInfinite(noiseMultiplier)) {
            throw new IllegalArgumentException("a noise multiplier is a positive number");
        }
    }

    /** Shift between neighbouring outputs in units of the noise standard deviation. */
    public double shift(Neighbours neighbours) {
        return neighbours.boundsMoved() / noiseMultiplier;
    }

    @Override
    public PrivacyProfile profile() {
        return PrivacyProfile.gaussian(noiseMultiplier);
    }

    @Override
    public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
        double shift = shift(neighbours);
        return OptionalDouble.of(order * shift * shift / 2);
    }

    @Override
    public OptionalDouble sampledRenyiDivergence(double order, double rate, Neighbours neighbours) {
        SampledGaussianMoments moments = neighbours == Neighbours.ADD_REMOVE
                ? SampledGaussianMoments.remove(noiseMultiplier, rate)
                : SampledGaussianMoments.replace(noiseMultiplier, rate);
        return OptionalDouble.of(moments.logMoment(order - 1) / (order - 1));
    }

    @Override
    public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
        return Optional.of(new GaussianPair(shift(neighbours)));
    }

    @Override
    public Optional<DominatingPair> poissonReplaceOnePair(double rate) {
        return Optional.of(new PoissonReplaceGaussianPair(noiseMultiplier, rate));
    }

    @Override
    public OptionalDouble zeroConcentration(Neighbours neighbours) {
        double shift = shift(neighbours);
        return OptionalDouble.of(shift * shift / 2);
    }
}
