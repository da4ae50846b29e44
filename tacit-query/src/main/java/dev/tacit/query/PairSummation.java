package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.Summand;
import dev.tacit.door.sum.UnitSum;

/**
 * Adds up {@link ColumnPairs} of records that are units each: clipped and rounded like every {@link Contribution}, in short
 * loops over some hundred rows at a time.
 *
 * <pre>
 *   z_j = w_j x_j²,  v_{2j} = a x_j,  v_{2j+1} = b z_j;     t = (a / l2Bound)² Σ x_j² + (b / l2Bound)² Σ z_j²
 *   sums += round(v / g / √max(1, t))
 * </pre>
 *
 * <p><b>Accuracy</b>, so that {@link UnitSum} never refuses what was clipped here. z_j stands for the double that is computed, both times in the same way, so its own error does not matter.
 * With u = 2^−53 and n &lt; 2^28 numbers in a row, Σ x_j² and Σ z_j² are wrong by (n + 1) u relatively, and by what
 * underflowed, less than n 2^−1022 ≤ 2^−60 of the smallest sums allowed here (10^−280); so t is wrong by (n + 8) u relatively
 * or is far below 1. Numbers are wrong by 5u relatively, or by less than 2^−500 if one underflows; none overflows, because
 * √t, √Σ x_j² and √Σ z_j² are at most 10^140 and the latter two at least 10^−140. So before rounding the norm is at most
 * (1 + 2^−24) l2Bound/g, as in {@link Contribution}. Other rows take the way of {@link ContributionVector}.
 *
 * <p>Which way a row takes depends on that row only, and so does every bit of what it adds.
 */
final class PairSummation implements Summand {
    private static final int STRIDE = ColumnPairs.STRIDE;

    /** Rows at once: what stays in the processor's nearest caches from one loop to the next. */
    private static final int MOST_ROWS = 256;

    private final ColumnPairs query;
    private final SumGrid grid;
    private final double unitsPerValue;
    private final double boundsPerValue;
    private final ContributionVector vector;
    private final RowSlices slices;

    /** For units of several records. */
    private final Summand groups;

    /** For each row: Σ m_j x_j, then a; Σ k_j x_j², then b; Σ x_j²; Σ z_j²; t; 1/g over √max(1, t). */
    private final double[] rowScales = new double[MOST_ROWS];

    private final double[] squareScales = new double[MOST_ROWS];
    private final double[] rowSquares = new double[MOST_ROWS];
    private final double[] squareSquares = new double[MOST_ROWS];
    private final double[] squares = new double[MOST_ROWS];
    private final double[] units = new double[MOST_ROWS];

    /** One row in grid steps. */
    private final double[] steps;

    PairSummation(ColumnPairs query, SumGrid grid) {
        this.query = query;
        this.grid = grid;
        this.groups = new ContributionSummand(query.worker(), grid);
        unitsPerValue = 1 / grid.granularity();
        boundsPerValue = 1 / grid.l2Bound();
        vector = new ContributionVector(grid.dimension());
        slices = new RowSlices(query.dimension() / 2, MOST_ROWS);
        steps = new double[query.dimension()];
    }

    @Override
    public void addRows(RecordBlock block, UnitSum sum) {
        for (int from = 0; from < block.rows(); from += MOST_ROWS) {
            add(block, from, Math.min(block.rows(), from + MOST_ROWS), sum);
        }
    }

    @Override
    public void addPart(RecordBlock block, boolean last, UnitSum sum) {
        groups.addPart(block, last, sum);
    }

    private void add(RecordBlock block, int from, int to, UnitSum sum) {
        slices.take(block, from, to);
        query.measure(slices, rowScales, squareScales, rowSquares, squareSquares);
        query.scales().replace(block.part(from, to), rowScales, squareScales);
        scale();
        addRows(from, sum);
    }

    private void scale() {
        for (int i = 0; i < slices.rows; i++) {
            double rowBounds = rowScales[i] * boundsPerValue;
            double squareBounds = squareScales[i] * boundsPerValue;
            double total = rowBounds * rowBounds * rowSquares[i] + squareBounds * squareBounds * squareSquares[i];
            squares[i] = total;
            units[i] = unitsPerValue / Math.sqrt(Math.max(1, total));
        }
    }

    private void addRows(int from, UnitSum sum) {
        double[] weights = query.numbers();
        double[] values = slices.values;
        int[] indices = slices.indices;
        for (int i = 0; i < slices.rows; i++) {
            if (squares[i] < Contribution.LARGEST_SQUARE
                    && Contribution.isOrdinary(rowSquares[i])
                    && Contribution.isOrdinary(squareSquares[i])) {
                double rowScale = rowScales[i] * units[i];
                double squareScale = squareScales[i] * units[i];
                int shift = slices.shift(i);
                int start = slices.starts[i];
                int entries = slices.starts[i + 1] - start;
                for (int entry = 0; entry < entries; entry++) {
                    int column = indices[shift + start + entry];
                    double number = values[start + entry];
                    steps[2 * entry] = rowScale * number;
                    steps[2 * entry + 1] = squareScale * (weights[STRIDE * column + 2] * (number * number));
                }
                sum.begin(from + i, steps);
                slices.announce(sum, i, 2);
                sum.end();
            } else {
                addExtreme(i, from + i, sum);
            }
        }
    }

    private void addExtreme(int i, int unit, UnitSum sum) {
        double rowScale = rowScales[i];
        double squareScale = squareScales[i];
        if (!Double.isFinite(rowScale) || !Double.isFinite(squareScale)) {
            return;
        }
        int shift = slices.shift(i);
        for (int entry = slices.starts[i]; entry < slices.starts[i + 1]; entry++) {
            int column = slices.indices[shift + entry];
            double number = slices.values[entry];
            vector.add(2 * column, rowScale * number);
            vector.add(2 * column + 1, squareScale * (query.numbers()[STRIDE * column + 2] * (number * number)));
        }
        vector.addTo(sum, unit, grid);
        vector.clear();
    }
}
