package dev.tacit.door.record;

import java.util.Objects;

/** Rows stored as their non-zero numbers with ascending column indices (compressed sparse rows). */
public final class SparseBlock implements RecordBlock {
    private final int rows;
    private final int columns;
    private final int[] rowStarts;
    private final int[] columnIndices;
    private final double[] values;
    private final double[] labels;
    private final double[] weights;
    private final int firstRow;

    /**
     * @param rowStarts row r of the block has the entries {@code rowStarts[firstRow + r]} up to, not including,
     *     {@code rowStarts[firstRow + r + 1]}
     * @param columnIndices strictly ascending within a row; checked here, because the door's norms rely on it
     * @param labels one label a row from {@code firstRow} on, or null
     * @param weights one weight a row from {@code firstRow} on, or null
     */
    public SparseBlock(
            int rows,
            int columns,
            int[] rowStarts,
            int[] columnIndices,
            double[] values,
            double[] labels,
            double[] weights,
            int firstRow) {
        DenseBlock.requireShape(rows, columns);
        Objects.checkFromIndexSize((long) firstRow, rows + 1L, rowStarts.length);
        DenseBlock.requireRows(rows, labels, firstRow);
        DenseBlock.requireRows(rows, weights, firstRow);
        this.rows = rows;
        this.columns = columns;
        this.rowStarts = rowStarts;
        this.columnIndices = columnIndices;
        this.values = values;
        this.labels = labels;
        this.weights = weights;
        this.firstRow = firstRow;
        requireAscending();
    }

    /** Rows of a block that was checked, stored elsewhere or not. */
    private SparseBlock(
            SparseBlock checked,
            int rows,
            int[] rowStarts,
            int[] columnIndices,
            double[] values,
            double[] labels,
            double[] weights,
            int firstRow) {
        this.rows = rows;
        this.columns = checked.columns;
        this.rowStarts = rowStarts;
        this.columnIndices = columnIndices;
        this.values = values;
        this.labels = labels;
        this.weights = weights;
        this.firstRow = firstRow;
    }

    /** Rows with labels (or null) and no weights, from the start of the arrays. */
    public static SparseBlock of(
            int rows, int columns, int[] rowStarts, int[] columnIndices, double[] values, double[] labels) {
        return new SparseBlock(rows, columns, rowStarts, columnIndices, values, labels, null, 0);
    }

    private void requireAscending() {
        for (int row = 0; row < rows; row++) {
            Objects.checkFromToIndex(start(row), end(row), Math.min(columnIndices.length, values.length));
            int previous = -1;
            for (int entry = start(row); entry < end(row); entry++) {
                int column = columnIndices[entry];
                if (column <= previous || column >= columns) {
                    throw new IllegalArgumentException("column indices ascend within a row and are below the width");
                }
                previous = column;
            }
        }
    }

    /** The first entry of a row. */
    public int start(int row) {
        return rowStarts[firstRow + row];
    }

    /** The entry after the last of a row. */
    public int end(int row) {
        return rowStarts[firstRow + row + 1];
    }

    /** The column of each entry. Not to be written to. */
    public int[] columnIndices() {
        return columnIndices;
    }

    /** The value of each entry. Not to be written to. */
    public double[] values() {
        return values;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public double label(int row) {
        return labels == null ? Double.NaN : labels[firstRow + row];
    }

    @Override
    public double weight(int row) {
        return weights == null ? 1 : weights[firstRow + row];
    }

    @Override
    public RecordBlock part(int from, int to) {
        Objects.checkFromToIndex(from, to, rows);
        return new SparseBlock(this, to - from, rowStarts, columnIndices, values, labels, weights, firstRow + from);
    }
}
