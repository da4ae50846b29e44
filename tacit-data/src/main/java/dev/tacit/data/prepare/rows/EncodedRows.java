package dev.tacit.data.prepare.rows;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import java.util.Arrays;

/** A growing list of encoded rows. */
public final class EncodedRows {
    private final RowShape shape;
    private int rows;
    private double[] values;
    private double[] labels;
    private int[] rowStarts;
    private int[] columnIndices;

    public EncodedRows(RowShape shape, int expectedRows) {
        this.shape = shape;
        int capacity = Math.max(1, expectedRows);
        values = new double[capacity * shape.entries()];
        labels = new double[shape.labelled() ? capacity : 0];
        rowStarts = new int[shape.sparse() ? capacity + 1 : 0];
        columnIndices = new int[shape.sparse() ? capacity * shape.entries() : 0];
    }

    RowShape shape() {
        return shape;
    }

    public int rows() {
        return rows;
    }

    double label(int row) {
        return shape.labelled() ? labels[row] : Double.NaN;
    }

    double[] values() {
        return values;
    }

    int[] columnIndices() {
        return columnIndices;
    }

    /** The first number of a row. */
    int start(int row) {
        return shape.sparse() ? rowStarts[row] : row * shape.columns();
    }

    /** After the last number of a row. */
    int end(int row) {
        return start(row + 1);
    }

    /** Begins a row, of zeros if rows are dense. */
    public void beginRow() {
        int start = start(rows);
        reserve(1, start + shape.entries());
        if (shape.sparse()) {
            rowStarts[rows + 1] = start;
        } else {
            Arrays.fill(values, start, start + shape.entries(), 0);
        }
    }

    /** Sets a number of the row that was begun; columns ascend. */
    public void put(int column, double value) {
        if (!shape.sparse()) {
            values[rows * shape.columns() + column] = value;
        } else if (value != 0) {
            int place = rowStarts[rows + 1];
            values[place] = value;
            columnIndices[place] = column;
            rowStarts[rows + 1] = place + 1;
        }
    }

    /** Ends the row that was begun; without it the row is forgotten. */
    public void endRow(double label) {
        if (shape.labelled()) {
            labels[rows] = label;
        }
        rows++;
    }

    /** Adds a row that is not a number anywhere, so that whatever is computed from it counts as zero at the door. */
    public void addVoid() {
        beginRow();
        for (int column = 0; column < (shape.sparse() ? 1 : shape.columns()); column++) {
            put(column, Double.NaN);
        }
        endRow(Double.NaN);
    }

    /** Divides the row that was begun by its L2 norm, or shortens it to a bound. */
    public void normalise(double bound, boolean alsoShorter) {
        int start = start(rows);
        int end = shape.sparse() ? rowStarts[rows + 1] : start + shape.columns();
        double squares = 0;
        for (int i = start; i < end; i++) {
            squares += values[i] * values[i];
        }
        double norm = Math.sqrt(squares);
        if (norm > bound || (alsoShorter && norm > 0)) {
            for (int i = start; i < end; i++) {
                values[i] *= bound / norm;
            }
        }
    }

    /** Copies rows of others to the end. */
    public void append(EncodedRows others, int firstRow, int count) {
        int from = others.start(firstRow);
        int numbers = others.start(firstRow + count) - from;
        int start = start(rows);
        reserve(count, start + Math.max(numbers, 1));
        System.arraycopy(others.values, from, values, start, numbers);
        if (shape.sparse()) {
            System.arraycopy(others.columnIndices, from, columnIndices, start, numbers);
            for (int row = 1; row <= count; row++) {
                rowStarts[rows + row] = others.rowStarts[firstRow + row] - from + start;
            }
        }
        if (shape.labelled()) {
            System.arraycopy(others.labels, firstRow, labels, rows, count);
        }
        rows += count;
    }

    /** Makes room for more rows, with numbers up to the given one. */
    private void reserve(int more, int numbersEnd) {
        if (numbersEnd > values.length) {
            values = Arrays.copyOf(values, Math.max(numbersEnd, 2 * values.length));
            columnIndices = shape.sparse() ? Arrays.copyOf(columnIndices, values.length) : columnIndices;
        }
        if (shape.sparse() && rows + more + 1 > rowStarts.length) {
            rowStarts = Arrays.copyOf(rowStarts, Math.max(rows + more + 1, 2 * rowStarts.length));
        }
        if (shape.labelled() && rows + more > labels.length) {
            labels = Arrays.copyOf(labels, Math.max(rows + more, 2 * labels.length));
        }
    }

    public void clear() {
        rows = 0;
    }

    /** All rows as a block that shares nothing with this list. */
    public RecordBlock toBlock() {
        int numbers = start(rows);
        return block(
                Arrays.copyOf(values, numbers),
                shape.labelled() ? Arrays.copyOf(labels, rows) : null,
                shape.sparse() ? Arrays.copyOf(rowStarts, rows + 1) : null,
                shape.sparse() ? Arrays.copyOf(columnIndices, numbers) : null);
    }

    /** All rows as a block that has the arrays of this list, which must not be used any more; what would be room for more is cut off. */
    public RecordBlock handOver() {
        boolean full = !shape.sparse() && values.length == start(rows) && (!shape.labelled() || labels.length == rows);
        return full ? block(values, shape.labelled() ? labels : null, null, null) : toBlock();
    }

    private RecordBlock block(double[] numbers, double[] ofRows, int[] starts, int[] columns) {
        return shape.sparse()
                ? SparseBlock.of(rows, shape.columns(), starts, columns, numbers, ofRows)
                : DenseBlock.of(rows, shape.columns(), numbers, ofRows);
    }

    /** The rows of a block that was made by {@link #toBlock}. */
    static EncodedRows of(RowShape shape, RecordBlock block) {
        EncodedRows rows = new EncodedRows(shape, block.rows());
        for (int row = 0; row < block.rows(); row++) {
            rows.beginRow();
            if (block instanceof SparseBlock sparse) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    rows.put(sparse.columnIndices()[entry], sparse.values()[entry]);
                }
            } else {
                DenseBlock dense = (DenseBlock) block;
                System.arraycopy(dense.values(), dense.start(row), rows.values, rows.start(row), shape.columns());
            }
            rows.endRow(block.label(row));
        }
        return rows;
    }
}
