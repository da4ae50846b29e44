package dev.tacit.inference.ep;

import dev.tacit.door.sampling.SamplingScheme;

/**
 * Stochastic expectation propagation: one record a step, one site for all records. Not private.
 *
 * <pre>
 *   n uniform in 1..N,     f_n = proj[cavity · p(x_n | θ)] / cavity,     G ← G + (γ/N) (f_n − f)
 * </pre>
 *
 * Li, Hernández-Lobato, Turner 2015, Algorithm 1 (γ = N); Vinaroz, Park 2022, Algorithm 2 and equation 5 (γ = 1). Differs from
 * their code: records are drawn at random as the algorithm says, where the code takes them in order; a G whose precision is not
 * positive semidefinite is replaced by the nearest one that is, where the code skips the record.
 *
 * <p>Nothing is clipped. Records are read through the door like everybody's, in a session that is opened without noise and whose
 * event is not private.
 */
public class StochasticEp extends SharedSiteKernel {
    public static final String NAME = "sep";

    /**
     * Settings.
     *
     * @param steps how many records are drawn
     * @param stepNumerator γ, from 1 (one copy of the site moves) to N (all do)
     * @param largestSite a length that sites of records do not exceed a thousand times, which sets the grid of sums; for
     *     {@link ClippedStochasticEp} the length at which they are clipped
     */
    public record Settings(int steps, double stepNumerator, double largestSite) {
        public Settings {
            DpStochasticEp.requireSteps(steps);
            DpStochasticEp.requirePositive(stepNumerator, "stepNumerator");
            DpStochasticEp.requirePositive(largestSite, "largestSite");
        }
    }

    private final Settings settings;

    public StochasticEp(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    final int steps() {
        return settings.steps;
    }

    @Override
    final SamplingScheme sampling(long publicSize) {
        return new SamplingScheme.FixedSizeSampling(1, publicSize);
    }

    @Override
    final Move move(int step, long publicSize) {
        return new Move(l2Bound(), settings.largestSite, 1, settings.stepNumerator, false, 0, false);
    }

    /** At which a site is clipped. */
    double l2Bound() {
        return Double.POSITIVE_INFINITY;
    }

    final Settings settings() {
        return settings;
    }
}
