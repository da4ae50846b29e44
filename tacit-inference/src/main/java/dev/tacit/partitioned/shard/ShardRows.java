package dev.tacit.partitioned.shard;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.query.Rows;
import java.util.Arrays;

/** Collects the rows of a shard from many blocks into one; sparse as long as every row is. */
final class ShardRows {
    private final int columns;
    private final boolean labelled;
    private int rows;
    private boolean sparse = true;
    private boolean weighted;
    private double[] values = {};
    private int[] columnIndices = {};
    private int[] rowStarts = new int[16];
    private double[] labels = new double[16];
    private double[] weights = new double[16];

    ShardRows(int columns, boolean labelled) {
        this.columns = columns;
        this.labelled = labelled;
    }

    void clear() {
        rows = 0;
        sparse = true;
        weighted = false;
    }

    /** Copies every row of a block behind the others. */
    void add(RecordBlock block) {
        for (int row = 0; row < block.rows(); row++) {
            reserveRow();
            labels[rows] = block.label(row);
            weights[rows] = block.weight(row);
            weighted |= weights[rows] != 1;
            if (block instanceof SparseBlock other && sparse) {
                addEntries(other, row);
            } else {
                addNumbers(block, row);
            }
            rows++;
        }
    }

    private void addEntries(SparseBlock block, int row) {
        int start = block.start(row);
        int length = block.end(row) - start;
        int position = rowStarts[rows];
        reserve(position + (long) length);
        System.arraycopy(block.columnIndices(), start, columnIndices, position, length);
        System.arraycopy(block.values(), start, values, position, length);
        rowStarts[rows + 1] = position + length;
    }

    private void addNumbers(RecordBlock block, int row) {
        if (sparse) {
            makeDense();
        }
        int position = Math.multiplyExact(rows, columns);
        reserve((long) position + columns);
        Arrays.fill(values, position, position + columns, 0);
        Rows.addTo(block, row, 1, values, position);
    }

    private void makeDense() {
        double[] dense = new double[Math.multiplyExact(Math.max(1, rows), columns)];
        for (int row = 0; row < rows; row++) {
            for (int entry = rowStarts[row]; entry < rowStarts[row + 1]; entry++) {
                dense[row * columns + columnIndices[entry]] = values[entry];
            }
        }
        values = dense;
        sparse = false;
    }

    private void reserveRow() {
        if (rows + 2 > rowStarts.length) {
            rowStarts = Arrays.copyOf(rowStarts, 2 * rowStarts.length);
        }
        if (rows + 1 > labels.length) {
            labels = Arrays.copyOf(labels, 2 * labels.length);
            weights = Arrays.copyOf(weights, 2 * weights.length);
        }
    }

    private void reserve(long length) {
        if (length > values.length) {
            values = Arrays.copyOf(values, Math.toIntExact(length + length / 2));
        }
        if (sparse && length > columnIndices.length) {
            columnIndices = Arrays.copyOf(columnIndices, values.length);
        }
    }

    /** The collected rows, valid until {@link #clear}. */
    RecordBlock block() {
        double[] rowLabels = labelled ? labels : null;
        double[] rowWeights = weighted ? weights : null;
        return sparse
                ? new SparseBlock(rows, columns, rowStarts, columnIndices, values, rowLabels, rowWeights, 0)
                : new DenseBlock(rows, columns, values, 0, rowLabels, rowWeights, 0);
    }
}
