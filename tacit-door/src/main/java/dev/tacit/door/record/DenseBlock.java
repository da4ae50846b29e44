package dev.tacit.door.record;

import java.util.Objects;

/** Rows stored one after the other in an array of doubles. */
public final class DenseBlock implements RecordBlock {
    private final int rows;
    private final int columns;
    private final double[] values;
    private final int offset;
    private final double[] labels;
    private final double[] weights;
    private final int firstRow;

    /**
     * @param values the row's numbers from {@code offset + row columns} on
     * @param labels one label a row from {@code firstRow} on, or null
     * @param weights one weight a row from {@code firstRow} on, or null
     */
    public DenseBlock(
            int rows, int columns, double[] values, int offset, double[] labels, double[] weights, int firstRow) {
        requireShape(rows, columns);
        Objects.checkFromIndexSize((long) offset, (long) rows * columns, values.length);
        requireRows(rows, labels, firstRow);
        requireRows(rows, weights, firstRow);
        this.rows = rows;
        this.columns = columns;
        this.values = values;
        this.offset = offset;
        this.labels = labels;
        this.weights = weights;
        this.firstRow = firstRow;
    }

    /** Rows with labels (or null) and no weights, from the start of the arrays. */
    public static DenseBlock of(int rows, int columns, double[] values, double[] labels) {
        return new DenseBlock(rows, columns, values, 0, labels, null, 0);
    }

    static void requireShape(int rows, int columns) {
        if (rows < 0 || columns < 0) {
            throw new IllegalArgumentException("a block has 0 rows and columns or more");
        }
    }

    static void requireRows(int rows, double[] numbers, int firstRow) {
        if (numbers != null) {
            Objects.checkFromIndexSize(firstRow, rows, numbers.length);
        }
    }

    /** The array that holds the rows; row r is at {@link #start}. Not to be written to. */
    public double[] values() {
        return values;
    }

    /** Where a row begins in {@link #values}. */
    public int start(int row) {
        return offset + row * columns;
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
        return new DenseBlock(to - from, columns, values, start(from), labels, weights, firstRow + from);
    }
}
