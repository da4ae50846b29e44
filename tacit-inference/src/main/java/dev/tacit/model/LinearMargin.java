package dev.tacit.model;

import dev.tacit.posterior.GaussianPosterior;
import dev.tacit.posterior.Posterior;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.SparseBlock;

/** The distribution of xᵀθ for Gaussian weights: mean xᵀμ, variance xᵀΣx, at a cost of (non-zeros of x)². */
public final class LinearMargin {
    private final int columns;
    private final double[] mean;
    private final double[] covariance;

    private LinearMargin(int columns, double[] mean, double[] covariance) {
        this.columns = columns;
        this.mean = mean;
        this.covariance = covariance;
    }

    /** For a posterior over weights, one for each column. */
    public static LinearMargin of(Posterior posterior, int columns) {
        if (!(posterior instanceof GaussianPosterior gaussian) || gaussian.dimension() != columns) {
            throw new IllegalArgumentException("the posterior is not a Gaussian over " + columns + " weights");
        }
        return new LinearMargin(columns, gaussian.mean(), gaussian.covariance());
    }

    /** xᵀμ. */
    public double mean(RecordBlock block, int row) {
        return block.dot(row, mean, 0);
    }

    /** xᵀΣx, not below 0. */
    public double variance(RecordBlock block, int row) {
        return Math.max(0, block instanceof SparseBlock sparse ? sparse(sparse, row) : dense((DenseBlock) block, row));
    }

    private double sparse(SparseBlock block, int row) {
        int[] indices = block.columnIndices();
        double[] values = block.values();
        int start = block.start(row);
        int end = block.end(row);
        double sum = 0;
        for (int entry = start; entry < end; entry++) {
            int line = indices[entry] * columns;
            double cross = 0;
            for (int other = start; other < entry; other++) {
                cross += values[other] * covariance[line + indices[other]];
            }
            sum += values[entry] * (2 * cross + values[entry] * covariance[line + indices[entry]]);
        }
        return sum;
    }

    private double dense(DenseBlock block, int row) {
        double[] values = block.values();
        int start = block.start(row);
        double sum = 0;
        for (int i = 0; i < columns; i++) {
            double number = values[start + i];
            if (number != 0) {
                int line = i * columns;
                double cross = 0;
                for (int j = 0; j < i; j++) {
                    cross += values[start + j] * covariance[line + j];
                }
                sum += number * (2 * cross + number * covariance[line + i]);
            }
        }
        return sum;
    }
}
