package dev.tacit.partitioned;

import dev.tacit.model.GaussianMarginModel;
import dev.tacit.privacy.data.Contribution;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;
import dev.tacit.privacy.data.SparseBlock;

/**
 * What one record adds to the gradient of the bound of independent Gaussians N(μ_j, s_j²), without draws.
 *
 * <pre>
 *   z = xᵀθ ~ N(Σ x_j μ_j, Σ x_j² s_j²),   r = E r(y, z),   c = −E r′(y, z)
 *   coordinate 2j:   unit · r x_j              derivative in μ_j / unit
 *   coordinate 2j+1: −c x_j² s_j²              derivative in log s_j
 * </pre>
 *
 * The paper averages over ten draws of θ; averages over the margin are exact up to the model's approximation of them. Cost:
 * one average and four products for each non-zero number of the record.
 */
final class BoundGradient implements RecordSum {
    private final GaussianMarginModel model;
    private final int columns;
    private final double unit;

    /** μ_j and s_j² side by side. */
    private final double[] moments;

    BoundGradient(GaussianMarginModel model, double[] means, double[] variances, double unit) {
        this.model = model;
        this.columns = means.length;
        this.unit = unit;
        this.moments = new double[2 * columns];
        for (int j = 0; j < columns; j++) {
            moments[2 * j] = means[j];
            moments[2 * j + 1] = variances[j];
        }
    }

    @Override
    public int dimension() {
        return 2 * columns;
    }

    @Override
    public Worker worker() {
        return new GradientWorker();
    }

    private final class GradientWorker implements Worker {
        private final double[] pairs = new double[2 * columns];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            double mean = 0;
            double variance = 0;
            if (block instanceof SparseBlock sparse) {
                int[] indices = sparse.columnIndices();
                double[] values = sparse.values();
                int start = sparse.start(row);
                int end = sparse.end(row);
                for (int entry = start; entry < end; entry++) {
                    int at = 2 * indices[entry];
                    double value = values[entry];
                    mean += value * moments[at];
                    variance += value * value * moments[at + 1];
                }
                double residual = unit * model.averageResidual(block.label(row), mean, variance);
                double curvature = model.averageCurvature(block.label(row), mean, variance);
                for (int entry = start; entry < end; entry++) {
                    int at = 2 * indices[entry];
                    double value = values[entry];
                    pairs[0] = residual * value;
                    pairs[1] = -curvature * value * value * moments[at + 1];
                    contribution.addAll(at, pairs, 0, 2);
                }
            } else {
                double[] values = ((DenseBlock) block).values();
                int start = ((DenseBlock) block).start(row);
                for (int j = 0; j < columns; j++) {
                    double value = values[start + j];
                    mean += value * moments[2 * j];
                    variance += value * value * moments[2 * j + 1];
                }
                double residual = unit * model.averageResidual(block.label(row), mean, variance);
                double curvature = model.averageCurvature(block.label(row), mean, variance);
                for (int j = 0; j < columns; j++) {
                    double value = values[start + j];
                    pairs[2 * j] = residual * value;
                    pairs[2 * j + 1] = -curvature * value * value * moments[2 * j + 1];
                }
                contribution.addAll(0, pairs, 0, 2 * columns);
            }
        }
    }
}
