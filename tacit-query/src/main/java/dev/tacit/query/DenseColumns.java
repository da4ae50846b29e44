package dev.tacit.query;

import dev.tacit.door.record.DenseBlock;

/** Dense rows as columns: {@code target[j][i]} is number j of row i, for loops over rows. */
public final class DenseColumns {
    private DenseColumns() {}

    /** Copies {@code count} columns, from {@code firstColumn} on, of the rows {@code from} up to {@code from + rows}. */
    public static void copy(DenseBlock block, int from, int rows, int firstColumn, double[][] target, int count) {
        int j = 0;
        for (; j + 4 <= count; j += 4) {
            copy(block, from, rows, firstColumn + j, target[j], target[j + 1], target[j + 2], target[j + 3]);
        }
        for (; j < count; j++) {
            copy(block, from, rows, firstColumn + j, target[j]);
        }
    }

    /** Four columns in one walk over the block, which is as long as the processor takes to fetch it. */
    private static void copy(
            DenseBlock block, int from, int rows, int j, double[] a, double[] b, double[] c, double[] d) {
        double[] values = block.values();
        int length = block.columns();
        int at = block.start(from) + j;
        for (int r = 0; r < rows; r++) {
            a[r] = values[at];
            b[r] = values[at + 1];
            c[r] = values[at + 2];
            d[r] = values[at + 3];
            at += length;
        }
    }

    /** One column. */
    public static void copy(DenseBlock block, int from, int rows, int j, double[] column) {
        double[] values = block.values();
        int length = block.columns();
        int at = block.start(from) + j;
        for (int r = 0; r < rows; r++) {
            column[r] = values[at];
            at += length;
        }
    }
}
