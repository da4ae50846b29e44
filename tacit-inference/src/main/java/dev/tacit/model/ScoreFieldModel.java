package dev.tacit.model;

import dev.tacit.posterior.Posterior;
import dev.tacit.query.ContributionSum;
import java.util.List;

/**
 * A model that knows what its own clipped score looks like, whatever the truth is.
 *
 * <pre>
 *   ψ(x; φ)       score of one record at the point φ, clipped and centred by public numbers, ‖ψ‖₂ ≤ 1
 *   m(φ; φ*)      E ψ(x; φ) for x ~ p(x | φ*): the field, clip included
 *   V(φ; φ*)      Var ψ(x; φ) for x ~ p(x | φ*)
 * </pre>
 *
 * The field is what makes the releases of {@link dev.tacit.inference.noiseaware.ModelImpliedField} informative without any
 * curvature to guess: a release at φ_t has mean N m(φ_t; φ*). It rests on the model being true, records' tails included.
 */
public interface ScoreFieldModel {
    /** One name for each unconstrained parameter; the score has as many numbers. */
    List<String> parameterNames();

    /** How many parameters there are. */
    default int dimension() {
        return parameterNames().size();
    }

    /** The prior's mean: public. */
    double[] start();

    /** The prior's precision of each parameter at the start. */
    double[] startPrecisions();

    /** The score ψ(·; point) of one record, of norm at most 1. */
    ContributionSum score(double[] point);

    /**
     * What N records are expected to sum to at a point, if the truth is somewhere around it.
     *
     * @param precisions how well the truth is known, for each parameter
     * @param mean is overwritten with N m(point; point)
     * @param slopes is overwritten with the derivatives of N m_j(point; φ*) in φ*_j
     */
    void expect(double[] point, double[] precisions, double[] mean, double[] slopes);

    /** The prior, and what a trace of releases says, each used once. Does not fail, whatever was released. */
    Posterior posterior(ScoreTrace trace);
}
