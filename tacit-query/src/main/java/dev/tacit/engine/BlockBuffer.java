package dev.tacit.engine;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;

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

    /** The given rows of a block, in that order, copied here; valid until this is used again. */
    public RecordBlock select(RecordBlock block, int[] rows, int count) {
        double[] chosenLabels = labels(count);
        double[] chosenWeights = weights(count);
        for (int i = 0; i < count; i++) {
            chosenLabels[i] = block.label(rows[i]);
            chosenWeights[i] = block.weight(rows[i]);
        }
        return block instanceof SparseBlock sparse
                ? select(sparse, rows, count, chosenLabels, chosenWeights)
                : select((DenseBlock) block, rows, count, chosenLabels, chosenWeights);
    }

    private DenseBlock select(DenseBlock block, int[] rows, int count, double[] labelsOf, double[] weightsOf) {
        int columns = block.columns();
        double[] numbers = values(Math.multiplyExact(count, columns));
        for (int i = 0; i < count; i++) {
            System.arraycopy(block.values(), block.start(rows[i]), numbers, i * columns, columns);
        }
        return new DenseBlock(count, columns, numbers, 0, labelsOf, weightsOf, 0);
    }

    private SparseBlock select(SparseBlock block, int[] rows, int count, double[] labelsOf, double[] weightsOf) {
        int entries = 0;
        for (int i = 0; i < count; i++) {
            entries = Math.addExact(entries, block.end(rows[i]) - block.start(rows[i]));
        }
        int[] starts = rowStarts(count + 1);
        int[] indices = columnIndices(entries);
        double[] numbers = values(entries);
        int position = 0;
        for (int i = 0; i < count; i++) {
            starts[i] = position;
            int start = block.start(rows[i]);
            int length = block.end(rows[i]) - start;
            System.arraycopy(block.columnIndices(), start, indices, position, length);
            System.arraycopy(block.values(), start, numbers, position, length);
            position += length;
        }
        starts[count] = position;
        return new SparseBlock(count, block.columns(), starts, indices, numbers, labelsOf, weightsOf, 0);
    }
}
