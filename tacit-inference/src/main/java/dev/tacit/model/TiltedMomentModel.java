package dev.tacit.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.Arrays;
import java.util.Optional;

/**
 * A model for expectation propagation: what one record says about a Gaussian that does not know it yet.
 *
 * <pre>
 *   Z_n(m, V) = ∫ N(θ; m, V) p(x_n | θ) dθ                        (m, V): the cavity
 *   g = ∇_m log Z_n,     H = −∇²_m log Z_n
 *   tilted mean m + V g,   tilted covariance V − V H V,   record's site Λ_n = H (I − V H)⁻¹, η_n = Λ_n m + (I − H V)⁻¹ g
 * </pre>
 *
 * Minka 2001; Vinaroz, Park 2022, Section 2. One interface serves every kernel of the family: assumed-density filtering
 * and EP take moments, SEP and its private form take sites, and the family of Gaussians with fixed precision takes g
 * alone, because there a site is exp(gᵀ(θ − m)), centred at a mean that is public.
 *
 * <p><b>A network</b> with W weights implements this with {@code new GaussianBlocks(W, 1)}, all arrays of length W:
 * {@link TiltedMoments#cavity} keeps means and variances; {@link TiltedMoments#gradient} propagates moments forward and
 * writes ∂ log Z/∂m by the backward pass; {@link TiltedMoments#derivatives} writes H_i = (∂ log Z/∂m_i)² − 2 ∂ log Z/∂v_i as
 * well, which makes V − V² H the update of probabilistic backpropagation. What else records inform, such as the noise
 * variance, goes through {@link #extras}; scales of columns through {@link #privateStart}; both end in the constants, which
 * the model lays out as it likes. Layers get their own weight in the clip by {@link #meanWeights}.
 *
 * <p>Only public numbers and released ones reach any method but those of {@link TiltedMoments} that take a row.
 */
public interface TiltedMomentModel {
    /** The shape of q. */
    GaussianBlocks shape();

    /** The mean of the prior. */
    double[] priorMean();

    /** The precision of the prior, block after block. */
    double[] priorPrecision();

    /** Releases that find the constants; empty if the model needs none. */
    default Optional<PrivateStart> privateStart() {
        return Optional.empty();
    }

    /** Numbers beside q that are public or were released, if there is no {@link #privateStart}. */
    default double[] constants() {
        return new double[0];
    }

    /** The mean of q before the first step. */
    double[] startMean(double[] constants, RandomStream random);

    /**
     * What all records together add to the precision in the family of Gaussians with fixed precision: public, block after
     * block, positive definite.
     */
    double[] fixedPrecision(double[] constants);

    /**
     * What clipped gradients of all records add up to near the truth θ:  Σ_n clip(g_n) ≈ F (θ − m) + ξ,  ξ ~ N(0, G).
     *
     * @param curvature F, block after block
     * @param scoreVariance G, block after block; F itself where nothing is clipped and the model holds
     */
    record Field(double[] curvature, double[] scoreVariance) {}

    /**
     * The field of all records, from public and released numbers; empty if nothing is known about it, and then privacy noise
     * cannot be carried into the posterior.
     *
     * @param mean of q, near the truth
     * @param scoreBound where the weighted gradient of one record is clipped
     */
    default Optional<Field> field(double[] mean, double[] constants, double scoreBound) {
        return Optional.empty();
    }

    /** Public factors on the coordinates of g before it is clipped; divided out after the noise. */
    default double[] meanWeights() {
        double[] weights = new double[shape().size()];
        Arrays.fill(weights, 1);
        return weights;
    }

    /** Statistics that are released beside g; empty if there are none. */
    default Optional<Extras> extras() {
        return Optional.empty();
    }

    /** What a record says about a cavity, for one thread, with its own scratch memory. */
    TiltedMoments tiltedMoments(double[] constants);

    /** q with the names of the parameters, and whatever else a prediction needs from the constants. */
    Posterior posterior(double[] mean, double[] covariance, double[] constants);

    /** Numbers beside the site that each record contributes, such as a residual for the noise variance. */
    interface Extras {
        /** How many numbers a record contributes. */
        int dimension();

        /** The largest L2 norm of what {@link TiltedMoments#extras} writes; longer ones are shortened to it. */
        double l2Bound();

        /**
         * The bound of the extras as a share of the joint bound C, between 0 and 1: they are scaled to norm share · C at
         * most, and g is clipped to √(1 − share²) C, so one release of norm C covers both. A joint clip would shrink extras
         * together with large gradients and bias them.
         */
        double boundShare();

        /** The constants after a step, from the mean of the extras over records, scale undone, noise included. */
        double[] constants(double[] before, double[] noisyMeans);
    }

    /** What records say about one cavity. */
    interface TiltedMoments {
        /** Sets the cavity for the rows that follow. */
        void cavity(double[] mean, double[] covariance);

        /** Called before the rows of a block, to compute something for all of them; each row's part from that row only. */
        default void prepare(RecordBlock block) {}

        /**
         * log Z of one row, up to a constant.
         *
         * @param gradient is overwritten with g
         */
        double gradient(RecordBlock block, int row, double[] gradient);

        /**
         * log Z of one row, up to a constant.
         *
         * @param gradient is overwritten with g
         * @param curvature is overwritten with H, block after block
         */
        double derivatives(RecordBlock block, int row, double[] gradient, double[] curvature);

        /** Writes the extras of the row that was asked for last. */
        default void extras(double[] statistics) {}
    }
}
