package dev.tacit.inference;

import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.MarginModel;
import dev.tacit.privacy.data.Contribution;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;
import dev.tacit.privacy.data.SparseBlock;
import java.util.Arrays;

/**
 * What one record adds to the gradient of the evidence bound of a mean-field Gaussian q = N(μ, diag softplus(u)²).
 *
 * <pre>
 *   θ_k = μ + softplus(u) ⊙ z_k,     D_k = ∇ log p(x | θ_k),     k = 1 … K
 *   coordinate 2j: mean_k D_kj        coordinate 2j+1: scaleWeight · softplus′(u_j) mean_k D_kj z_kj
 * </pre>
 *
 * The draws z are public and the same for all records of a step. The two numbers of a parameter stand side by side, so that
 * a sparse record of a {@link MarginModel} adds short runs at ascending places and nothing else is touched.
 */
public final class MeanFieldGradient implements RecordSum {
    private final DifferentiableModel model;
    private final int dimension;
    private final int draws;

    /** Parameter after parameter, the draws of each side by side. */
    private final double[] points;

    private final double[] directions;

    /** Draw after draw, for models that need whole parameter vectors. */
    private final double[][] wholePoints;

    /**
     * At a point of the variational family.
     *
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
        this.dimension = means.length;
        this.draws = noise.length / dimension;
        this.points = new double[noise.length];
        this.directions = new double[noise.length];
        this.wholePoints = new double[model instanceof MarginModel ? 0 : draws][];
        for (int k = 0; k < wholePoints.length; k++) {
            wholePoints[k] = new double[dimension];
        }
        for (int j = 0; j < dimension; j++) {
            for (int k = 0; k < draws; k++) {
                double z = noise[k * dimension + j];
                double point = means[j] + scales[j] * z;
                points[j * draws + k] = point;
                directions[j * draws + k] = scaleWeight * slopes[j] * z / draws;
                if (wholePoints.length > 0) {
                    wholePoints[k][j] = point;
                }
            }
        }
    }

    @Override
    public int dimension() {
        return 2 * dimension;
    }

    @Override
    public Worker worker() {
        return model instanceof MarginModel margin ? new MarginWorker(margin) : new GeneralWorker(model.likelihood());
    }

    /** One margin and one residual for each draw; then two numbers for each non-zero of the record. */
    private final class MarginWorker implements Worker {
        private final MarginModel margin;
        private final double[] residuals = new double[draws];
        private double[] pairs = new double[2 * dimension];

        MarginWorker(MarginModel margin) {
            this.margin = margin;
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            Arrays.fill(residuals, 0);
            if (block instanceof SparseBlock sparse) {
                int[] columns = sparse.columnIndices();
                double[] values = sparse.values();
                int end = sparse.end(row);
                for (int entry = sparse.start(row); entry < end; entry++) {
                    addMargins(columns[entry], values[entry]);
                }
                double mean = toResiduals(block.label(row));
                for (int entry = sparse.start(row); entry < end; entry++) {
                    pair(0, columns[entry], values[entry], mean);
                    contribution.addAll(2 * columns[entry], pairs, 0, 2);
                }
            } else {
                double[] values = ((DenseBlock) block).values();
                int start = ((DenseBlock) block).start(row);
                for (int j = 0; j < dimension; j++) {
                    addMargins(j, values[start + j]);
                }
                double mean = toResiduals(block.label(row));
                for (int j = 0; j < dimension; j++) {
                    pair(2 * j, j, values[start + j], mean);
                }
                contribution.addAll(0, pairs, 0, 2 * dimension);
            }
        }

        private void addMargins(int column, double value) {
            int at = column * draws;
            for (int k = 0; k < draws; k++) {
                residuals[k] += value * points[at + k];
            }
        }

        private double toResiduals(double label) {
            double sum = 0;
            for (int k = 0; k < draws; k++) {
                residuals[k] = margin.residual(label, residuals[k]);
                sum += residuals[k];
            }
            return sum / draws;
        }

        private void pair(int place, int column, double value, double mean) {
            int at = column * draws;
            double along = 0;
            for (int k = 0; k < draws; k++) {
                along += residuals[k] * directions[at + k];
            }
            pairs[place] = mean * value;
            pairs[place + 1] = along * value;
        }
    }

    /** Whole gradients, one for each draw. */
    private final class GeneralWorker implements Worker {
        private final DifferentiableModel.Likelihood likelihood;
        private final double[] gradient = new double[dimension];
        private final double[] pairs = new double[2 * dimension];

        GeneralWorker(DifferentiableModel.Likelihood likelihood) {
            this.likelihood = likelihood;
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            Arrays.fill(pairs, 0);
            for (int k = 0; k < draws; k++) {
                Arrays.fill(gradient, 0);
                likelihood.logDensity(block, row, wholePoints[k], gradient);
                for (int j = 0; j < dimension; j++) {
                    pairs[2 * j] += gradient[j] / draws;
                    pairs[2 * j + 1] += gradient[j] * directions[j * draws + k];
                }
            }
            contribution.addAll(0, pairs, 0, 2 * dimension);
        }
    }
}
