package dev.tacit.model;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.ContributionSum;

/**
 * A latent-variable model whose variational bound climbs along sums of per-record gradients, with curvature known from
 * public or released numbers alone.
 *
 * <pre>
 *   L(θ) = Σ_n max_q L_n(θ, q):    ∇L = Σ_n ∂L_n/∂θ at the record's own q        no statistics for the curvature are released
 * </pre>
 *
 * What {@link dev.tacit.inference.bayes.ResidualVariationalBayes} needs.
 */
public interface BoundGradientModel {
    /** How many parameters there are, and numbers in a gradient. */
    int dimension();

    /** Parameters before any record was seen. */
    double[] start(RandomStream random);

    /** The public L2 bound at which the weighted gradient of one record is clipped. */
    double gradientL2Bound();

    /** One record contributes the gradient of its own bound, blocks weighted by public factors. */
    ContributionSum boundGradient(double[] parameters);

    /**
     * The parameters after a step along a gradient, prior and curvature included.
     *
     * @param gradient the mean of weighted, clipped gradients over the records, possibly noisy
     * @param rate 1 is the step that the curvature calls for
     */
    double[] moved(double[] parameters, double[] gradient, double rate);

    /**
     * What is known about the parameters.
     *
     * @param squaredRateNoise Σ_t (rate_t · standard deviation of the noise on each number of gradient t)²
     */
    Posterior posterior(double[] parameters, double squaredRateNoise);
}
