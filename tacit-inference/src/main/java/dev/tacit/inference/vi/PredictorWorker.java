package dev.tacit.inference.vi;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;

/**
 * {@link MeanFieldGradient} for a {@link LinearPredictorModel}: all predictors of all draws from the non-zeros of a record,
 * one call of the response for each draw, then two numbers for each predictor and non-zero, and for each other parameter.
 */
final class PredictorWorker implements ContributionSum.Worker {
    private final LinearPredictorModel.Response response;
    private final int count;
    private final int columns;
    private final int predictorCount;
    private final int otherCount;

    /** Weights, column after column, within it draw after draw. */
    private final double[] points;

    private final double[] directions;

    /** The other parameters, draw after draw. */
    private final double[] otherPoints;

    private final double[] otherDirections;

    private final double[] predictors;
    private final double[] slopes;
    private final double[] otherSlopes;
    private final double[] meanSlopes;
    private final double[] pairs;

    PredictorWorker(LinearPredictorModel model, MeanFieldGradient.Draws draws) {
        this.response = model.response();
        this.count = draws.count();
        this.columns = model.columns();
        this.predictorCount = model.predictors();
        this.otherCount = model.others();
        int weights = columns * predictorCount;
        int d = draws.dimension();
        double[] all = draws.points();
        this.points = new double[count * weights];
        this.directions = new double[count * weights];
        this.otherPoints = new double[count * otherCount];
        this.otherDirections = new double[count * otherCount];
        for (int k = 0; k < count; k++) {
            for (int column = 0; column < columns; column++) {
                int from = k * d + column * predictorCount;
                int to = (column * count + k) * predictorCount;
                System.arraycopy(all, from, points, to, predictorCount);
                System.arraycopy(draws.directions(), from, directions, to, predictorCount);
            }
            System.arraycopy(all, k * d + weights, otherPoints, k * otherCount, otherCount);
            System.arraycopy(draws.directions(), k * d + weights, otherDirections, k * otherCount, otherCount);
        }
        this.predictors = new double[count * predictorCount];
        this.slopes = new double[count * predictorCount];
        this.otherSlopes = new double[count * otherCount];
        this.meanSlopes = new double[predictorCount];
        this.pairs = new double[2 * Math.max(predictorCount, otherCount)];
    }

    @Override
    public void contribute(RecordBlock block, int row, Contribution contribution) {
        Arrays.fill(predictors, 0);
        if (predictorCount > 0) {
            addPredictors(block, row);
        }
        double label = block.label(row);
        for (int k = 0; k < count; k++) {
            response.logDensity(
                    label, predictors, k * predictorCount, otherPoints, k * otherCount, slopes, otherSlopes);
        }
        if (predictorCount > 0) {
            addWeights(block, row, contribution);
        }
        if (otherCount > 0) {
            addOthers(contribution);
        }
    }

    private void addPredictors(RecordBlock block, int row) {
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                addColumn(sparse.columnIndices()[entry], sparse.values()[entry]);
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            int start = dense.start(row);
            for (int column = 0; column < columns; column++) {
                if (dense.values()[start + column] != 0) {
                    addColumn(column, dense.values()[start + column]);
                }
            }
        }
    }

    private void addColumn(int column, double value) {
        int size = count * predictorCount;
        int at = column * size;
        for (int i = 0; i < size; i++) {
            predictors[i] += value * points[at + i];
        }
    }

    private void addWeights(RecordBlock block, int row, Contribution contribution) {
        Arrays.fill(meanSlopes, 0);
        double share = 1.0 / count;
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < predictorCount; i++) {
                meanSlopes[i] += share * slopes[k * predictorCount + i];
            }
        }
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                add(sparse.columnIndices()[entry], sparse.values()[entry], contribution);
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            int start = dense.start(row);
            for (int column = 0; column < columns; column++) {
                if (dense.values()[start + column] != 0) {
                    add(column, dense.values()[start + column], contribution);
                }
            }
        }
    }

    private void add(int column, double value, Contribution contribution) {
        for (int i = 0; i < predictorCount; i++) {
            pairs[2 * i] = value * meanSlopes[i];
            pairs[2 * i + 1] = 0;
        }
        int at = column * count * predictorCount;
        for (int k = 0; k < count; k++) {
            int line = k * predictorCount;
            for (int i = 0; i < predictorCount; i++) {
                pairs[2 * i + 1] += slopes[line + i] * directions[at + line + i];
            }
        }
        for (int i = 0; i < predictorCount; i++) {
            pairs[2 * i + 1] *= value;
        }
        contribution.addAll(2 * column * predictorCount, pairs, 0, 2 * predictorCount);
    }

    private void addOthers(Contribution contribution) {
        Arrays.fill(pairs, 0, 2 * otherCount, 0);
        double share = 1.0 / count;
        for (int k = 0; k < count; k++) {
            int line = k * otherCount;
            for (int i = 0; i < otherCount; i++) {
                pairs[2 * i] += share * otherSlopes[line + i];
                pairs[2 * i + 1] += otherSlopes[line + i] * otherDirections[line + i];
            }
        }
        contribution.addAll(2 * columns * predictorCount, pairs, 0, 2 * otherCount);
    }
}
