package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.UnitSum;

/**
 * Clips what a {@link ColumnWorker} says about many rows and hands it to {@link UnitSum#addColumns}.
 *
 * <pre>
 *   t = ‖v‖² / l2Bound²;     column j of a row:  v_j / g / √max(1, t)
 * </pre>
 *
 * 1/g is a power of two: where nothing is clipped the factor is exact. A squared norm that underflows is that of a row far below every
 * bound, which is at least 2^−400. A row whose norm is very large, or not a number, gets a factor that is none, so that it is refused
 * as a part of the columns, and is then added by itself.
 */
final class ColumnTiles {
    /** Numbers written before they are added, at most: what stays in the processor's second cache. */
    private static final int NUMBERS = 1 << 15;

    /** With fewer rows, loops over them are too short to be worth it. */
    private static final int FEWEST_ROWS = 32;

    private static final int MOST_ROWS = 256;

    private final ColumnWorker worker;
    private final double unitsPerValue;
    private final double boundsPerValue;
    private final int rows;
    private final double[] factors;
    private final double[][] columns;

    ColumnTiles(ColumnWorker worker, SumGrid grid) {
        this.worker = worker;
        unitsPerValue = 1 / grid.granularity();
        boundsPerValue = 1 / grid.l2Bound();
        rows = rows(grid.dimension());
        factors = new double[rows];
        columns = new double[grid.dimension()][rows];
    }

    /** How many rows of so many numbers are taken together; none if they have too many. */
    static int rows(int dimension) {
        return Math.min(MOST_ROWS, NUMBERS / dimension / FEWEST_ROWS * FEWEST_ROWS);
    }

    /** Whether a worker can be asked for columns of so many numbers. */
    static boolean suit(ContributionSum.Worker worker, SumGrid grid) {
        return rows(grid.dimension()) > 0 && worker instanceof ColumnWorker columns && columns.writesColumns();
    }

    void addRows(RecordBlock block, UnitSum sum, Contribution contribution) {
        for (int first = 0; first < block.rows(); first += rows) {
            int count = Math.min(rows, block.rows() - first);
            addTile(count == block.rows() ? block : block.part(first, first + count), first, sum, contribution);
        }
    }

    private void addTile(RecordBlock block, int first, UnitSum sum, Contribution contribution) {
        int count = block.rows();
        worker.prepare(block);
        worker.squaredNorms(block, factors);
        for (int r = 0; r < count; r++) {
            double squares = factors[r] * boundsPerValue * boundsPerValue;
            double units = unitsPerValue / Math.sqrt(Math.max(1, squares));
            boolean ordinary = factors[r] < Contribution.LARGEST_SQUARE && squares < Contribution.LARGEST_SQUARE;
            factors[r] = ordinary ? units : Double.NaN;
        }
        worker.write(block, factors, columns);
        sum.addColumns(first, count, columns);
        for (int r = 0; r < count; r++) {
            if (Double.isNaN(factors[r])) {
                contribution.beginRow(block, r, sum);
                worker.contribute(block, r, contribution);
                contribution.endUnit(first + r);
            }
        }
        contribution.leaveBlock();
    }
}
