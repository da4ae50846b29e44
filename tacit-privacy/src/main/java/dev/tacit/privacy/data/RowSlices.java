package dev.tacit.privacy.data;

/**
 * Some rows of a block as slices of primitive arrays, alike for sparse and dense rows: entry e of row i is {@code
 * values[firsts[i] + e]} in column {@code indices[firstIndices[i] + e]}, for e below {@code counts[i]}.
 */
final class RowSlices {
    /** Column indices of a dense row. */
    private final int[] everyColumn;

    double[] values;
    int[] indices;
    final int[] firsts;
    final int[] firstIndices;
    final int[] counts;

    /** How many rows there are at the moment. */
    int rows;

    RowSlices(int columns, int mostRows) {
        everyColumn = new int[columns];
        for (int j = 0; j < columns; j++) {
            everyColumn[j] = j;
        }
        firsts = new int[mostRows];
        firstIndices = new int[mostRows];
        counts = new int[mostRows];
    }

    /** From here on it is about the rows {@code from} up to, not including, {@code to}. */
    void take(RecordBlock block, int from, int to) {
        rows = to - from;
        if (block instanceof SparseBlock sparse) {
            values = sparse.values();
            indices = sparse.columnIndices();
            for (int i = 0; i < rows; i++) {
                firsts[i] = sparse.start(from + i);
                firstIndices[i] = firsts[i];
                counts[i] = sparse.end(from + i) - firsts[i];
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            values = dense.values();
            indices = everyColumn;
            for (int i = 0; i < rows; i++) {
                firsts[i] = dense.start(from + i);
                firstIndices[i] = 0;
                counts[i] = everyColumn.length;
            }
        }
    }
}
