package dev.tacit.inference.vi;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.MarginModel;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.Arrays;

/**
 * What one record adds to the gradient of the log-likelihood at one point: ∇ log p(x | θ).
 *
 * <p>A {@link MarginModel} adds a multiple of the record, whose norm has a closed form; a {@link LinearPredictorModel} adds
 * one run for each non-zero.
 */
public final class PointGradient implements ContributionSum {
    private static final long serialVersionUID = 1;

    private final DifferentiableModel model;
    private final double[] point;

    /** At a point. */
    public PointGradient(DifferentiableModel model, double[] point) {
        this.model = model;
        this.point = point.clone();
    }

    @Override
    public int dimension() {
        return point.length;
    }

    @Override
    public Worker worker() {
        if (model instanceof MarginModel margin) {
            return (block, row, contribution) ->
                    contribution.addRow(0, margin.residual(block.label(row), Rows.dot(block, row, point, 0)));
        }
        if (model instanceof LinearPredictorModel predictors) {
            return new Predictors(predictors);
        }
        DifferentiableModel.Likelihood likelihood = model.likelihood();
        double[] gradient = new double[point.length];
        return (block, row, contribution) -> {
            Arrays.fill(gradient, 0);
            likelihood.logDensity(block, row, point, gradient);
            contribution.addAll(0, gradient, 0, gradient.length);
        };
    }

    private final class Predictors implements Worker {
        private final LinearPredictorModel.Response response;
        private final int count;
        private final int weights;
        private final double[] predictors;
        private final double[] slopes;
        private final double[] otherSlopes = new double[point.length];
        private final double[] run;

        Predictors(LinearPredictorModel model) {
            this.response = model.response();
            this.count = model.predictors();
            this.weights = model.columns() * count;
            this.predictors = new double[count];
            this.slopes = new double[count];
            this.run = new double[count];
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            Arrays.fill(predictors, 0);
            LinearPredictorModel.addPredictors(block, row, count, point, predictors);
            response.logDensity(block.label(row), predictors, 0, point, weights, slopes, otherSlopes);
            if (count > 0 && block instanceof SparseBlock sparse) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    add(sparse.columnIndices()[entry], sparse.values()[entry], contribution);
                }
            } else if (count > 0) {
                DenseBlock dense = (DenseBlock) block;
                for (int column = 0; column < dense.columns(); column++) {
                    if (dense.values()[dense.start(row) + column] != 0) {
                        add(column, dense.values()[dense.start(row) + column], contribution);
                    }
                }
            }
            contribution.addAll(weights, otherSlopes, weights, point.length - weights);
        }

        private void add(int column, double value, Contribution contribution) {
            for (int i = 0; i < count; i++) {
                run[i] = value * slopes[i];
            }
            contribution.addAll(column * count, run, 0, count);
        }
    }
}
