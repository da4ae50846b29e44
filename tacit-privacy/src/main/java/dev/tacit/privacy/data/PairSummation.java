package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;

/**
 * Adds up {@link ColumnPairs} of records that are units each: clipped and rounded like every {@link Contribution}, in short
 * loops over the rows of a block.
 *
 * <pre>
 *   z_j = w_j x_j²,  v_{2j} = a x_j,  v_{2j+1} = b z_j;     t = (a / l2Bound)² Σ x_j² + (b / l2Bound)² Σ z_j²
 *   sums += round(v / g / √max(1, t))
 * </pre>
 *
 * <p><b>Bound.</b> z_j stands for the double that is computed, both times in the same way, so its own error does not matter.
 * With u = 2^−53 and n &lt; 2^28 numbers in a row, Σ x_j² and Σ z_j² are wrong by (n + 1) u relatively, and by what
 * underflowed, less than n 2^−1022 ≤ 2^−60 of the smallest sums allowed here (10^−280); so t is wrong by (n + 8) u relatively
 * or is far below 1. Numbers are wrong by 5u relatively, or by less than 2^−500 if one underflows; none overflows, because
 * √t, √Σ x_j² and √Σ z_j² are at most 10^140 and the latter two at least 10^−140. So before rounding the norm is at most
 * (1 + 2^−24) l2Bound/g, as in {@link Contribution}. Other rows take the way of {@link ContributionVector}.
 *
 * <p>If the functions of the query throw while they look at a block, its rows are shown to them one by one; a row for which
 * they throw then, contributes nothing. Which way a row takes depends on that row only, and so does every bit of what it adds.
 */
final class PairSummation implements BlockSummation {
    private static final int STRIDE = ColumnPairs.STRIDE;

    private final ColumnPairs query;
    private final SumGrid grid;
    private final long[] sums;
    private final double unitsPerValue;
    private final double boundsPerValue;
    private final ContributionVector vector;

    /** For each row: Σ m_j x_j, then a, then a in grid units; Σ k_j x_j², then b; Σ x_j²; Σ z_j². */
    private double[] rowScales = {};

    private double[] squareScales = {};
    private double[] rowSquares = {};
    private double[] squareSquares = {};
    private int[] ordinaryRows = {};

    PairSummation(ColumnPairs query, SumGrid grid, long[] sums) {
        this.query = query;
        this.grid = grid;
        this.sums = sums;
        unitsPerValue = 1 / grid.granularity();
        boundsPerValue = 1 / grid.l2Bound();
        vector = new ContributionVector(grid.dimension());
    }

    @Override
    public void add(RecordBlock block) {
        if (!added(block)) {
            for (int row = 0; row < block.rows(); row++) {
                added(block.part(row, row + 1));
            }
        }
    }

    private boolean added(RecordBlock block) {
        int rows = block.rows();
        reserve(rows);
        if (block instanceof SparseBlock sparse) {
            for (int row = 0; row < rows; row++) {
                measure(row, sparse.columnIndices(), sparse.values(), sparse.start(row), sparse.end(row));
            }
        } else {
            for (int row = 0; row < rows; row++) {
                measure(row, ((DenseBlock) block).values(), ((DenseBlock) block).start(row), block.columns());
            }
        }
        try {
            query.scales().replace(block, rowScales, squareScales);
        } catch (
                @SuppressWarnings("unused")
                Throwable thrown) {
            // Forgotten, because it may tell something about a record.
            return false;
        }
        int ordinary = scaled(block);
        if (block instanceof SparseBlock sparse) {
            for (int i = 0; i < ordinary; i++) {
                int row = ordinaryRows[i];
                add(i, sparse.columnIndices(), sparse.values(), sparse.start(row), sparse.end(row));
            }
        } else {
            for (int i = 0; i < ordinary; i++) {
                int row = ordinaryRows[i];
                add(i, ((DenseBlock) block).values(), ((DenseBlock) block).start(row), block.columns());
            }
        }
        return true;
    }

    private void reserve(int rows) {
        if (rowScales.length < rows) {
            rowScales = new double[rows];
            squareScales = new double[rows];
            rowSquares = new double[rows];
            squareSquares = new double[rows];
            ordinaryRows = new int[rows];
        }
    }

