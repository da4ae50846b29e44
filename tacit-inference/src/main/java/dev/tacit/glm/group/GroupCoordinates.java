package dev.tacit.glm.group;

import dev.tacit.glm.model.GroupLayout;
import java.util.Arrays;

/**
 * The coordinates of group effects behind the whitened columns: of a row, k s e_g for each term.
 *
 * <pre>
 *   k² = ½ mean |w|²         s = 1 for intercepts, the standardised number for slopes;   b = k θ
 * </pre>
 *
 * They are not whitened: the noise of a group's sum is the same for all groups, whatever their size. Sums over the twin's
 * rows use that a row is in one level of each term.
 */
public final class GroupCoordinates {
    /** k² over the mean squared length of the whitened columns. */
    private static final double SHARE = 0.5;

    public final GroupLayout layout;
    public final double weight;
    private final int rows;
    private final int[][] levels;

    /** k s of each row, by term. */
    private final double[][] values;

    /**
     * @param levels of the twin's rows, by term
     * @param x the twin's standardised columns
     * @param typicalSquare mean |w|²
     */
    public GroupCoordinates(GroupLayout layout, int[][] levels, int rows, double[] x, double typicalSquare) {
        this.layout = layout;
        this.rows = rows;
        this.levels = levels;
        this.weight = Math.sqrt(SHARE * typicalSquare);
        this.values = new double[layout.terms.size()][];
        for (int t = 0; t < values.length; t++) {
            int slope = layout.terms.get(t).slope();
            values[t] = new double[rows];
            for (int r = 0; r < rows; r++) {
                values[t][r] = weight * x[r * layout.columns + slope];
            }
        }
    }

    /** Squared length of a row's coordinates. */
    public double square(int row) {
        double sum = 0;
        for (double[] term : values) {
            sum += term[row] * term[row];
        }
        return sum;
    }

    /** Adds the effects of groups to predictors. */
    public void addPredictors(double[] point, double[] eta) {
        for (int t = 0; t < values.length; t++) {
            int first = layout.coordinate(t, 0);
            for (int r = 0; r < rows; r++) {
                eta[r] += values[t][r] * point[first + levels[t][r]];
            }
        }
    }

    /** The sums of residuals of all coordinates, given those of the columns. */
    public double[] adjoint(double[] columns, double[] residuals) {
        double[] sum = Arrays.copyOf(columns, layout.size());
        for (int t = 0; t < values.length; t++) {
            int first = layout.coordinate(t, 0);
            for (int r = 0; r < rows; r++) {
                sum[first + levels[t][r]] += values[t][r] * residuals[r];
            }
        }
        return sum;
    }

    /** Adds a multiple of a row's coordinates to every {@code stride}-th number. */
    public void addRow(int row, double factor, double[] sum, int stride, int start) {
        for (int t = 0; t < values.length; t++) {
            sum[layout.coordinate(t, levels[t][row]) * stride + start] += factor * values[t][row];
        }
    }

    /**
     * Σ weights v vᵀ over all coordinates, given the block of the columns.
     *
     * @param twin whitened columns, row after row
     */
    public double[] gram(double[] columnsBlock, double[] twin, double[] weights, double factor) {
        int d = layout.columns;
        int n = layout.size();
        double[] gram = new double[n * n];
        for (int i = 0; i < d; i++) {
            System.arraycopy(columnsBlock, i * d, gram, i * n, d);
        }
        for (int t = 0; t < values.length; t++) {
            int first = layout.coordinate(t, 0);
            for (int r = 0; r < rows; r++) {
                double scale = factor * weights[r] * values[t][r];
                int line = (first + levels[t][r]) * n;
                int from = r * d;
                for (int j = 0; j < d; j++) {
                    gram[line + j] += scale * twin[from + j];
                }
                for (int u = 0; u <= t; u++) {
                    gram[line + layout.coordinate(u, levels[u][r])] += scale * values[u][r];
                }
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                gram[j * n + i] = gram[i * n + j];
            }
        }
        return gram;
    }

    /** Adds what a covariance of all coordinates gives the predictors beside the columns' own block. */
    public void addVariances(double[] covariance, double[] twin, double[] variances) {
        int d = layout.columns;
        int n = layout.size();
        for (int r = 0; r < rows; r++) {
            double sum = 0;
            for (int t = 0; t < values.length; t++) {
                int line = layout.coordinate(t, levels[t][r]) * n;
                double cross = 0;
                for (int j = 0; j < d; j++) {
                    cross += covariance[line + j] * twin[r * d + j];
                }
                double own = 0;
                for (int u = 0; u < values.length; u++) {
                    own += covariance[line + layout.coordinate(u, levels[u][r])] * values[u][r];
                }
                sum += values[t][r] * (2 * cross + own);
            }
            variances[r] += sum;
        }
    }

    /** A matrix of the columns with a number on the diagonal of all group coordinates. */
    public double[] extended(double[] block, double diagonal) {
        int d = layout.columns;
        int n = layout.size();
        double[] matrix = new double[n * n];
        for (int i = 0; i < n; i++) {
            if (i < d) {
                System.arraycopy(block, i * d, matrix, i * n, d);
            } else {
                matrix[i * n + i] = diagonal;
            }
        }
        return matrix;
    }
}
