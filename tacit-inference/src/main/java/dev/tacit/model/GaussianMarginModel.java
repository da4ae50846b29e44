package dev.tacit.model;

/**
 * A margin model that knows the averages of its residual over a Gaussian margin, so that the bound needs no draws.
 *
 * <pre>
 *   z ~ N(mean, variance):     averageResidual = E r(y, z),     averageCurvature = −E r′(y, z)
 *   ∂ E log p(y | z) / ∂ mean = E r,     ∂ / ∂ variance = ½ E r′        (Price 1958)
 * </pre>
 *
 * The prior is N(0, I / priorPrecision).
 */
public interface GaussianMarginModel extends MarginModel {
    /** E r(y, z). */
    double averageResidual(double label, double mean, double variance);

    /** −E r′(y, z). */
    double averageCurvature(double label, double mean, double variance);

    /** The precision of the Gaussian prior on each weight, centred at 0. */
    double priorPrecision();
}
