package dev.tacit.query;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sum.UnitSum;

/**
 * Some rows of a block as slices of primitive arrays, alike for sparse and dense rows: row i has the entries {@code starts[i]}
 * up to, not including, {@code starts[i + 1]}; entry e is {@code values[e]} in column {@code indices[e + shift(i)]}.
 */
final class RowSlices {
    /** Column indices of a dense row. */
    private final int[] everyColumn;

    /** Null for dense rows. */
    private SparseBlock sparse;

    private int firstRow;

    double[] values;
    int[] indices;
    final int[] starts;

    /** How many rows there are at the moment. */
    int rows;

    RowSlices(int columns, int mostRows) {
        everyColumn = new int[columns];
        for (int j = 0; j < columns; j++) {
            everyColumn[j] = j;
        }
        starts = new int[mostRows + 1];
    }

    /** From here on it is about the rows {@code from} up to, not including, {@code to}. */
    void take(RecordBlock block, int from, int to) {
        rows = to - from;
        firstRow = from;
        if (block instanceof SparseBlock entries) {
            sparse = entries;
            values = entries.values();
            indices = entries.columnIndices();
            for (int i = 0; i < rows; i++) {
                starts[i] = entries.start(from + i);
            }
            starts[rows] = rows == 0 ? 0 : entries.end(to - 1);
        } else {
            DenseBlock numbers = (DenseBlock) block;
            sparse = null;
            values = numbers.values();
            indices = everyColumn;
            for (int i = 0; i <= rows; i++) {
                starts[i] = numbers.start(from) + i * everyColumn.length;
            }
        }
    }

    /** From an entry of row i to the place of its column. */
    int shift(int i) {
        return sparse == null ? -starts[i] : 0;
    }

    /** Announces numbers for the entries of row i, so many to each. */
    void announce(UnitSum sum, int i, int width) {
        if (sparse == null) {
            sum.run(0, width * everyColumn.length);
        } else {
            sum.entries(sparse, firstRow + i, starts[i + 1] - starts[i], 0, width);
        }
    }

    /** How many entries all rows have together. */
    int entries() {
        return starts[rows] - starts[0];
    }
}
