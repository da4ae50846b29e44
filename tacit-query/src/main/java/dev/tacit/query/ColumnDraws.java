package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.Summand;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * A sum to which a record adds a multiple of itself and, column by column, itself times a weighted sum of public numbers.
 *
 * <pre>
 *   z_k = Σ_j (c_j + o_kj) x_j;     r_k: any function of z_1 … z_K, the label and the weight of the record,   k = 1 … K
 *   coordinate 2j: x_j Σ_k r_k / K        coordinate 2j+1: x_j Σ_k d_kj r_k
 * </pre>
 *
 * Gradients of Gaussians on the weights of a regression, averaged over K draws c + o_k of the weights, have this form. Mirrored
 * draws come in pairs, c + o_k with the direction d_k and c − o_k with −d_k; two products then serve four:
 *
 * <pre>
 *   z, z′ = Σ_j c_j x_j ± Σ_j o_kj x_j;     d_kj r + (−d_kj) r′ = d_kj (r − r′)
 * </pre>
 *
 * It is a class of its own because the door can then look at many records in a few short loops: a query hands over c, o, d and
 * the function, and sees no contribution at all.
 */
public final class ColumnDraws implements ContributionSum {
    /** The function r. */
    @FunctionalInterface
    public interface Residuals extends Serializable {
        /**
         * Replaces z by r for the rows {@code from} up to, not including, {@code to}: of row {@code from + i} of these n = to −
         * from rows it is {@code margins[k n + i]}, for k below {@code count}. What is computed for a row must depend on that
         * row only, to the last bit.
         */
        void replace(RecordBlock block, int from, int to, double[] margins, int count);
    }

    private static final long serialVersionUID = 1;

    private final int columns;
    private final int offsetCount;
    private final boolean mirrored;
    private final DrawLanes[] lanes;
    private final Residuals residuals;

    /**
     * @param centre c, with a number for each column
     * @param offsets o, draw after draw
     * @param directions d, draw after draw
     * @param mirrored whether each offset also stands for its mirror image, so that there are twice as many draws
     */
    public ColumnDraws(double[] centre, double[] offsets, double[] directions, boolean mirrored, Residuals residuals) {
        this.columns = centre.length;
        if (offsets.length == 0 || offsets.length % columns != 0 || directions.length != offsets.length) {
            throw new IllegalArgumentException(
                    "every draw has an offset and a direction with a number for each column");
        }
        this.offsetCount = offsets.length / columns;
        this.mirrored = mirrored;
        this.residuals = Objects.requireNonNull(residuals, "residuals");
        this.lanes = new DrawLanes[(offsetCount + DrawLanes.LANES - 1) / DrawLanes.LANES];
        for (int group = 0; group < lanes.length; group++) {
            lanes[group] = new DrawLanes(centre, offsets, directions, group * DrawLanes.LANES);
        }
    }

    @Override
    public int dimension() {
        return 2 * columns;
    }

    int columns() {
        return columns;
    }

    /** How many offsets there are, rounded up to whole groups of lanes. */
    int stride() {
        return lanes.length * DrawLanes.LANES;
    }

    /** Room for z, then r, of some rows: offset after offset. Those of mirror images, if any, stand in an array of their own. */
    static final class Numbers {
        private final double[] draws;
        private final double[] mirrors;

        Numbers(ColumnDraws query, int rows) {
            this.draws = new double[rows * query.stride()];
            this.mirrors = query.mirrored ? new double[draws.length] : null;
        }
    }

    /** z of all rows, and Σ x_j² of each. */
    void toMargins(RowSlices slices, Numbers numbers, double[] rowSquares) {
        for (int group = 0; group < lanes.length; group++) {
            int at = group * DrawLanes.LANES * slices.rows;
            lanes[group].toMargins(slices, numbers.draws, numbers.mirrors, at, rowSquares);
        }
    }

    /** Replaces z by r, which is 0 for draws that there are not; fails if the function throws. */
    void toResiduals(RecordBlock block, int from, int to, Numbers numbers) {
        toResiduals(block, from, to, numbers.draws);
        if (mirrored) {
            toResiduals(block, from, to, numbers.mirrors);
        }
    }

    private void toResiduals(RecordBlock block, int from, int to, double[] margins) {
        int n = to - from;
        residuals.replace(block, from, to, margins, offsetCount);
        Arrays.fill(margins, offsetCount * n, stride() * n, 0);
    }

    /** a = factor Σ_k r_k / K and Σ_j h_j² of each row, and h_j = factor x_j Σ_k d_kj r_k, row after row. */
    void toSlopes(RowSlices slices, Numbers numbers, double factor, double[] slopes, double[] means, double[] squares) {
        for (int group = 0; group < lanes.length; group++) {
            int at = group * DrawLanes.LANES * slices.rows;
            lanes[group].addSlopes(
                    slices, numbers.draws, numbers.mirrors, at, factor, group > 0, slopes, means, squares);
        }
        double draws = mirrored ? 2.0 * offsetCount : offsetCount;
        for (int i = 0; i < slices.rows; i++) {
            means[i] /= draws;
        }
    }

    /** For units of several records and for parts of other sums; single records are the business of {@link DrawSummation}. */
    @Override
    public Summand summand(SumGrid grid) {
        return new DrawSummation(this, grid);
    }

    @Override
    public Worker worker() {
        return new RowByRow();
    }

    private final class RowByRow implements Worker {
        private final RowSlices slices = new RowSlices(columns, 1);
        private final Numbers numbers = new Numbers(ColumnDraws.this, 1);
        private final double[] slopes = new double[columns];
        private final double[] pairs = new double[2 * columns];
        private final double[] mean = new double[1];
        private final double[] squares = new double[1];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            slices.take(block, row, row + 1);
            toMargins(slices, numbers, squares);
            toResiduals(block, row, row + 1, numbers);
            toSlopes(slices, numbers, 1, slopes, mean, squares);
            for (int entry = 0; entry < slices.entries(); entry++) {
                pairs[2 * entry] = mean[0] * slices.values[slices.starts[0] + entry];
                pairs[2 * entry + 1] = slopes[entry];
            }
            contribution.addColumns(0, 2, pairs);
        }
    }
}
