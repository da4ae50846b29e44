package dev.tacit.inference.vi;

import dev.tacit.model.GaussianMarginModel;
import dev.tacit.query.ColumnPairs;
import dev.tacit.query.ContributionSum;

/**
 * What one record adds to the gradient of the bound of independent Gaussians N(μ_j, s_j²), without draws: the margin is one
 * normal number, and everything a record says about q is two expectations over it.
 *
 * <pre>
 *   z = xᵀθ ~ N(Σ x_j μ_j, Σ x_j² s_j²)
 *   coordinate 2j: meanWeight x_j E r(y, z)        coordinate 2j+1: scaleWeights_j x_j² E r′(y, z)
 * </pre>
 *
 * As ∂E log p/∂μ_j = x_j E r and ∂E log p/∂s_j = s_j x_j² E r′ (Price 1958), a weight s_j² gives the derivative in log s_j, and
 * s_j softplus′(u_j) that in u_j if s_j = softplus(u_j). Cost: two expectations for a record and a few products for each of its
 * non-zero numbers.
 */
public final class MarginExpectationGradient {
    private MarginExpectationGradient() {}

    /**
     * At a point of the variational family.
     *
     * @param variances s²
     */
    public static ContributionSum of(
            GaussianMarginModel model, double[] means, double[] variances, double meanWeight, double[] scaleWeights) {
        return new ColumnPairs(means, variances, scaleWeights, (block, sums, squareSums) -> {
            model.toAverages(block, sums, squareSums);
            for (int row = 0; row < block.rows(); row++) {
                sums[row] *= meanWeight;
                squareSums[row] = -squareSums[row];
            }
        });
    }

    /**
     * For s = softplus(u), with respect to (μ, u).
     *
     * @param scales softplus(u)
     * @param slopes softplus′(u)
     * @param scaleWeight factor on the gradients of u before the clip
     */
    public static ContributionSum ofLinks(
            GaussianMarginModel model, double[] means, double[] scales, double[] slopes, double scaleWeight) {
        double[] variances = new double[means.length];
        double[] weights = new double[means.length];
        for (int j = 0; j < means.length; j++) {
            variances[j] = scales[j] * scales[j];
            weights[j] = scaleWeight * slopes[j] * scales[j];
        }
        return of(model, means, variances, 1, weights);
    }
}
