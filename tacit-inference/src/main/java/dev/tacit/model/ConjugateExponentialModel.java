package dev.tacit.model;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.ContributionSum;
import java.util.Optional;

/**
 * A conjugate-exponential model: records touch the parameters only through sums of expected sufficient statistics.
 *
 * <pre>
 *   ⟨s(x_n, l_n)⟩ under q(l_n | parameters)    →    q(parameters) = prior + Σ_n ⟨s(x_n, l_n)⟩ in natural parameters
 * </pre>
 *
 * Ghahramani, Beal 2001; Park, Foulds, Chaudhuri, Welling 2020, Section 3.
 *
 * @param <Q> the family of the posterior
 */
public interface ConjugateExponentialModel<Q extends Posterior> {
    /** How many numbers the statistics of one record have, blocks weighted and concatenated. */
    int statisticsDimension();

    /** The public L2 bound of one record's weighted statistics, at which they are clipped jointly. */
    double statisticsL2Bound();

    /** A release before the first step that finds hyper-parameters; empty if the model needs none. */
    default Optional<PreliminaryRelease> preliminary() {
        return Optional.empty();
    }

    /** q before any statistics were seen: where the first expectations are taken. */
    Q start(double[] hyperParameters, RandomStream random);

    /** Expectations of parameters above the ones that records touch, before any record was seen. */
    double[] hyperParameters();

    /** The same expectations after q changed, from those before. */
    double[] hyperParameters(Q posterior, double[] before);

    /** What one record contributes: its weighted expected statistics under q. */
    ContributionSum expectedStatistics(Q posterior);

    /** What becomes of the numbers of one release before they are averaged; as they are unless a model says otherwise. */
    default void repair(double[] statistics) {}

    /**
     * q from the sum of statistics over the population.
     *
     * @param statistics weighted sums, possibly noisy; they may be impossible as sums, which is repaired here
     * @param noiseStandardDeviation of the noise on each of them, 0 if there is none
     * @param hyperParameters expectations from {@link #hyperParameters(Posterior, double[])}
     */
    Q posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters);
}
