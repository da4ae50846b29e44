package dev.tacit.model;

import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import java.util.List;

/**
 * A conjugate model whose sufficient statistics S are released with noise, and a Markov chain over what the noise hides.
 *
 * <pre>
 *   z = S + noise,     S | θ ~ N(N E s(x), N Cov s(x)) for records of the model with parameters θ,     θ | S conjugate
 *   one sweep:  S | θ, z     then     θ | S
 * </pre>
 *
 * Bernstein, Sheldon 2018, Algorithm 1, and 2019, Algorithm 1: the central limit theorem stands in for the distribution of S.
 */
public interface NoisyStatisticsModel {
    /** One name for each parameter. */
    List<String> parameterNames();

    /**
     * One release.
     *
     * @param label in words that may be published
     * @param sum what one record contributes
     * @param l2Bound at which a contribution is clipped
     */
    record Statistics(String label, ContributionSum sum, double l2Bound) {}

    /** What is released, in order; the first are the sufficient statistics. */
    List<Statistics> releases();

    /**
     * The chain that the noisy sums call for, started at a draw of the prior.
     *
     * @param released the noisy sums, in the order of {@link #releases}
     */
    Chain chain(List<double[]> released, RandomStream random);

    /** A state of the Markov chain. */
    interface Chain {
        /**
         * Draws S given θ and z, then θ given S.
         *
         * @param noiseVariances of each number of z
         */
        void sweep(double[] noiseVariances, RandomStream random);

        /** S, in the units of the release. */
        double[] statistics();

        /** θ. */
        double[] parameters();
    }
}
