package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.Summand;
import dev.tacit.door.sum.UnitSum;

/**
 * Adds up {@link ColumnDraws} of records that are units each: clipped and rounded like every {@link Contribution}, in short
 * loops over a few rows at a time.
 *
 * <pre>
 *   a = Σ_k r_k / (K l2Bound),  h_j = x_j Σ_k d_kj r_k / l2Bound,  v_{2j} = a x_j,  v_{2j+1} = h_j;     t = a² Σ x_j² + Σ h_j²
 *   sums += round(l2Bound/g · v / √max(1, t))
 * </pre>
 *
 * <p><b>Accuracy</b>, so that {@link UnitSum} never refuses what was clipped here. a and h_j stand for the doubles that were computed: they are what is added, and t is formed from them, so
 * their own errors do not matter. With u = 2^−53 and n &lt; 2^28 numbers in a row, both sums of squares are wrong by n u
 * relatively, and by what underflowed: less than n 2^−1022, which is below 2^−60 of the smallest Σ x_j² allowed here
 * (10^−280), and far below 1 in Σ h_j². a² is wrong by u, or, if it underflows, makes its term wrong by less than 2^−90. So t
 * is wrong by (n + 4) u relatively or by less than 2^−80. Numbers are wrong by 4u relatively, or by less than 2^−500 if one
 * underflows; none overflows, because √t and √Σ x_j² are at most 10^140 and the latter at least 10^−140. So before rounding
 * the norm is at most (1 + 2^−24) l2Bound/g, as in {@link Contribution}. Other rows take the way of {@link
 * ContributionVector}.
 *
 * <p>Which way a row takes depends on that row only, and so does every bit of what it adds.
 */
final class DrawSummation implements Summand {
    /** Rows and numbers at once, at most: what stays in the processor's nearest cache from one loop to the next. */
    private static final int MOST_ROWS = 128;

    private static final int MOST_NUMBERS = 1 << 14;

    private final ColumnDraws query;
    private final SumGrid grid;
    private final double boundsPerValue;
    private final double unitsPerBound;
    private final ContributionVector vector;
    private final int rowsAtOnce;
    private final RowSlices slices;

    /** For units of several records. */
    private final Summand groups;

    private final ColumnDraws.Numbers numbers;

    /** h, row after row. */
    private final double[] slopes;

    /** For each row: Σ x_j²; Σ h_j², then t; l2Bound/g over √max(1, t); a. */
    private final double[] rowSquares;

    private final double[] squares;
    private final double[] units;
    private final double[] means;

    /** One row in grid steps. */
    private final double[] steps;

    DrawSummation(ColumnDraws query, SumGrid grid) {
        this.query = query;
        this.grid = grid;
        this.groups = new ContributionSummand(query.worker(), grid);
        boundsPerValue = 1 / grid.l2Bound();
        unitsPerBound = grid.l2Bound() / grid.granularity();
        vector = new ContributionVector(grid.dimension());
        rowsAtOnce = Math.max(1, Math.min(MOST_ROWS, MOST_NUMBERS / Math.max(query.stride(), query.columns())));
        slices = new RowSlices(query.columns(), rowsAtOnce);
        numbers = new ColumnDraws.Numbers(query, rowsAtOnce);
        slopes = new double[rowsAtOnce * query.columns()];
        rowSquares = new double[rowsAtOnce];
        squares = new double[rowsAtOnce];
        units = new double[rowsAtOnce];
        means = new double[rowsAtOnce];
        steps = new double[2 * query.columns()];
    }

    @Override
    public void addRows(RecordBlock block, UnitSum sum) {
        for (int from = 0; from < block.rows(); from += rowsAtOnce) {
            add(block, from, Math.min(block.rows(), from + rowsAtOnce), sum);
        }
    }

    @Override
    public void addPart(RecordBlock block, boolean last, UnitSum sum) {
        groups.addPart(block, last, sum);
    }

    private void add(RecordBlock block, int from, int to, UnitSum sum) {
        slices.take(block, from, to);
        query.toMargins(slices, numbers, rowSquares);
        query.toResiduals(block, from, to, numbers);
        query.toSlopes(slices, numbers, boundsPerValue, slopes, means, squares);
        scale();
        addRows(from, sum);
    }

    private void scale() {
        for (int i = 0; i < slices.rows; i++) {
            double total = means[i] * means[i] * rowSquares[i] + squares[i];
            squares[i] = total;
            units[i] = unitsPerBound / Math.sqrt(Math.max(1, total));
        }
    }

    private void addRows(int from, UnitSum sum) {
        double[] values = slices.values;
        int next = 0;
        for (int i = 0; i < slices.rows; i++) {
            int start = slices.starts[i];
            int end = slices.starts[i + 1];
            if (squares[i] < Contribution.LARGEST_SQUARE && Contribution.isOrdinary(rowSquares[i])) {
                double scale = units[i];
                double mean = means[i] * scale;
                int entries = end - start;
                for (int entry = 0; entry < entries; entry++) {
                    steps[2 * entry] = mean * values[start + entry];
                    steps[2 * entry + 1] = scale * slopes[next + entry];
                }
                sum.begin(from + i, steps);
                slices.announce(sum, i, 2);
                sum.end();
            } else {
                addExtreme(i, next, from + i, sum);
            }
            next += end - start;
        }
    }

    private void addExtreme(int i, int firstSlope, int unit, UnitSum sum) {
        int start = slices.starts[i];
        int shift = slices.shift(i);
        for (int entry = start; entry < slices.starts[i + 1]; entry++) {
            int place = 2 * slices.indices[shift + entry];
            vector.add(place, means[i] * grid.l2Bound() * slices.values[entry]);
            vector.add(place + 1, slopes[firstSlope + entry - start] * grid.l2Bound());
        }
        vector.addTo(sum, unit, grid);
        vector.clear();
    }
}
