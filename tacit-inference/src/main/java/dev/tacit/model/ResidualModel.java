package dev.tacit.model;

import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.ContributionSum;
import java.util.List;

/**
 * A generalised linear model whose log-likelihood has the gradient Σ_n r(y_n, x_nᵀθ) x_n with a bounded residual r.
 *
 * <p>What residual Newton methods need: residual sums at a point, and the curvature at the origin, where it is largest.
 */
public interface ResidualModel extends RowBounded {
    /** The names of the weights, one for each column of the records. */
    List<String> parameterNames();

    /** The precision of the Gaussian prior on each weight, centred at 0. */
    double priorPrecision();

    /** The largest absolute residual. */
    double largestResidual();

    /** The largest absolute residual at the origin. */
    double largestResidualAtOrigin();

    /** The largest second derivative of the negative log-likelihood of one record along its margin. */
    double largestCurvature();

    /** Curvature on average over the margins met in practice, as a share of the largest. */
    double typicalCurvatureShare();

    /** One record contributes r(y, xᵀweights) x. */
    ContributionSum residualSum(double[] weights);

    /**
     * One record contributes its residual at the origin times x, then {@code squareWeight} times its largest curvature
     * times svec(x xᵀ).
     */
    ContributionSum originStatistics(double squareWeight);

    /** How many weights there are. */
    default int columns() {
        return parameterNames().size();
    }

    /** A Gaussian posterior with the weights' names. */
    GaussianPosterior posterior(double[] mean, double[] covariance);
}
