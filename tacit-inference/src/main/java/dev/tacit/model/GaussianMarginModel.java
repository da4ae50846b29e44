package dev.tacit.model;

import dev.tacit.door.record.RecordBlock;

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

    /**
     * Both averages for every row of a block, given what its margin is like: {@code means[row]} is replaced by E r and
     * {@code variances[row]} by −E r′. What is computed for a row depends on that row only, to the last bit.
     */
    default void toAverages(RecordBlock block, double[] means, double[] variances) {
        for (int row = 0; row < block.rows(); row++) {
            double mean = means[row];
            means[row] = averageResidual(block.label(row), mean, variances[row]);
            variances[row] = averageCurvature(block.label(row), mean, variances[row]);
        }
    }

    /** The precision of the Gaussian prior on each weight, centred at 0. */
    double priorPrecision();
}
