package dev.tacit.experiments.objective;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.query.Rows;
import java.util.Arrays;

/**
 * Regularised logistic loss over all records, with a linear term, and its minimiser by Newton's method.
 *
 * <pre>
 *   J(θ) = Σ_n log(1 + exp(−y_n x_nᵀθ)) + Λ‖θ‖²/2 + bᵀθ,     x_n shortened to norm R; rows that are not finite count as 0
 *   ‖θ − argmin J‖ ≤ ‖∇J(θ)‖ / Λ
 * </pre>
 *
 * The gradient that is returned as small enough is so in exact arithmetic: {@link #gradientError} bounds what rounding
 * can have changed. With u = 2^−53, a margin of n products is wrong by (n + 4) u R‖θ‖, its slope by a quarter of that and
 * 8u; rows are added up in parts of {@value #PART_ROWS}, whose sums are added with compensation.
 */
final class LogisticObjective {
    private static final int PART_ROWS = 256;
    private static final int MOST_STEPS = 200;
    private static final int MOST_HALVINGS = 40;
    private static final double UNIT_ROUNDOFF = 0x1p-53;

    private final RecordSource records;
    private final double rowNormBound;
    private final double regularisation;
    private final double[] linearTerm;
    private final int columns;
    private final double[] margins = new double[PART_ROWS];

    LogisticObjective(RecordSource records, double rowNormBound, double regularisation, double[] linearTerm) {
        this.records = records;
        this.rowNormBound = rowNormBound;
        this.regularisation = regularisation;
        this.linearTerm = linearTerm;
        this.columns = records.columns();
    }

    /** The objective at a point. */
    record Value(double objective, double[] gradient) {
        double gradientNorm() {
            return norm(gradient);
        }
    }

    /** A point whose gradient has at most this norm, rounding included. */
    double[] minimiser(double gradientTolerance) {
        double[] point = new double[columns];
        double[] hessian = new double[columns * columns];
        Value value = at(point, hessian);
        for (int step = 0; step < MOST_STEPS; step++) {
            if (value.gradientNorm() + gradientError(point) <= gradientTolerance) {
                return point;
            }
            double[] direction = solve(hessian, value.gradient());
            double slope = dot(value.gradient(), direction);
            double length = 1;
            double[] next = moved(point, direction, length);
            Value reached = at(next, hessian);
            for (int halving = 0; halving < MOST_HALVINGS && !isProgress(value, reached, slope * length); halving++) {
                length /= 2;
                next = moved(point, direction, length);
                reached = at(next, hessian);
            }
            point = next;
            value = reached;
        }
        throw new IllegalStateException("a minimum could not be computed as exactly as its noise assumes");
    }

    /** Near the minimum the objective's digits run out before the gradient's do. */
    private static boolean isProgress(Value from, Value to, double decrease) {
        return to.objective() <= from.objective() - 1e-4 * decrease || to.gradientNorm() <= 0.5 * from.gradientNorm();
    }

    /** How far a computed gradient can be from the exact one. */
    double gradientError(double[] point) {
        double length = norm(point);
        double perRow = 0.25 * (columns + 4.0) * rowNormBound * length + PART_ROWS + 16;
        double rest = 8 * (regularisation * length + norm(linearTerm) + records.units() * rowNormBound);
        return 2 * UNIT_ROUNDOFF * (records.units() * rowNormBound * perRow + rest);
    }

    /** Objective, gradient and, if there is room for it, the lower triangle of the matrix of second derivatives. */
    Value at(double[] point, double[] hessian) {
        if (hessian != null) {
            Arrays.fill(hessian, 0);
        }
        double[] sum = new double[columns];
        double[] rest = new double[columns];
        double[] part = new double[columns];
        double loss = 0;
        RecordSource.Reader reader = records.reader();
        long unit = 0;
        long units = records.units();
        long row = 0;
        for (long number = 0; row < records.rows(); number++) {
            RecordBlock block = reader.block(number);
            for (int from = 0; from < block.rows(); from += PART_ROWS) {
                RecordBlock rows = block.part(from, Math.min(block.rows(), from + PART_ROWS));
                Rows.dots(rows, point, 0, margins);
                Arrays.fill(part, 0);
                for (int i = 0; i < rows.rows(); i++, row++) {
                    // Of a unit with several rows the first counts.
                    if (unit < units && records.firstRow(unit) == row) {
                        unit++;
                        loss += add(rows, i, part, hessian);
                    }
                }
                addCompensated(part, sum, rest);
            }
        }
        double square = dot(point, point);
        double[] gradient = new double[columns];
        for (int j = 0; j < columns; j++) {
            gradient[j] = (sum[j] + rest[j]) + (regularisation * point[j] + linearTerm[j]);
            if (hessian != null) {
                hessian[j * columns + j] += regularisation;
            }
        }
        return new Value(loss + regularisation * square / 2 + dot(linearTerm, point), gradient);
    }

