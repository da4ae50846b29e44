package dev.tacit.model.regression;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.MixturePosterior;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Mean xᵀμ and variance xᵀΣx of the margin xᵀθ, at a cost of (non-zeros of x)², or of non-zeros if weights are independent.
 *
 * <p>Independent weights that are mixtures of Gaussians are taken with their variances: a margin adds up many of them.
 */
public final class LinearMargin implements Serializable {
    private static final long serialVersionUID = 1;

    private final int columns;
    private final double[] mean;

    /** Row after row, or one variance for each weight. */
    private final double[] covariance;

    private LinearMargin(int columns, double[] mean, double[] covariance) {
        this.columns = columns;
        this.mean = mean;
        this.covariance = covariance;
    }

    /** For a posterior over weights, one for each column. */
    public static LinearMargin of(Posterior posterior, int columns) {
        if (posterior.parameterNames().size() == columns) {
            if (posterior instanceof GaussianPosterior gaussian) {
                return new LinearMargin(columns, gaussian.mean(), gaussian.covariance());
            }
            if (posterior instanceof DiagonalGaussianPosterior || posterior instanceof MixturePosterior) {
                double[] deviations = posterior.standardDeviation();
                return new LinearMargin(
                        columns,
                        posterior.mean(),
                        Arrays.stream(deviations).map(sd -> sd * sd).toArray());
            }
        }
        throw new IllegalArgumentException("the posterior is not a Gaussian over " + columns + " weights");
    }

    /** For independent weights, the first of all parameters of a model. */
    static LinearMargin independent(int columns, double[] mean, double[] variances) {
        return new LinearMargin(columns, mean, Arrays.copyOf(variances, columns));
    }

    /** xᵀμ. */
    public double mean(RecordBlock block, int row) {
        return Rows.dot(block, row, mean, 0);
    }

    /** xᵀΣx, not below 0. */
    public double variance(RecordBlock block, int row) {
        if (covariance.length == columns) {
            return independent(block, row);
        }
        return Math.max(0, block instanceof SparseBlock sparse ? sparse(sparse, row) : dense((DenseBlock) block, row));
    }

    private double independent(RecordBlock block, int row) {
        double sum = 0;
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                double value = sparse.values()[entry];
                sum += value * value * covariance[sparse.columnIndices()[entry]];
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            for (int j = 0; j < columns; j++) {
                double value = dense.values()[dense.start(row) + j];
                sum += value * value * covariance[j];
            }
        }
        return sum;
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
