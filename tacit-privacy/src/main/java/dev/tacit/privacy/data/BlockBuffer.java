package dev.tacit.privacy.data;

/** Arrays that a thread uses again and again for the rows of its batches. */
public final class BlockBuffer {
    private double[] values = {};
    private int[] rowStarts = {};
    private int[] columnIndices = {};
    private double[] labels = {};
    private double[] weights = {};

    /** Room for this many numbers. */
    public double[] values(int length) {
        values = atLeast(values, length);
        return values;
    }

    /** Room for this many row starts. */
    public int[] rowStarts(int length) {
        rowStarts = atLeast(rowStarts, length);
        return rowStarts;
    }

    /** Room for this many column indices. */
    public int[] columnIndices(int length) {
        columnIndices = atLeast(columnIndices, length);
        return columnIndices;
    }

    /** Room for this many labels. */
    public double[] labels(int length) {
        labels = atLeast(labels, length);
        return labels;
    }

    /** Room for this many weights. */
    public double[] weights(int length) {
        weights = atLeast(weights, length);
        return weights;
    }

    private static double[] atLeast(double[] array, int length) {
        return array.length >= length ? array : new double[length + length / 2];
    }

    private static int[] atLeast(int[] array, int length) {
        return array.length >= length ? array : new int[length + length / 2];
    }

    /** Copies the chosen rows' numbers to the target, or returns null if there are none. */
    static double[] pick(double[] source, int firstRow, int[] chosen, int count, double[] target) {
        if (source == null) {
            return null;
        }
        for (int i = 0; i < count; i++) {
            target[i] = source[firstRow + chosen[i]];
        }
        return target;
    }
}
