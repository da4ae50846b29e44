package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.UnitSum;
import java.util.Arrays;

/**
 * Units that are multiples of one dense row, of its square, and numbers: clipped, they wait to be written together, each place for
 * all rows before the next place, and are handed to {@link UnitSum#addColumns}.
 *
 * <pre>
 *   u = 1/g / √max(1, t) of {@link Contribution};      (a u) x_j,      ((√2 (b u)) x_i) x_j for j &lt; i and ((b u) x_i) x_i,      c u
 * </pre>
 *
 * These are the products of {@link ContributionSteps}, and each is rounded by itself, so a row adds the same bits whether it waits or
 * not. That is why it may depend on its neighbours whether it does: those that wait are alike and in the order of their rows. A
 * row between them that does not wait has NaN for u here, which makes it refused as a part of the columns, and is added by itself.
 */
final class SquareBatch {
    /** Of a block: with fewer, loops over rows are too short to be worth it. */
    private static final int FEWEST_ROWS = 32;

    private final int dimension;
    private final int mostRows;
    private final ColumnProducts products = new ColumnProducts();

    /** What every unit that waits consists of. */
    private int pieces;

    private final int[] kinds = new int[Contribution.MOST_PIECES];
    private final int[] offsets = new int[Contribution.MOST_PIECES];

    /** The rows from the first to the last that waits, and how far ahead of its row a unit is. */
    private int firstRow;

    private int count;
    private int shift;

    /** a, b or c of each piece, and u: of each row. */
    private double[][] scales;

    private double[] units;

    private double[][] x = {};
    private double[][] columns;

    SquareBatch(SumGrid grid) {
        dimension = grid.dimension();
        mostRows = ColumnTiles.rows(dimension);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether a row is too far behind the first one that waits. */
    boolean isFullFor(int row) {
        return count > 0 && row - firstRow >= mostRows;
    }

    /** Whether a batch may begin with a unit of these pieces, which are apart: there is a square, and every place has a number. */
    boolean mayBegin(RecordBlock block, int pieceCount, int[] pieceKinds, int[] pieceSizes) {
        int places = 0;
        boolean hasSquare = false;
        boolean hasProduct = false;
        for (int i = 0; i < pieceCount; i++) {
            places += pieceSizes[i];
            hasSquare |= pieceKinds[i] == Contribution.SQUARE;
            hasProduct |= pieceKinds[i] == Contribution.OUTER;
        }
        return hasSquare
                && !hasProduct
                && places == dimension
                && mostRows > 0
                && block instanceof DenseBlock
                && block.rows() >= FEWEST_ROWS;
    }

    /** Begins with a row, for units of these pieces. */
    void begin(int row, int unit, int pieceCount, int[] pieceKinds, int[] pieceOffsets) {
        if (columns == null) {
            columns = new double[dimension][mostRows];
            scales = new double[Contribution.MOST_PIECES][mostRows];
            units = new double[mostRows];
        }
        pieces = pieceCount;
        System.arraycopy(pieceKinds, 0, kinds, 0, pieces);
        System.arraycopy(pieceOffsets, 0, offsets, 0, pieces);
        firstRow = row;
        shift = unit - row;
    }

    /** Whether a unit of these pieces is like those that wait, and behind them. */
    boolean suits(int row, int unit, int pieceCount, int[] pieceKinds, int[] pieceOffsets) {
        boolean alike = row >= firstRow + count && unit - row == shift && pieceCount == pieces;
        for (int i = 0; i < pieces && alike; i++) {
            alike = pieceKinds[i] == kinds[i] && pieceOffsets[i] == offsets[i];
        }
        return alike;
    }

    /** @param factor u */
    void add(int row, double[] pieceScales, double factor) {
        int at = row - firstRow;
        Arrays.fill(units, count, at, Double.NaN);
        units[at] = factor;
        for (int i = 0; i < pieces; i++) {
            scales[i][at] = pieceScales[i];
        }
        count = at + 1;
    }

    /** Writes and hands over all rows, which are of this block, and forgets them. */
    void flush(RecordBlock block, UnitSum sum) {
        DenseBlock dense = (DenseBlock) block;
        int rows = count;
        count = 0;
        if (x.length != dense.columns()) {
            x = new double[dense.columns()][mostRows];
        }
        DenseColumns.copy(dense, firstRow, rows, 0, x, x.length);
        for (int i = 0; i < pieces; i++) {
            switch (kinds[i]) {
                case Contribution.ROW ->
                    products.writeMultiples(units, scales[i], x.length, x, columns, offsets[i], rows);
                case Contribution.SQUARE -> products.writeSquares(units, scales[i], x, columns, offsets[i], rows);
                default -> ColumnProducts.multiply(units, scales[i], columns[offsets[i]], rows);
            }
        }
        sum.addColumns(firstRow + shift, rows, columns);
    }
}
