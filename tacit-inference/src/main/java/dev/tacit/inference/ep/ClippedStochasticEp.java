package dev.tacit.inference.ep;

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
public final class ClippedStochasticEp extends StochasticEp {
    public static final String NAME = "clipped-sep";

    /** Sites are clipped at the {@code largestSite} of the settings. */
    public ClippedStochasticEp(Settings settings) {
        super(settings);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    double l2Bound() {
        return settings().largestSite();
    }
}
