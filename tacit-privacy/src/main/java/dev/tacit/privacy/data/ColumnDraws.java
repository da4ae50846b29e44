package dev.tacit.privacy.data;

import java.util.Arrays;
import java.util.Objects;

/**
 * A sum to which a record adds a multiple of itself and, column by column, itself times a weighted sum of public numbers.
 *
 * <pre>
 *   z_k = Σ_j p_kj x_j;     r_k: any function of z_1 … z_K, the label and the weight of the record,   k = 1 … K
 *   coordinate 2j: x_j Σ_k r_k / K        coordinate 2j+1: x_j Σ_k d_kj r_k
 * </pre>
 *
 * Gradients of Gaussians on the weights of a regression, averaged over K draws p_k of the weights, have this form. It is a
 * class of its own because the door can then look at many records in a few short loops: a query hands over p, d and the
 * function, and sees no contribution at all.
 */
public final class ColumnDraws implements RecordSum {
    /** The function r. */
    @FunctionalInterface
    public interface Residuals {
        /**
         * Replaces z by r for the rows {@code from} up to, not including, {@code to}: of row {@code from + i} of these n = to −
         * from rows and draw k it is {@code margins[k n + i]}. What is computed for a row must depend on that row only, to the
         * last bit.
         */
        void replace(RecordBlock block, int from, int to, double[] margins);
    }

    private final int columns;
    private final int draws;
    private final DrawLanes[] lanes;
    private final Residuals residuals;

    /**
     * @param columns how many numbers a record has
     * @param points p, draw after draw
     * @param directions d, draw after draw
     */
    public ColumnDraws(int columns, double[] points, double[] directions, Residuals residuals) {
        if (points.length == 0 || points.length % columns != 0 || directions.length != points.length) {
            throw new IllegalArgumentException("every draw has a point and a direction with a number for each column");
        }
        this.columns = columns;
        this.draws = points.length / columns;
        this.residuals = Objects.requireNonNull(residuals, "residuals");
        this.lanes = new DrawLanes[(draws + DrawLanes.LANES - 1) / DrawLanes.LANES];
        for (int group = 0; group < lanes.length; group++) {
            lanes[group] = new DrawLanes(columns, points, directions, group * DrawLanes.LANES);
        }
    }

    @Override
    public int dimension() {
        return 2 * columns;
    }

    int columns() {
        return columns;
    }

    /** K, rounded up to whole groups of lanes. */
    int stride() {
        return lanes.length * DrawLanes.LANES;
    }

    /** z of all rows, and Σ x_j² of each; of draws that there are not z is 0. */
    void toMargins(RowSlices slices, double[] margins, double[] rowSquares) {
        for (int group = 0; group < lanes.length; group++) {
            lanes[group].toMargins(slices, margins, group * DrawLanes.LANES * slices.rows, rowSquares);
        }
    }

    /** Replaces z by r; fails if the function throws. */
    void toResiduals(RecordBlock block, int from, int to, double[] margins) {
        residuals.replace(block, from, to, margins);
    }

    /** a = factor Σ_k r_k / K and Σ_j h_j² of each row, and h_j = factor x_j Σ_k d_kj r_k, row after row. */
    void toSlopes(
            RowSlices slices, double[] numbers, double factor, double[] slopes, double[] means, double[] squares) {
        int entries = 0;
        for (int i = 0; i < slices.rows; i++) {
            entries += slices.counts[i];
        }
        Arrays.fill(slopes, 0, entries, 0);
        Arrays.fill(means, 0, slices.rows, 0);
        for (int group = 0; group < lanes.length; group++) {
            int at = group * DrawLanes.LANES * slices.rows;
            lanes[group].addSlopes(slices, numbers, at, factor, slopes, means, squares);
        }
        for (int i = 0; i < slices.rows; i++) {
            means[i] /= draws;
        }
    }

    /** For units of several records and for parts of other sums; single records are the business of {@link DrawSummation}. */
    @Override
    public Worker worker() {
        return new RowByRow();
    }

    private final class RowByRow implements Worker {
        private final RowSlices slices = new RowSlices(columns, 1);
        private final double[] numbers = new double[stride()];
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
            for (int entry = 0; entry < slices.counts[0]; entry++) {
                pairs[2 * entry] = mean[0] * slices.values[slices.firsts[0] + entry];
                pairs[2 * entry + 1] = slopes[entry];
            }
            contribution.addColumns(0, 2, pairs);
        }
    }
}
