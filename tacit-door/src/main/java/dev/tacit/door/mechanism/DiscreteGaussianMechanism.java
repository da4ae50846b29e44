package dev.tacit.door.mechanism;

import dev.tacit.door.event.PrivacyProfile;

/**
 * Exact discrete Gaussian noise on an integer grid: the mechanism of releases.
 *
 * <pre>
 *   output = g (Σ_i round(v_i / g) + Z),   ‖v_i‖₂ ≤ l2Bound,   Z_j ~ N_Z(0, σ²) independent
 *   g σ = (1 + 2^−20) noiseMultiplier l2Bound
 * </pre>
 *
 * Canonne, Kamath, Steinke 2020 for the noise. The profile is that of the continuous Gaussian with the requested
 * multiplier, because of
 *
 * <p><b>Theorem</b> (proof in docs/methods/discrete-gaussian.md). For integer x and 1/6 ≤ c &lt; σ², draw
 * y ~ N(x, σ² − c), then an integer k with probability proportional to exp(−(k − y)²/2c). Every k has its probability
 * under x + N_Z(0, σ²) up to a factor within 1 ± η, η = 5 exp(−2π²c). So the discrete mechanism is post-processing of
 * the Gaussian mechanism with variance σ² − c, up to (1 ± η) a coordinate.
 *
 * <p>With c = 64, η &lt; 10^−547: after 10^18 coordinates and releases the factor differs from 1 by less than 10^−528,
 * less than the smallest positive double; the accountants' rounding of every epsilon and delta to the next double
 * outwards absorbs it. The multiplier delivered is √(σ² − 64) / (sensitivity in grid units) with the sensitivity after
 * rounding, l2Bound/g + √d/2 and its slack ({@link SumGrid#sensitivity}). As σ ≥ 2^20 √d and g√d/2 ≤ 2^−21 l2Bound, the
 * factor 1 + 2^−20 on the noise pays for all of that, and calibrated budgets are kept.
 *
 * <p>Contributions are clipped jointly in L2. The argument holds under add/remove (one contribution moves) and
 * replace-one (two), with or without sampling, because the second step does not look at the data. Differs from the
 * paper, which bounds Rényi divergences (concentrated privacy, Theorem 4): the whole curve is kept, also under sampling.
 *
 * @param noiseMultiplier noise standard deviation over L2 bound as accounting sees it, from 2^−20 to 2^29/√dimension
 */
public record DiscreteGaussianMechanism(double noiseMultiplier) implements NoiseMechanism {
    /** The least noise multiplier. */
    public static final double LEAST_NOISE = 0x1p-20;

    /** The largest noise multiplier. */
    public static final double MOST_NOISE = 0x1p29;

    /** What rounding and discreteness cost, paid in noise. */
    private static final double SURPLUS = 0x1p-20;

    /** The constant c of the theorem. */
    private static final double SMOOTHING_VARIANCE = 64;

    public DiscreteGaussianMechanism {
        if (!(noiseMultiplier >= LEAST_NOISE && noiseMultiplier <= MOST_NOISE)) {
            throw new IllegalArgumentException("a noise multiplier is a number from 2^-20 to 2^29");
        }
    }

    @Override
    public PrivacyProfile profile(int dimension) {
        return PrivacyProfile.gaussian(noiseMultiplier);
    }

    @Override
    public DiscreteGaussianMechanism scaled(double factor) {
        return new DiscreteGaussianMechanism(noiseMultiplier * factor);
    }

    @Override
    public double noiseStandardDeviation(double l2Bound) {
        return noiseMultiplier * (1 + SURPLUS) * l2Bound;
    }

    @Override
    public SumGrid grid(double l2Bound, int dimension) {
        return SumGrid.of(noiseMultiplier, l2Bound, dimension);
    }

    @Override
    public boolean forRelease() {
        return true;
    }

    /**
     * The multiplier that the theorem proves for one bound and dimension, rounded down: never below
     * {@link #noiseMultiplier()}, and above it by less than one part in a million.
     */
    public double deliveredNoiseMultiplier(double l2Bound, int dimension) {
        SumGrid grid = grid(l2Bound, dimension);
        double noise = noiseStandardDeviation(l2Bound) / grid.granularity();
        return Math.sqrt(noise * noise - SMOOTHING_VARIANCE) / grid.sensitivity() * (1 - 0x1p-50);
    }
}
