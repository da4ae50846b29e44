package dev.tacit.experiments.objective;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import java.util.Map;
import java.util.Objects;

/**
 * A request for the minimiser of regularised logistic loss with a random linear term, and what it costs.
 *
 * <pre>
 *   θ* = argmin Σ_n log(1 + exp(−y_n x_nᵀθ)) + Λ‖θ‖²/2 + bᵀθ            rows longer than R are shortened to R
 *   θ  = θ* + e + z,   ‖e‖ ≤ tolerance,   z ~ N(0, (2·tolerance·2^10)² I)
 * </pre>
 *
 * Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2 (objective perturbation), for one record added or removed; z as in
 * the approximate minima perturbation of Iyengar et al. 2019, because θ* itself cannot be computed and the published
 * analysis holds for nothing else. The event is that of θ* followed by a Gaussian release of e, which moves by at most
 * two tolerances.
 *
 * @param label what it is for, in words that may be published
 * @param rowNormBound R, public
 * @param regularisation Λ, public
 * @param linearTerm the law of b
 */
public record PerturbedMinimum(String label, double rowNormBound, double regularisation, LinearTerm linearTerm) {
    /** Noise multiplier of z over the two tolerances that it hides. */
    static final double TOLERANCE_NOISE = 0x1p10;

    /** Room for the rounding of norms when rows are shortened, and for the grid of b. */
    static final double SLACK = 0x1p-20;

    /** The law of the random linear term. */
    public sealed interface LinearTerm {
        /** The standard deviation of each coordinate of b over the bound on rows. */
        double noiseMultiplier(int columns);

        /** Whether it is sampled exactly; if not, only simulations may use it. */
        boolean forRelease();
    }

    /**
     * b ~ N(0, (noiseMultiplier R)² I): Kifer, Smith, Thakurta 2012.
     *
     * @param noiseMultiplier from 2^−20 to 2^20
     */
    public record GaussianTerm(double noiseMultiplier) implements LinearTerm {
        public GaussianTerm {
            if (!(noiseMultiplier >= 0x1p-20 && noiseMultiplier <= 0x1p20)) {
                throw new IllegalArgumentException("a noise multiplier is a number from 2^-20 to 2^20");
            }
        }

        @Override
        public double noiseMultiplier(int columns) {
            return noiseMultiplier;
        }

        @Override
        public boolean forRelease() {
            return true;
        }
    }

    /**
     * Density of b proportional to exp(−epsilon ‖b‖/R), the published noise; its length grows with the number of columns.
     *
     * @param epsilon what the linear term alone would cost
     */
    public record GammaTerm(double epsilon) implements LinearTerm {
        public GammaTerm {
            if (!(epsilon >= 0x1p-20 && epsilon <= 0x1p20)) {
                throw new IllegalArgumentException("the epsilon of a linear term is a number from 2^-20 to 2^20");
            }
        }

        @Override
        public double noiseMultiplier(int columns) {
            return Math.sqrt(columns + 1.0) / epsilon;
        }

        @Override
        public boolean forRelease() {
            return false;
        }
    }

    public PerturbedMinimum {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(linearTerm, "linearTerm");
        if (!(rowNormBound >= 0x1p-100 && rowNormBound <= 0x1p100)) {
            throw new IllegalArgumentException("the bound on the norm of a record is a number from 2^-100 to 2^100");
        }
        double relative = regularisation / rowNormBound / rowNormBound;
        if (!(relative >= 0x1p-30 && relative <= 0x1p30)) {
            throw new IllegalArgumentException(
                    "the regularisation is from 2^-30 to 2^30 squares of the bound on the norm of a record");
        }
    }

    /** log(1 + R²/4Λ), by how much one record can change the volume around the minimiser; rounded up. */
    public double curvature() {
        double relative = rowNormBound * rowNormBound / (4 * regularisation);
        return Math.log1p(relative * (1 + SLACK)) * (1 + 0x1p-50);
    }

    /** What the release is to accounting. */
    public PrivacyEvent event() {
        return exactEvent().then(PrivacyEvent.gaussian(TOLERANCE_NOISE));
    }

    /** What the exact minimiser alone would be; nothing that can be computed has this event. */
    public PrivacyEvent exactEvent() {
        if (linearTerm instanceof GaussianTerm gaussian) {
            return new PrivacyEvent.Release(new PrivacyProfile(
                    "objective-perturbation",
                    Map.of("noiseMultiplier", gaussian.noiseMultiplier(), "curvature", curvature())));
        }
        double epsilon = ((GammaTerm) linearTerm).epsilon() * (1 + SLACK) + curvature();
        return new PrivacyEvent.Release(new PrivacyProfile("pure", Map.of("epsilon", Math.nextUp(epsilon))));
    }

    /** How far the computed minimiser may be from the exact one, from public numbers. */
    public double tolerance(int columns, long publicSize) {
        return gradientTolerance(columns, publicSize) / regularisation;
    }

    /**
     * Half of it is for the gradient that is left, rounding included; the other half for the grid of b. Sums over more
     * records and columns leave more rounding.
     */
    double gradientTolerance(int columns, long publicSize) {
        double share = Math.max(0x1p-20, 0x1p-48 * publicSize * (columns + 0x1p10));
        double grid = 0x1p10 * Math.sqrt(columns) * linearTerm.noiseMultiplier(columns) * 0x1p-48;
        return rowNormBound * (share + grid);
    }
}
