package dev.tacit.glm.model;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.query.DenseColumns;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a block as numbers between their declared bounds, column after column; memory of one thread.
 *
 * <p>The loops over rows have no other index, and are short enough for the compiler to take several rows in one step.
 */
public final class RowColumns {
    private final int size;
    private final int rowLength;
    private final double[] low;
    private final double[] high;
    private final boolean hasOffset;
    private final int[] levelCounts;

    /** Columns in natural units, then the offset if there is one: {@code x[j][row]}. */
    public final double[][] x;

    /** The group of each row in each term, or −1 if it is none of the declared ones. */
    public final int[][] levels;

    private final double[][] groups;
    private int room;

    /** How many rows were read last. */
    int rows;

    public RowColumns(GlmDesign design) {
        size = design.size();
        rowLength = design.rowLength();
        hasOffset = design.offset().isPresent();
        List<GlmColumn> columns = design.table().columns();
        low = columns.stream().mapToDouble(GlmColumn::low).toArray();
        high = columns.stream().mapToDouble(GlmColumn::high).toArray();
        x = new double[columns.size()][0];
        levelCounts =
                design.groups().stream().mapToInt(term -> term.levels().size()).toArray();
        levels = new int[levelCounts.length][0];
        groups = new double[levelCounts.length][0];
    }

    /** Reads a block; a number that is none stays none, and the door does not count the record. */
    public void read(RecordBlock block) {
        if (block.columns() < rowLength) {
            throw new IllegalArgumentException("rows are shorter than the design says");
        }
        rows = block.rows();
        if (room < rows) {
            room = rows;
            grow(x, rows);
            grow(groups, rows);
            for (int t = 0; t < levels.length; t++) {
                levels[t] = new int[rows];
            }
        }
        if (block instanceof SparseBlock sparse) {
            scatter(sparse);
        } else {
            gather((DenseBlock) block);
        }
        for (int j = 0; j < x.length; j++) {
            clamp(x[j], low[j], high[j], rows);
        }
        for (int t = 0; t < levels.length; t++) {
            for (int r = 0; r < rows; r++) {
                double index = groups[t][r];
                levels[t][r] = index >= 0 && index < levelCounts[t] ? (int) index : -1;
            }
        }
    }

    public static void grow(double[][] columns, int rows) {
        for (int j = 0; j < columns.length; j++) {
            columns[j] = new double[rows];
        }
    }

    private void gather(DenseBlock block) {
        DenseColumns.copy(block, 0, rows, 0, x, size);
        DenseColumns.copy(block, 0, rows, size, groups, groups.length);
        if (hasOffset) {
            DenseColumns.copy(block, 0, rows, rowLength - 1, x[size]);
        }
    }

    private void scatter(SparseBlock block) {
        for (double[] column : x) {
            Arrays.fill(column, 0, rows, 0);
        }
        for (double[] column : groups) {
            Arrays.fill(column, 0, rows, 0);
        }
        for (int r = 0; r < rows; r++) {
            for (int entry = block.start(r); entry < block.end(r); entry++) {
                int column = block.columnIndices()[entry];
                double number = block.values()[entry];
                if (column < size) {
                    x[column][r] = number;
                } else if (column < size + groups.length) {
                    groups[column - size][r] = number;
                } else if (hasOffset && column == rowLength - 1) {
                    x[size][r] = number;
                }
            }
        }
    }

    private static void clamp(double[] column, double low, double high, int rows) {
        for (int r = 0; r < rows; r++) {
            column[r] = Math.max(low, Math.min(high, column[r]));
        }
    }

    /** Replaces numbers by (x − centre)/scale. */
    public void standardise(int[] numbers, Standardisation standard) {
        for (int k = 0; k < numbers.length; k++) {
            standardise(x[numbers[k]], standard.centre()[k], standard.scale()[k], rows);
        }
    }

    private static void standardise(double[] column, double centre, double scale, int rows) {
        for (int r = 0; r < rows; r++) {
            column[r] = (column[r] - centre) / scale;
        }
    }

    /** What is added to the predictor of a row. */
    public double offset(int row) {
        return hasOffset ? x[size][row] : 0;
    }
}
