package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.Summand;
import java.io.Serializable;
import java.util.Objects;

/**
 * A sum to which a record adds a multiple of itself and a multiple of its weighted square, column by column.
 *
 * <pre>
 *   s = Σ_j m_j x_j,   q = Σ_j k_j x_j²;     a and b: any functions of s, q, the label and the weight of the record
 *   coordinate 2j: a x_j        coordinate 2j+1: b w_j x_j²
 * </pre>
 *
 * Gradients of Gaussians on the weights of a regression have this form. It is a class of its own because the door can then
 * look at many records in a few short loops: a query hands over m, k, w and the functions, and sees no contribution at all.
 */
public final class ColumnPairs implements ContributionSum {
    /** The functions a and b. */
    @FunctionalInterface
    public interface Scales extends Serializable {
        /**
         * Replaces {@code sums[row]} by a and {@code squareSums[row]} by b for every row of a block. What is computed for
         * a row must depend on that row only, to the last bit.
         */
        void replace(RecordBlock block, double[] sums, double[] squareSums);
    }

    /** Numbers of a column: m, k, w, and one that is not used. */
    static final int STRIDE = 4;

    private static final long serialVersionUID = 1;

    private final int columns;
    private final double[] numbers;
    private final Scales scales;

    /**
     * @param sumWeights m
     * @param squareWeights k
     * @param weights w
     */
    public ColumnPairs(double[] sumWeights, double[] squareWeights, double[] weights, Scales scales) {
        this.columns = sumWeights.length;
        this.scales = Objects.requireNonNull(scales, "scales");
        if (squareWeights.length != columns || weights.length != columns) {
            throw new IllegalArgumentException("there are as many weights of each kind as columns");
        }
        this.numbers = new double[STRIDE * columns];
        for (int j = 0; j < columns; j++) {
            numbers[STRIDE * j] = sumWeights[j];
            numbers[STRIDE * j + 1] = squareWeights[j];
            numbers[STRIDE * j + 2] = weights[j];
        }
    }

    @Override
    public int dimension() {
        return 2 * columns;
    }

    double[] numbers() {
        return numbers;
    }

    Scales scales() {
        return scales;
    }

    /** For units of several records; single ones are the business of {@link PairSummation}. */
    @Override
    public Summand summand(SumGrid grid) {
        return new PairSummation(this, grid);
    }

    @Override
    public Worker worker() {
        return new RowByRow();
    }

    /** Σ m_j x_j and Σ k_j x_j² of each row, and Σ x_j² and Σ (w_j x_j²)². */
    void measure(RowSlices slices, double[] sums, double[] squareSums, double[] rowSquares, double[] squareSquares) {
        double[] weights = numbers;
        double[] values = slices.values;
        int[] indices = slices.indices;
        for (int i = 0; i < slices.rows; i++) {
            int shift = slices.shift(i);
            int end = slices.starts[i + 1];
            double sum = 0;
            double squareSum = 0;
            double squares = 0;
            double otherSquares = 0;
            for (int entry = slices.starts[i]; entry < end; entry++) {
                double number = values[entry];
                int at = STRIDE * indices[shift + entry];
                double square = number * number;
                double weighted = weights[at + 2] * square;
                sum += number * weights[at];
                squareSum += square * weights[at + 1];
                squares += square;
                otherSquares += weighted * weighted;
            }
            sums[i] = sum;
            squareSums[i] = squareSum;
            rowSquares[i] = squares;
            squareSquares[i] = otherSquares;
        }
    }

    private final class RowByRow implements Worker {
        private final RowSlices slices = new RowSlices(columns, 1);
        private final double[] pairs = new double[2 * columns];
        private final double[] sum = new double[1];
        private final double[] squareSum = new double[1];
        private final double[] squares = new double[1];
        private final double[] otherSquares = new double[1];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            slices.take(block, row, row + 1);
            measure(slices, sum, squareSum, squares, otherSquares);
            scales.replace(block.part(row, row + 1), sum, squareSum);
            int start = slices.starts[0];
            int shift = slices.shift(0);
            for (int entry = 0; entry < slices.entries(); entry++) {
                double number = slices.values[start + entry];
                double weight = numbers[STRIDE * slices.indices[start + shift + entry] + 2];
                pairs[2 * entry] = sum[0] * number;
                pairs[2 * entry + 1] = squareSum[0] * (weight * (number * number));
            }
            contribution.addColumns(0, 2, pairs);
        }
    }
}
