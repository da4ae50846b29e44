package dev.tacit.privacy.data;

/**
 * Some rows of a block as slices of primitive arrays, alike for sparse and dense rows: row i has the entries {@code starts[i]}
 * up to, not including, {@code starts[i + 1]}; entry e is {@code values[e]} in column {@code indices[e + shift(i)]}.
 */
final class RowSlices {
    /** Column indices of a dense row. */
    private final int[] everyColumn;

    private boolean dense;

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
        if (block instanceof SparseBlock sparse) {
            dense = false;
            values = sparse.values();
            indices = sparse.columnIndices();
            sparse.copyStarts(from, to, starts);
        } else {
            DenseBlock numbers = (DenseBlock) block;
            dense = true;
            values = numbers.values();
            indices = everyColumn;
            for (int i = 0; i <= rows; i++) {
                starts[i] = numbers.start(from) + i * everyColumn.length;
            }
        }
    }

    /** From an entry of row i to the place of its column. */
    int shift(int i) {
        return dense ? -starts[i] : 0;
    }

    /** How many entries all rows have together. */
    int entries() {
        return starts[rows] - starts[0];
    }
}
