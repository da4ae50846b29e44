package dev.tacit.inference.vi;

import dev.tacit.inference.NormalDraws;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.MarginModel;
import dev.tacit.query.ColumnDraws;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;

/**
 * What one record adds to the gradient of the evidence bound of a mean-field Gaussian q = N(μ, diag softplus(u)²).
 *
 * <pre>
 *   θ_k = μ + softplus(u) ⊙ z_k,     D_k = ∇ log p(x | θ_k),     k = 1 … K
 *   coordinate 2j: mean_k D_kj        coordinate 2j+1: scaleWeight · softplus′(u_j) mean_k D_kj z_kj
 * </pre>
 *
 * The draws z are public and the same for all records of a step; they may come in pairs z, −z. The two numbers of a parameter stand side by side, so that
 * a sparse record of a {@link MarginModel} or a {@link LinearPredictorModel} adds short runs at ascending places and
 * nothing else is touched.
 */
public final class MeanFieldGradient implements ContributionSum {
    private static final long serialVersionUID = 1;

    private final DifferentiableModel model;

    /** One worker's view of the draws. */
    private final Draws draws;

    /**
     * K points of q, and what a gradient there says about u.
     *
     * @param centre μ
     * @param offsets draw after draw: softplus(u_j) z_kj
     * @param directions draw after draw: scaleWeight · softplus′(u_j) z_kj / K
     * @param mirrored whether each also stands for its mirror image
     */
    record Draws(double[] centre, double[] offsets, double[] directions, boolean mirrored) implements Serializable {
        private static Draws of(
                double[] means, double[] scales, double[] slopes, NormalDraws normal, double scaleWeight) {
            double[] z = normal.numbers();
            double[] offsets = new double[z.length];
            double[] directions = new double[z.length];
            for (int at = 0; at < z.length; at++) {
                int j = at % means.length;
                offsets[at] = scales[j] * z[at];
                directions[at] = scaleWeight * slopes[j] * z[at] / normal.count();
            }
            return new Draws(means, offsets, directions, normal.mirrored());
        }

        int dimension() {
            return centre.length;
        }

        /** All of them one by one. */
        Draws written() {
            return mirrored
                    ? new Draws(
                            centre,
                            NormalDraws.withMirrorImages(offsets),
                            NormalDraws.withMirrorImages(directions),
                            false)
                    : this;
        }

        /** K of {@link #written} draws. */
        int count() {
            return offsets.length / centre.length;
        }

        /** θ of {@link #written} draws, one after the other. */
        double[] points() {
            double[] points = offsets.clone();
            for (int at = 0; at < points.length; at++) {
                points[at] += centre[at % centre.length];
            }
            return points;
        }
    }

    private MeanFieldGradient(DifferentiableModel model, Draws draws) {
        this.model = model;
        this.draws = draws;
    }

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
        this(model, Draws.of(means, scales, slopes, new NormalDraws(means.length, noise, false), scaleWeight));
    }

    /** The same sum, for a {@link MarginModel} in the form that the door adds up fastest. */
    public static ContributionSum of(
            DifferentiableModel model,
            double[] means,
            double[] scales,
            double[] slopes,
            double[] noise,
            double scaleWeight) {
        return of(model, means, scales, slopes, new NormalDraws(means.length, noise, false), scaleWeight);
    }

    /** With twice as many draws: each vector of {@code noise} and its mirror image. */
    public static ContributionSum inPairs(
            DifferentiableModel model,
            double[] means,
            double[] scales,
            double[] slopes,
            double[] noise,
            double scaleWeight) {
        return of(model, means, scales, slopes, new NormalDraws(means.length, noise, true), scaleWeight);
    }

    static ContributionSum of(
            DifferentiableModel model,
            double[] means,
            double[] scales,
            double[] slopes,
            NormalDraws normal,
            double scaleWeight) {
        Draws draws = Draws.of(means, scales, slopes, normal, scaleWeight);
        return model instanceof MarginModel margin ? columns(margin, draws) : new MeanFieldGradient(model, draws);
    }

    @Override
    public int dimension() {
        return 2 * draws.dimension();
    }

    @Override
    public Worker worker() {
        if (model instanceof MarginModel margin) {
            return columns(margin, draws).worker();
        }
        Draws written = draws.written();
        return model instanceof LinearPredictorModel predictors
                ? new PredictorWorker(predictors, written)
                : new WholeGradientWorker(model.likelihood(), written);
    }

    private static ColumnDraws columns(MarginModel margin, Draws draws) {
        return new ColumnDraws(
                draws.centre(), draws.offsets(), draws.directions(), draws.mirrored(), margin::toResiduals);
    }
}
