package dev.tacit.model;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import java.util.Arrays;

/**
 * A model that sees a record through a few linear predictors, and whose other parameters never meet the record itself.
 *
 * <pre>
 *   m_i = xᵀw_i,  i = 1 … M,        log p(y | x, θ) = f(y, m, γ),        ∇_{w_i} log p = ∂f/∂m_i · x
 *   θ: weight i of column j at place j M + i, then γ
 * </pre>
 *
 * Gradients then cost as much as the record has non-zero numbers, whatever f is: several classes, a noise level, a hidden
 * layer. M may be 0 for a model of targets alone. A model with M = 1 and no γ is a {@link MarginModel}.
 */
public interface LinearPredictorModel extends DifferentiableModel {
    /** How many numbers a record has. */
    int columns();

    /** M, how many linear predictors there are. */
    int predictors();

    /** How many parameters γ stand behind the weights. */
    default int others() {
        return dimension() - columns() * predictors();
    }

    /** f for one thread, with its own scratch memory. */
    Response response();

    /** What a target says, given linear predictors and the other parameters. */
    @FunctionalInterface
    interface Response {
        /**
         * f(y, m, γ) up to a constant; overwrites its derivatives.
         *
         * @param predictors m from place {@code at} on
         * @param others γ from place {@code othersAt} on
         * @param slopes receives ∂f/∂m from place {@code at} on
         * @param otherSlopes receives ∂f/∂γ from place {@code othersAt} on
         */
        double logDensity(
                double label,
                double[] predictors,
                int at,
                double[] others,
                int othersAt,
                double[] slopes,
                double[] otherSlopes);
    }

    /** All predictors of a row, added to {@code predictors}. */
    static void addPredictors(
            RecordBlock block, int row, int predictorCount, double[] parameters, double[] predictors) {
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                int at = sparse.columnIndices()[entry] * predictorCount;
                double value = sparse.values()[entry];
                for (int i = 0; i < predictorCount; i++) {
                    predictors[i] += value * parameters[at + i];
                }
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            for (int column = 0; column < dense.columns(); column++) {
                double value = dense.values()[dense.start(row) + column];
                if (value != 0) {
                    for (int i = 0; i < predictorCount; i++) {
                        predictors[i] += value * parameters[column * predictorCount + i];
                    }
                }
            }
        }
    }

    @Override
    default Likelihood likelihood() {
        int count = predictors();
        int weights = columns() * count;
        Response response = response();
        double[] predictors = new double[count];
        double[] slopes = new double[count];
        double[] otherSlopes = new double[dimension()];
        return (block, row, parameters, gradient) -> {
            Arrays.fill(predictors, 0);
            addPredictors(block, row, count, parameters, predictors);
            double density =
                    response.logDensity(block.label(row), predictors, 0, parameters, weights, slopes, otherSlopes);
            for (int i = weights; i < otherSlopes.length; i++) {
                gradient[i] += otherSlopes[i];
            }
            if (block instanceof SparseBlock sparse) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    addScaled(sparse.values()[entry], slopes, sparse.columnIndices()[entry] * count, gradient);
                }
            } else if (count > 0) {
                DenseBlock dense = (DenseBlock) block;
                for (int column = 0; column < dense.columns(); column++) {
                    addScaled(dense.values()[dense.start(row) + column], slopes, column * count, gradient);
                }
            }
            return density;
        };
    }

    private static void addScaled(double value, double[] slopes, int at, double[] gradient) {
        for (int i = 0; i < slopes.length; i++) {
            gradient[at + i] += value * slopes[i];
        }
    }
}
