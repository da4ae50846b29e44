package dev.tacit.inference;

import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.MarginModel;
import dev.tacit.privacy.data.ColumnDraws;
import dev.tacit.privacy.data.RecordSum;

/**
 * What one record adds to the gradient of the evidence bound of a mean-field Gaussian q = N(μ, diag softplus(u)²).
 *
 * <pre>
 *   θ_k = μ + softplus(u) ⊙ z_k,     D_k = ∇ log p(x | θ_k),     k = 1 … K
 *   coordinate 2j: mean_k D_kj        coordinate 2j+1: scaleWeight · softplus′(u_j) mean_k D_kj z_kj
 * </pre>
 *
 * The draws z are public and the same for all records of a step. The two numbers of a parameter stand side by side, so that
 * a sparse record of a {@link MarginModel} or a {@link LinearPredictorModel} adds short runs at ascending places and
 * nothing else is touched.
 */
public final class MeanFieldGradient implements RecordSum {
    private final DifferentiableModel model;

    /** One worker's view of the draws. */
    private final Draws draws;

    /**
     * K points of q, and what a gradient there says about u.
     *
     * @param count K
     * @param dimension how many parameters
     * @param points draw after draw
     * @param directions draw after draw: scaleWeight · softplus′(u_j) z_kj / K
     */
    record Draws(int count, int dimension, double[] points, double[] directions) {}

    /**
     * At a point of the variational family.
     *
     * @param scales softplus(u)
     * @param slopes softplus′(u)
     * @param noise K standard normal vectors, one after the other
     * @param scaleWeight factor on the gradients of u before the clip
     */
    public MeanFieldGradient(
            DifferentiableModel model,
            double[] means,
            double[] scales,
            double[] slopes,
            double[] noise,
            double scaleWeight) {
        this.model = model;
        int dimension = means.length;
        int count = noise.length / dimension;
        double[] points = new double[noise.length];
        double[] directions = new double[noise.length];
        for (int k = 0; k < count; k++) {
            for (int j = 0; j < dimension; j++) {
                int at = k * dimension + j;
                points[at] = means[j] + scales[j] * noise[at];
                directions[at] = scaleWeight * slopes[j] * noise[at] / count;
            }
        }
        this.draws = new Draws(count, dimension, points, directions);
    }

    /** The same sum, for a {@link MarginModel} in the form that the door adds up fastest. */
    public static RecordSum of(
            DifferentiableModel model,
            double[] means,
            double[] scales,
            double[] slopes,
            double[] noise,
            double scaleWeight) {
        MeanFieldGradient gradient = new MeanFieldGradient(model, means, scales, slopes, noise, scaleWeight);
        return model instanceof MarginModel margin ? gradient.columns(margin) : gradient;
    }

    @Override
    public int dimension() {
        return 2 * draws.dimension();
    }

    @Override
    public Worker worker() {
        if (model instanceof MarginModel margin) {
            return columns(margin).worker();
        }
        return model instanceof LinearPredictorModel predictors
                ? new PredictorWorker(predictors, draws)
                : new WholeGradientWorker(model.likelihood(), draws);
    }

    private ColumnDraws columns(MarginModel margin) {
        return new ColumnDraws(
                draws.dimension(),
                draws.points(),
                draws.directions(),
                (block, from, to, margins) -> margin.toResiduals(block, from, to, margins, draws.count()));
    }
}
