package dev.tacit.glm.twin;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.query.Contribution;
import java.io.Serializable;

/**
 * What the rows of a table do in models in which every row x has several linear predictors, Θ x.
 *
 * <pre>
 *   coordinates   θ = (Θ_1, Θ_2, …)             one predictor's columns after the other's
 *   images        Θ x_r                          row after row
 *   adjoint       Σ_r v_r ⊗ x_r
 *   gram          Σ_r (Σ_i s_ri c_i c_iᵀ) ⊗ x_r x_rᵀ = Σ_i c_i c_iᵀ ⊗ Σ_r s_ri x_r x_rᵀ        c_i the family's directions
 *   curvature     svec(A) ⊗ svec(x xᵀ) for A ⊗ x xᵀ: the same Euclidean norm, |A| |x|², and each number once
 * </pre>
 *
 * With one predictor Θ is a vector and all of it is what it is without Kronecker products, bit for bit.
 */
public final class PredictorRows implements Serializable {
    private static final long serialVersionUID = 1;

    private static final LinearAlgebra ALGEBRA = LinearAlgebra.best();

    private final int rows;
    private final int width;
    private final int predictors;
    private final double[][] directions;

    PredictorRows(int rows, int width, GlmFamily family) {
        this.rows = rows;
        this.width = width;
        this.predictors = family.predictors();
        this.directions = family.directions();
    }

    double[] images(double[] x, double[] theta) {
        if (predictors == 1) {
            return Matrices.predictors(rows, width, x, theta);
        }
        double[] images = new double[rows * predictors];
        ALGEBRA.multiply(false, true, rows, predictors, width, 1, x, theta, 0, images);
        return images;
    }

    double[] adjoint(double[] x, double[] values) {
        if (predictors == 1) {
            return Matrices.transposedTimes(rows, width, x, values);
        }
        double[] sum = new double[predictors * width];
        ALGEBRA.multiply(true, false, predictors, width, rows, 1, values, x, 0, sum);
        return sum;
    }

    /** @param weights s, not negative, all of a row together */
    double[] gram(double[] x, double[] weights, double factor) {
        if (predictors == 1) {
            return Matrices.weightedGram(rows, width, x, weights, factor * directions[0][0] * directions[0][0]);
        }
        int count = directions.length;
        double[] sum = new double[predictors * width * predictors * width];
        double[] own = new double[rows];
        for (int i = 0; i < count; i++) {
            for (int r = 0; r < rows; r++) {
                own[r] = weights[r * count + i];
            }
            double[] block = Matrices.weightedGram(rows, width, x, own, factor);
            for (int a = 0; a < predictors; a++) {
                for (int b = 0; b < predictors; b++) {
                    addBlock(sum, a, b, directions[i][a] * directions[i][b], block);
                }
            }
        }
        return sum;
    }

    private void addBlock(double[] sum, int a, int b, double factor, double[] block) {
        int all = predictors * width;
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                sum[(a * width + i) * all + b * width + j] += factor * block[i * width + j];
            }
        }
    }

    /** The trace of Σ s_i c_i c_iᵀ over the number of predictors. */
    double meanSlope(double[] slopes, int from) {
        double trace = 0;
        for (int i = 0; i < directions.length; i++) {
            trace += slopes[from + i] * Matrices.dot(directions[i], directions[i]);
        }
        return trace / predictors;
    }

    /** factor c_i (c_iᵀ v) s_i, summed over directions, added to {@code sum[at ..]}; v stands in the same places of its array. */
    void addTimes(double factor, double[] slopes, int from, double[] v, double[] sum, int at) {
        for (int i = 0; i < directions.length; i++) {
            double along = factor * slopes[from + i] * along(i, v, at);
            for (int k = 0; k < predictors; k++) {
                sum[at + k] += along * directions[i][k];
            }
        }
    }

    /** Σ s_i (c_iᵀ v)² for the v in {@code values[at ..]}. */
    double form(double factor, double[] slopes, double[] v, int at) {
        double sum = 0;
        for (int i = 0; i < directions.length; i++) {
            double along = along(i, v, at);
            sum += factor * slopes[i] * along * along;
        }
        return sum;
    }

    private double along(int direction, double[] v, int at) {
        double sum = 0;
        for (int k = 0; k < predictors; k++) {
            sum += directions[direction][k] * v[at + k];
        }
        return sum;
    }

    /** svec(Σ s_i c_i c_iᵀ). */
    void writeSlope(double[] slopes, double[] svec) {
        int next = 0;
        for (int a = 0; a < predictors; a++) {
            for (int b = 0; b <= a; b++) {
                double entry = 0;
                for (int i = 0; i < directions.length; i++) {
                    entry += slopes[i] * directions[i][a] * directions[i][b];
                }
                svec[next++] = a == b ? entry : Math.sqrt(2) * entry;
            }
        }
    }

    /** The matrix that was released as svec(A) ⊗ svec(x xᵀ). */
    public double[] curvature(double[] released) {
        int square = Contribution.squareSize(width);
        double[] matrix = new double[predictors * width * predictors * width];
        int next = 0;
        for (int a = 0; a < predictors; a++) {
            for (int b = 0; b <= a; b++) {
                double[] block = SymmetricMatrix.fromVector(width, released, next);
                addBlock(matrix, a, b, a == b ? 1 : 1 / Math.sqrt(2), block);
                if (a != b) {
                    addBlock(matrix, b, a, 1 / Math.sqrt(2), block);
                }
                next += square;
            }
        }
        return matrix;
    }

    /** A ⊗ B. */
    static double[] kronecker(int predictors, double[] a, int width, double[] b) {
        if (predictors == 1 && a[0] == 1) {
            return b;
        }
        int all = predictors * width;
        double[] product = new double[all * all];
        for (int k = 0; k < predictors; k++) {
            for (int l = 0; l < predictors; l++) {
                for (int i = 0; i < width; i++) {
                    for (int j = 0; j < width; j++) {
                        product[(k * width + i) * all + l * width + j] = a[k * predictors + l] * b[i * width + j];
                    }
                }
            }
        }
        return product;
    }
}