    private double add(RecordBlock rows, int row, double[] gradient, double[] hessian) {
        double square = Rows.squaredNorm(rows, row);
        if (!(square < Double.POSITIVE_INFINITY)) {
            return Math.log(2);
        }
        double shortened = square > rowNormBound * rowNormBound ? rowNormBound / Math.sqrt(square) : 1;
        double label = Rows.signedLabel(rows, row);
        double margin = label * shortened * margins[row];
        double miss = 1 / (1 + Math.exp(margin));
        Rows.addTo(rows, row, -label * shortened * miss, gradient, 0);
        if (hessian != null) {
            double curvature = shortened * shortened * miss * (1 - miss);
            if (rows instanceof SparseBlock sparse) {
                addSquare(sparse, row, curvature, hessian);
            } else {
                addSquare((DenseBlock) rows, row, curvature, hessian);
            }
        }
        return Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin)));
    }

    private void addSquare(SparseBlock rows, int row, double factor, double[] hessian) {
        int[] indices = rows.columnIndices();
        double[] values = rows.values();
        int end = rows.end(row);
        for (int entry = rows.start(row); entry < end; entry++) {
            double scaled = factor * values[entry];
            int line = indices[entry] * columns;
            for (int other = rows.start(row); other <= entry; other++) {
                hessian[line + indices[other]] += scaled * values[other];
            }
        }
    }

    private void addSquare(DenseBlock rows, int row, double factor, double[] hessian) {
        double[] values = rows.values();
        int start = rows.start(row);
        for (int i = 0; i < columns; i++) {
            double scaled = factor * values[start + i];
            if (scaled != 0) {
                int line = i * columns;
                for (int j = 0; j <= i; j++) {
                    hessian[line + j] += scaled * values[start + j];
                }
            }
        }
    }

    /** Neumaier 1974. */
    private static void addCompensated(double[] part, double[] sum, double[] rest) {
        for (int j = 0; j < part.length; j++) {
            double total = sum[j] + part[j];
            rest[j] += Math.abs(sum[j]) >= Math.abs(part[j]) ? (sum[j] - total) + part[j] : (part[j] - total) + sum[j];
            sum[j] = total;
        }
    }

    /** Solves by Cholesky's method, in place of the matrix; a pivot that rounding made too small is raised. */
    private double[] solve(double[] matrix, double[] right) {
        double[] solution = right.clone();
        for (int i = 0; i < columns; i++) {
            int line = i * columns;
            for (int j = 0; j <= i; j++) {
                int other = j * columns;
                double sum = matrix[line + j];
                for (int k = 0; k < j; k++) {
                    sum -= matrix[line + k] * matrix[other + k];
                }
                matrix[line + j] = j < i ? sum / matrix[other + j] : Math.sqrt(Math.max(sum, 0.5 * regularisation));
            }
        }
        for (int i = 0; i < columns; i++) {
            for (int k = 0; k < i; k++) {
                solution[i] -= matrix[i * columns + k] * solution[k];
            }
            solution[i] /= matrix[i * columns + i];
        }
        for (int i = columns - 1; i >= 0; i--) {
            for (int k = i + 1; k < columns; k++) {
                solution[i] -= matrix[k * columns + i] * solution[k];
            }
            solution[i] /= matrix[i * columns + i];
        }
        return solution;
    }

    private static double[] moved(double[] point, double[] direction, double length) {
        double[] next = new double[point.length];
        for (int j = 0; j < next.length; j++) {
            next[j] = point[j] - length * direction[j];
        }
        return next;
    }

    private static double dot(double[] left, double[] right) {
        double sum = 0;
        for (int j = 0; j < left.length; j++) {
            sum += left[j] * right[j];
        }
        return sum;
    }

    private static double norm(double[] vector) {
        return Math.sqrt(dot(vector, vector));
    }
}
