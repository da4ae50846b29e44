package dev.tacit.query;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;

/** Arithmetic on single rows of a block; what is computed for a row depends on that row only, to the last bit. */
public final class Rows {
    private Rows() {}

    /** Σ_j x_j vector_{offset + j} over the row. */
    public static double dot(RecordBlock block, int row, double[] vector, int offset) {
        return block instanceof SparseBlock sparse
                ? dot(sparse, row, vector, offset)
                : dot((DenseBlock) block, row, vector, offset);
    }

    private static double dot(SparseBlock block, int row, double[] vector, int offset) {
        double[] numbers = block.values();
        int[] indices = block.columnIndices();
        int end = block.end(row);
        int entry = block.start(row);
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        for (; entry + 3 < end; entry += 4) {
            first += numbers[entry] * vector[offset + indices[entry]];
            second += numbers[entry + 1] * vector[offset + indices[entry + 1]];
            third += numbers[entry + 2] * vector[offset + indices[entry + 2]];
            fourth += numbers[entry + 3] * vector[offset + indices[entry + 3]];
        }
        for (; entry < end; entry++) {
            first += numbers[entry] * vector[offset + indices[entry]];
        }
        return first + second + (third + fourth);
    }

    private static double dot(DenseBlock block, int row, double[] vector, int offset) {
        double[] numbers = block.values();
        int columns = block.columns();
        int start = block.start(row);
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int column = 0;
        for (; column + 3 < columns; column += 4) {
            first += numbers[start + column] * vector[offset + column];
            second += numbers[start + column + 1] * vector[offset + column + 1];
            third += numbers[start + column + 2] * vector[offset + column + 2];
            fourth += numbers[start + column + 3] * vector[offset + column + 3];
        }
        for (; column < columns; column++) {
            first += numbers[start + column] * vector[offset + column];
        }
        return first + second + (third + fourth);
    }

    /** {@link #dot} for every row, written to the start of {@code target}: the loop for {@link ContributionSum.Worker#prepare}. */
    public static void dots(RecordBlock block, double[] vector, int offset, double[] target) {
        int rows = block.rows();
        if (block instanceof SparseBlock sparse) {
            for (int row = 0; row < rows; row++) {
                target[row] = dot(sparse, row, vector, offset);
            }
            return;
        }
        DenseBlock dense = (DenseBlock) block;
        for (int row = 0; row < rows; row++) {
            target[row] = dot(dense, row, vector, offset);
        }
    }

    /** sum_{offset + j} += factor x_j over the row. */
    public static void addTo(RecordBlock block, int row, double factor, double[] sum, int offset) {
        if (block instanceof SparseBlock sparse) {
            int[] indices = sparse.columnIndices();
            double[] numbers = sparse.values();
            int end = sparse.end(row);
            for (int entry = sparse.start(row); entry < end; entry++) {
                sum[offset + indices[entry]] += factor * numbers[entry];
            }
            return;
        }
        DenseBlock dense = (DenseBlock) block;
        double[] numbers = dense.values();
        int columns = dense.columns();
        int start = dense.start(row);
        for (int column = 0; column < columns; column++) {
            sum[offset + column] += factor * numbers[start + column];
        }
    }

    /** Σ_j x_j² over the row. */
    public static double squaredNorm(RecordBlock block, int row) {
        if (block instanceof SparseBlock sparse) {
            return squares(sparse.values(), sparse.start(row), sparse.end(row));
        }
        DenseBlock dense = (DenseBlock) block;
        int start = dense.start(row);
        return squares(dense.values(), start, start + dense.columns());
    }

    private static double squares(double[] numbers, int start, int end) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int entry = start;
        for (; entry + 3 < end; entry += 4) {
            first += numbers[entry] * numbers[entry];
            second += numbers[entry + 1] * numbers[entry + 1];
            third += numbers[entry + 2] * numbers[entry + 2];
            fourth += numbers[entry + 3] * numbers[entry + 3];
        }
        // No loop for what is left: the compiler would prepare it for many rounds, which takes longer than the three.
        if (entry < end) {
            first += numbers[entry] * numbers[entry];
        }
        if (entry + 1 < end) {
            first += numbers[entry + 1] * numbers[entry + 1];
        }
        if (entry + 2 < end) {
            first += numbers[entry + 2] * numbers[entry + 2];
        }
        return first + second + (third + fourth);
    }

    /** The row's label for models that need one of two classes: +1 above one half, −1 otherwise (also for NaN). */
    public static double signedLabel(RecordBlock block, int row) {
        return block.label(row) > 0.5 ? 1 : -1;
    }

    /** The same rows with other labels, one for each. */
    public static RecordBlock withLabels(RecordBlock block, double[] labels) {
        int rows = block.rows();
        double[] weights = new double[rows];
        for (int row = 0; row < rows; row++) {
            weights[row] = block.weight(row);
        }
        if (block instanceof DenseBlock dense) {
            return new DenseBlock(rows, dense.columns(), dense.values(), dense.start(0), labels, weights, 0);
        }
        SparseBlock sparse = (SparseBlock) block;
        int[] starts = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            starts[row] = sparse.start(row);
            starts[row + 1] = sparse.end(row);
        }
        return new SparseBlock(
                rows, sparse.columns(), starts, sparse.columnIndices(), sparse.values(), labels, weights, 0);
    }
}
