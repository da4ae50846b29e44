package dev.tacit.inference;

import dev.tacit.privacy.sampling.SamplingScheme;

/**
 * Stochastic expectation propagation with every record's site clipped, the step between SEP and its private form. Not private.
 *
 * <pre>
 *   G ← G + (γ/N) (clip((η_n, svec Λ_n), l2Bound) − f)
 * </pre>
 *
 * Vinaroz, Park 2022, Section 4 ("clipped SEP"). Differs from their code: mean and precision are clipped together, where the code
 * clips each alone, so that two releases would be needed; otherwise as {@link StochasticEp}.
 *
 * <p>Clipped: the natural parameters of one record's site, in L2. There is no noise: the session's event is not private.
 */
public final class ClippedStochasticEp extends SharedSiteKernel {
    public static final String NAME = "clipped-sep";

    /**
     * Settings.
     *
     * @param steps how many records are drawn
     * @param stepNumerator γ, from 1 (one copy of the site moves) to N (all do)
     * @param l2Bound at which a site is clipped
     */
    public record Settings(int steps, double stepNumerator, double l2Bound) {
        public Settings {
            DpStochasticEp.requireSteps(steps);
            DpStochasticEp.requirePositive(stepNumerator, "stepNumerator");
            DpStochasticEp.requirePositive(l2Bound, "l2Bound");
        }
    }

    private final Settings settings;

    public ClippedStochasticEp(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    int steps() {
        return settings.steps;
    }

    @Override
    SamplingScheme sampling(long publicSize) {
        return new SamplingScheme.FixedSizeSampling(1, publicSize);
    }

    @Override
    Move move(int step, long publicSize) {
        return new Move(settings.l2Bound, settings.l2Bound, 1, settings.stepNumerator, false, 0, false);
    }
}
