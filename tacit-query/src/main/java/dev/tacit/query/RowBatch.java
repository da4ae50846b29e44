package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.UnitSum;

/**
 * Multiples of single rows of one block that wait to be clipped, rounded and added up together: the contributions of
 * most models, in three short loops instead of a long one.
 *
 * <p>The arithmetic is that of {@link Contribution}, whose proof covers it.
 */
final class RowBatch {
    static final int CAPACITY = 256;

    private final double unitsPerValue;
    private final double boundsPerValue;

    private final ContributionSteps steps = new ContributionSteps();
    private final int[] units = new int[CAPACITY];
    private final int[] rows = new int[CAPACITY];
    private final int[] offsets = new int[CAPACITY];
    private final double[] scales = new double[CAPACITY];
    private final double[] squaredNorms = new double[CAPACITY];
    private int count;

    RowBatch(SumGrid grid) {
        unitsPerValue = 1 / grid.granularity();
        boundsPerValue = 1 / grid.l2Bound();
    }

    void add(int unit, int row, int offset, double scale) {
        units[count] = unit;
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
        void row(int unit, int row, int offset, double scale);
    }

    /** Adds all rows, which are of this block, and forgets them. */
    void flush(RecordBlock block, UnitSum sum, Extreme extreme) {
        int total = count;
        count = 0;
        for (int i = 0; i < total; i++) {
            squaredNorms[i] = Rows.squaredNorm(block, rows[i]);
        }
        int ordinary = scaled(total, extreme);
        for (int i = 0; i < ordinary; i++) {
            steps.addRow(sum, units[i], block, rows[i], offsets[i], scales[i]);
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
                units[ordinary] = units[i];
                rows[ordinary] = rows[i];
                offsets[ordinary] = offsets[i];
                // Clipped or not without a branch: about half of the rows are, in no order.
                scales[ordinary] = scales[i] * (unitsPerValue / Math.sqrt(Math.max(1, squares)));
                ordinary++;
            } else {
                extreme.row(units[i], rows[i], offsets[i], scales[i]);
            }
        }
        return ordinary;
    }
}
