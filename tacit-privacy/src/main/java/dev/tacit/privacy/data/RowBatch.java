package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;

/**
 * Multiples of single rows of one block that wait to be clipped, rounded and added up together: the contributions of
 * most models, in three short loops instead of a long one.
 *
 * <p>The arithmetic is that of {@link Contribution}, whose proof covers it.
 */
final class RowBatch {
    static final int CAPACITY = 256;

    private final UnitSum sum;
    private final double unitsPerValue;
    private final double boundsPerValue;

    private final int[] rows = new int[CAPACITY];
    private final int[] offsets = new int[CAPACITY];
    private final double[] scales = new double[CAPACITY];
    private final double[] squaredNorms = new double[CAPACITY];
    private int count;

    /** One row in grid steps, and where its numbers belong if it is sparse. */
    private double[] steps = {};

    private int[] places = {};

    RowBatch(SumGrid grid, UnitSum sum) {
        this.sum = sum;
        unitsPerValue = 1 / grid.granularity();
        boundsPerValue = 1 / grid.l2Bound();
    }

    void add(int row, int offset, double scale) {
        rows[count] = row;
        offsets[count] = offset;
        scales[count] = scale;
        count++;
    }

    boolean isFull() {
        return count == CAPACITY;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Where rows go whose numbers are of extreme size, or not numbers. */
    @FunctionalInterface
    interface Extreme {
        void row(int row, int offset, double scale);
    }

    /** Adds all rows, which are of this block, and forgets them. */
    void flush(RecordBlock block, Extreme extreme) {
        int total = count;
        count = 0;
        if (steps.length < block.columns()) {
            steps = new double[block.columns()];
            places = new int[block.columns()];
        }
        if (block instanceof SparseBlock sparse) {
            for (int i = 0; i < total; i++) {
                squaredNorms[i] = sparse.squaredNorm(rows[i]);
            }
            int ordinary = scaled(total, extreme);
            for (int i = 0; i < ordinary; i++) {
                addSparse(sparse, rows[i], offsets[i], scales[i]);
            }
        } else if (block instanceof DenseBlock dense) {
            for (int i = 0; i < total; i++) {
                squaredNorms[i] = dense.squaredNorm(rows[i]);
            }
            int ordinary = scaled(total, extreme);
            for (int i = 0; i < ordinary; i++) {
                addDense(dense, rows[i], offsets[i], scales[i]);
            }
        }
    }

    /** Turns scales into clipped grid units, passes on what is not ordinary, and returns how many rows are left. */
    private int scaled(int total, Extreme extreme) {
        int ordinary = 0;
        for (int i = 0; i < total; i++) {
            double squaredNorm = squaredNorms[i];
            double bounds = scales[i] * boundsPerValue;
            double squares = bounds * bounds * squaredNorm;
            if (squares < Contribution.LARGEST_SQUARE
                    && squaredNorm > Contribution.SMALLEST_SQUARE
                    && squaredNorm < Contribution.LARGEST_SQUARE) {
                rows[ordinary] = rows[i];
                offsets[ordinary] = offsets[i];
                // Clipped or not without a branch: about half of the rows are, in no order.
                scales[ordinary] = scales[i] * (unitsPerValue / Math.sqrt(Math.max(1, squares)));
                ordinary++;
            } else {
                extreme.row(rows[i], offsets[i], scales[i]);
            }
        }
        return ordinary;
    }

    private void addSparse(SparseBlock block, int row, int offset, double scale) {
        int[] columns = block.columnIndices();
        double[] numbers = block.values();
        int start = block.start(row);
        int entries = block.end(row) - start;
        for (int entry = 0; entry < entries; entry++) {
            places[entry] = offset + columns[start + entry];
            steps[entry] = scale * numbers[start + entry];
        }
        sum.add(places, entries, 1, steps);
    }

    private void addDense(DenseBlock block, int row, int offset, double scale) {
        double[] numbers = block.values();
        int start = block.start(row);
        int columns = block.columns();
        for (int column = 0; column < columns; column++) {
            steps[column] = scale * numbers[start + column];
        }
        sum.add(offset, steps, columns);
    }
}
