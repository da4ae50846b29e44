package dev.tacit.glm.twin;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.RowColumns;
import dev.tacit.query.ColumnProducts;
import java.util.Arrays;

/**
 * The rows of a block in whitened coordinates, with their predictors at a public point; memory of one thread.
 *
 * <pre>
 *   z = ((x − centre)/scale for numbers, levels as they are),   w_j = Σ_i z_i T_ij,   η = offset + Σ_j w_j θ_j + Σ k s θ_g,   |v|² = |w|² + Σ (k s)²
 * </pre>
 *
 * Rows are taken together, as many as stay in the processor's cache, column by column: the innermost loop is over rows, each
 * of which has its own sums in the order of the columns. So what a row has does not depend on its neighbours, to the last bit. Where
 * rows are mostly zeros (levels of factors) they are taken one by one, zeros left out, with the same bits.
 *
 * <p>Every column is an array of its own and no loop has more than four of them beside the one it adds to: that is what the compiler of
 * JDK 17 makes steps of several rows of. With all columns in one array, or with more of them in a loop, it takes row after row, in
 * twice the time.
 */
final class WhitenedRows {
    /** Numbers of z that are used again and again, at most, and how many rows they are of, at least. */
    private static final int NUMBERS = 1 << 15;

    private static final int FEWEST_ROWS = 64;

    /** Columns that are added up in one loop over rows. */
    private static final int STEP = 4;

    private final GlmGeometry geometry;
    private final GroupLayout layout;
    private final int d;
    private final int terms;
    private final int predictors;
    private final int together;
    private final boolean mostlyZeros;
    private final int[] numbers;
    private final double[] whitening;
    private final double[] point;
    private final double groupWeight;
    private final double unit;
    private final RowColumns columns;
    private final double[] line;

    /** Of all rows: w column after column, predictors, squared lengths, and coordinates k s of groups. */
    final double[][] w;

    private final double[][] eta;
    private final double[][] values;
    double[] squares = {};

    WhitenedRows(GlmGeometry geometry, double[] point) {
        GlmDesign design = geometry.model.design();
        this.geometry = geometry;
        this.layout = new GroupLayout(design);
        this.d = geometry.width;
        this.predictors = geometry.model.family().predictors();
        this.terms = design.groups().size();
        this.together = Math.max(FEWEST_ROWS, NUMBERS / d / FEWEST_ROWS * FEWEST_ROWS);
        this.numbers = design.numbers();
        this.mostlyZeros = 2 * (1 + numbers.length + design.factors().size()) < d;
        this.whitening = geometry.rowWhitening;
        this.point = point.clone();
        this.groupWeight =
                geometry.groups().map(coordinates -> coordinates.weight).orElse(0.0);
        this.unit = geometry.predictorUnit();
        this.columns = new RowColumns(design);
        this.line = new double[d];
        this.w = new double[d][0];
        this.eta = new double[predictors][0];
        this.values = new double[terms][0];
    }

    /** Computes everything for the rows of a block. */
    void prepare(RecordBlock block) {
        int rows = block.rows();
        columns.read(block);
        columns.standardise(numbers, geometry.standard);
        if (squares.length < rows) {
            RowColumns.grow(w, rows);
            RowColumns.grow(eta, rows);
            RowColumns.grow(values, rows);
            squares = new double[rows];
        }
        Arrays.fill(squares, 0, rows, 0);
        for (double[] predictor : eta) {
            for (int r = 0; r < rows; r++) {
                predictor[r] = columns.offset(r) / unit;
            }
        }
        for (int first = 0; first < rows; first += together) {
            int end = Math.min(rows, first + together);
            if (mostlyZeros) {
                for (int r = first; r < end; r++) {
                    whitenAlone(r);
                }
            } else {
                for (int j = 0; j < d; j++) {
                    whiten(j, first, end);
                }
            }
        }
        ColumnProducts.addSquares(w, 0, d, squares, rows);
        for (int j = 0; j < d; j++) {
            for (int k = 0; k < predictors; k++) {
                add(eta[k], w[j], point[k * d + j], 0, rows);
            }
        }
        for (int t = 0; t < terms; t++) {
            addGroups(t, rows);
        }
    }

    /** Column j of w. */
    private void whiten(int j, int first, int end) {
        double[] sum = w[j];
        double[][] z = columns.x;
        Arrays.fill(sum, first, end, 0);
        int i = 0;
        for (; i + STEP <= d; i += STEP) {
            int at = i * d + j;
            double second = whitening[at + d];
            double third = whitening[at + 2 * d];
            double fourth = whitening[at + 3 * d];
            add(sum, z[i], whitening[at], z[i + 1], second, z[i + 2], third, z[i + 3], fourth, first, end);
        }
        for (; i < d; i++) {
            add(sum, z[i], whitening[i * d + j], first, end);
        }
    }

    /** sum += a p + b q + c s + e t, from the left. */
    private static void add(
            double[] sum,
            double[] a,
            double p,
            double[] b,
            double q,
            double[] c,
            double s,
            double[] e,
            double t,
            int first,
            int end) {
        for (int r = first; r < end; r++) {
            sum[r] = sum[r] + a[r] * p + b[r] * q + c[r] * s + e[r] * t;
        }
    }

    private static void add(double[] sum, double[] column, double factor, int first, int end) {
        for (int r = first; r < end; r++) {
            sum[r] = sum[r] + column[r] * factor;
        }
    }

    /** All of w of one row. */
    private void whitenAlone(int row) {
        Arrays.fill(line, 0);
        for (int i = 0; i < d; i++) {
            double number = columns.x[i][row];
            if (number != 0) {
                int from = i * d;
                for (int j = 0; j < d; j++) {
                    line[j] += number * whitening[from + j];
                }
            }
        }
        for (int j = 0; j < d; j++) {
            w[j][row] = line[j];
        }
    }

    private void addGroups(int term, int rows) {
        double[] slope = columns.x[layout.terms.get(term).slope()];
        for (int r = 0; r < rows; r++) {
            double value = groupWeight * slope[r];
            values[term][r] = value;
            int level = columns.levels[term][r];
            if (level >= 0) {
                eta[0][r] += value * point[layout.coordinate(term, level)];
                squares[r] += value * value;
            }
        }
    }

    /** Writes the predictors η of a row. */
    void writePredictors(int row, double[] target) {
        for (int k = 0; k < predictors; k++) {
            target[k] = eta[k][row];
        }
    }

    /** |v| of a row. */
    double length(int row) {
        return Math.sqrt(squares[row]);
    }

    /** Writes w. */
    void write(int row, double[] target) {
        for (int j = 0; j < d; j++) {
            target[j] = w[j][row];
        }
    }

    /** Writes the level of each term, −1 for none, and its coordinate. */
    void writeGroups(int row, int[] level, double[] value) {
        for (int t = 0; t < terms; t++) {
            level[t] = columns.levels[t][row];
            value[t] = values[t][row];
        }
    }
}