    private void measure(int row, int[] columns, double[] values, int start, int end) {
        double[] weights = query.numbers();
        double sum = 0;
        double squareSum = 0;
        double squares = 0;
        double otherSquares = 0;
        for (int entry = start; entry < end; entry++) {
            double number = values[entry];
            int at = STRIDE * columns[entry];
            double square = number * number;
            double weighted = weights[at + 2] * square;
            sum += number * weights[at];
            squareSum += square * weights[at + 1];
            squares += square;
            otherSquares += weighted * weighted;
        }
        rowScales[row] = sum;
        squareScales[row] = squareSum;
        rowSquares[row] = squares;
        squareSquares[row] = otherSquares;
    }

    private void measure(int row, double[] values, int start, int columns) {
        double[] weights = query.numbers();
        double sum = 0;
        double squareSum = 0;
        double squares = 0;
        double otherSquares = 0;
        for (int column = 0; column < columns; column++) {
            double number = values[start + column];
            double square = number * number;
            double weighted = weights[STRIDE * column + 2] * square;
            sum += number * weights[STRIDE * column];
            squareSum += square * weights[STRIDE * column + 1];
            squares += square;
            otherSquares += weighted * weighted;
        }
        rowScales[row] = sum;
        squareScales[row] = squareSum;
        rowSquares[row] = squares;
        squareSquares[row] = otherSquares;
    }

    /** Turns scales into clipped grid units, adds what is not ordinary, and returns how many rows are left. */
    private int scaled(RecordBlock block) {
        int ordinary = 0;
        for (int row = 0; row < block.rows(); row++) {
            double rowBounds = rowScales[row] * boundsPerValue;
            double squareBounds = squareScales[row] * boundsPerValue;
            double squares = rowBounds * rowBounds * rowSquares[row] + squareBounds * squareBounds * squareSquares[row];
            if (squares < Contribution.LARGEST_SQUARE
                    && Contribution.isOrdinary(rowSquares[row])
                    && Contribution.isOrdinary(squareSquares[row])) {
                double units = unitsPerValue / Math.sqrt(Math.max(1, squares));
                ordinaryRows[ordinary] = row;
                rowScales[ordinary] = rowScales[row] * units;
                squareScales[ordinary] = squareScales[row] * units;
                ordinary++;
            } else {
                addExtreme(block, row);
            }
        }
        return ordinary;
    }

    private void add(int i, int[] columns, double[] values, int start, int end) {
        long[] target = sums;
        double[] weights = query.numbers();
        double rowScale = rowScales[i];
        double squareScale = squareScales[i];
        for (int entry = start; entry < end; entry++) {
            int column = columns[entry];
            double number = values[entry];
            int at = 2 * column;
            target[at] += Contribution.rounded(rowScale * number);
            target[at + 1] += Contribution.rounded(squareScale * (weights[STRIDE * column + 2] * (number * number)));
        }
    }

    private void add(int i, double[] values, int start, int columns) {
        long[] target = sums;
        double[] weights = query.numbers();
        double rowScale = rowScales[i];
        double squareScale = squareScales[i];
        for (int column = 0; column < columns; column++) {
            double number = values[start + column];
            target[2 * column] += Contribution.rounded(rowScale * number);
            target[2 * column + 1] +=
                    Contribution.rounded(squareScale * (weights[STRIDE * column + 2] * (number * number)));
        }
    }

    private void addExtreme(RecordBlock block, int row) {
        double rowScale = rowScales[row];
        double squareScale = squareScales[row];
        if (!Double.isFinite(rowScale) || !Double.isFinite(squareScale)) {
            return;
        }
        int entries = ColumnPairs.entries(block, row);
        for (int entry = 0; entry < entries; entry++) {
            int column = ColumnPairs.column(block, row, entry);
            double number = ColumnPairs.number(block, row, entry);
            vector.add(2 * column, rowScale * number);
            vector.add(2 * column + 1, squareScale * (query.numbers()[STRIDE * column + 2] * (number * number)));
        }
        vector.addTo(sums, grid);
        vector.clear();
    }
}
