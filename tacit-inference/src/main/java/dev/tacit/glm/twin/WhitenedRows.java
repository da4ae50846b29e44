package dev.tacit.glm.twin;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.RowReader;

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
 */
final class WhitenedRows {
    private static final int TOGETHER = 64;

    /** Columns that are added up in one loop over rows. */
    private static final int STEP = 4;

    private final GlmGeometry geometry;
    private final GroupLayout layout;
    private final int d;
    private final int terms;
    private final int predictors;
    private final boolean mostlyZeros;
    private final int[] numbers;
    private final double[] whitening;
    private final double[] point;
    private final double groupWeight;
    private final double unit;
    private final RowReader reader;
    private final double[] z;
    private final double[] tile;

    /** Of all rows: w tile after tile, in each column after column; predictors, squared lengths, levels and their coordinates k s. */
    private double[] w = {};

    private double[] eta = {};

    /** From a predictor of a row to the next one. */
    private int stride;

    private double[] squares = {};
    private int[] levels = {};
    private double[] values = {};

    WhitenedRows(GlmGeometry geometry, double[] point) {
        GlmDesign design = geometry.model.design();
        this.geometry = geometry;
        this.layout = new GroupLayout(design);
        this.d = geometry.width;
        this.predictors = geometry.model.family().predictors();
        this.terms = design.groups().size();
        this.numbers = design.numbers();
        this.mostlyZeros = 2 * (1 + numbers.length + design.factors().size()) < d;
        this.whitening = geometry.rowWhitening;
        this.point = point.clone();
        this.groupWeight =
                geometry.groups().map(coordinates -> coordinates.weight).orElse(0.0);
        this.unit = geometry.predictorUnit();
        this.reader = new RowReader(design);
        this.z = new double[d];
        this.tile = new double[d * TOGETHER];
    }

    /** Computes everything for the rows of a block. */
    void prepare(RecordBlock block) {
        int rows = block.rows();
        int room = (rows + TOGETHER - 1) / TOGETHER * TOGETHER;
        if (stride < room) {
            stride = room;
            w = new double[room * d];
            eta = new double[room * predictors];
            squares = new double[room];
            levels = new int[room * terms];
            values = new double[room * terms];
        }
        for (int first = 0; first < rows; first += TOGETHER) {
            int count = Math.min(TOGETHER, rows - first);
            for (int r = 0; r < count; r++) {
                read(block, first + r, r);
            }
            java.util.Arrays.fill(w, first * d, (first + TOGETHER) * d, 0);
            if (mostlyZeros) {
                for (int r = 0; r < count; r++) {
                    whitenAlone(first * d, r);
                }
            } else {
                for (int j = 0; j < d; j++) {
                    whiten(j, first * d + j * TOGETHER);
                }
            }
            for (int j = 0; j < d; j++) {
                measure(first, first * d + j * TOGETHER);
                for (int k = 0; k < predictors; k++) {
                    project(point[k * d + j], k * stride + first, first * d + j * TOGETHER);
                }
            }
            for (int r = first; terms > 0 && r < first + count; r++) {
                addGroups(r);
            }
        }
    }

    /** z of a row into the tile, and what else is in it. */
    private void read(RecordBlock block, int row, int place) {
        reader.read(block, row);
        geometry.standard.toStandard(numbers, reader.x, z);
        for (int j = 0; j < d; j++) {
            tile[j * TOGETHER + place] = z[j];
        }
        for (int k = 0; k < predictors; k++) {
            eta[k * stride + row] = reader.offset() / unit;
        }
        squares[row] = 0;
        for (int t = 0; t < terms; t++) {
            levels[row * terms + t] = reader.levels[t];
            values[row * terms + t] = groupWeight * z[layout.terms.get(t).slope()];
        }
    }

    /** Column j of w for all rows of the tile. */
    private void whiten(int j, int to) {
        double[] sum = w;
        double[] x = tile;
        int i = 0;
        for (; i + STEP <= d; i += STEP) {
            double first = whitening[i * d + j];
            double second = whitening[(i + 1) * d + j];
            double third = whitening[(i + 2) * d + j];
            double fourth = whitening[(i + 3) * d + j];
            int from = i * TOGETHER;
            for (int r = 0; r < TOGETHER; r++) {
                sum[to + r] = sum[to + r]
                        + x[from + r] * first
                        + x[from + TOGETHER + r] * second
                        + x[from + 2 * TOGETHER + r] * third
                        + x[from + 3 * TOGETHER + r] * fourth;
            }
        }
        for (; i < d; i++) {
            double factor = whitening[i * d + j];
            int from = i * TOGETHER;
            for (int r = 0; r < TOGETHER; r++) {
                sum[to + r] = sum[to + r] + x[from + r] * factor;
            }
        }
    }

    /** All of w of one row. */
    private void whitenAlone(int to, int place) {
        java.util.Arrays.fill(z, 0);
        for (int i = 0; i < d; i++) {
            double number = tile[i * TOGETHER + place];
            if (number != 0) {
                int line = i * d;
                for (int j = 0; j < d; j++) {
                    z[j] += number * whitening[line + j];
                }
            }
        }
        for (int j = 0; j < d; j++) {
            w[to + j * TOGETHER + place] = z[j];
        }
    }

    private void measure(int first, int from) {
        double[] x = w;
        double[] norms = squares;
        for (int r = 0; r < TOGETHER; r++) {
            norms[first + r] = norms[first + r] + x[from + r] * x[from + r];
        }
    }

    private void project(double coordinate, int first, int from) {
        double[] x = w;
        double[] sums = eta;
        for (int r = 0; r < TOGETHER; r++) {
            sums[first + r] = sums[first + r] + x[from + r] * coordinate;
        }
    }

    private void addGroups(int row) {
        for (int t = 0; t < terms; t++) {
            int level = levels[row * terms + t];
            if (level >= 0) {
                double value = values[row * terms + t];
                eta[row] += value * point[layout.coordinate(t, level)];
                squares[row] += value * value;
            }
        }
    }

    /** Writes the predictors η of a row. */
    void writePredictors(int row, double[] target) {
        for (int k = 0; k < predictors; k++) {
            target[k] = eta[k * stride + row];
        }
    }

    /** |v| of a row. */
    double length(int row) {
        return Math.sqrt(squares[row]);
    }

    /** Writes a multiple of w. */
    void write(int row, double factor, double[] target) {
        int from = row / TOGETHER * TOGETHER * d + row % TOGETHER;
        for (int j = 0; j < d; j++) {
            target[j] = factor * w[from + j * TOGETHER];
        }
    }

    /** Writes the level of each term, −1 for none, and its coordinate. */
    void writeGroups(int row, int[] level, double[] value) {
        System.arraycopy(levels, row * terms, level, 0, terms);
        System.arraycopy(values, row * terms, value, 0, terms);
    }
}
