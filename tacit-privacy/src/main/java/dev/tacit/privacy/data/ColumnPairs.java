package dev.tacit.privacy.data;

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
public final class ColumnPairs implements RecordSum {
    /** The functions a and b. */
    @FunctionalInterface
    public interface Scales {
        /**
         * Replaces {@code sums[row]} by a and {@code squareSums[row]} by b for every row of a block. What is computed for
         * a row must depend on that row only, to the last bit.
         */
        void replace(RecordBlock block, double[] sums, double[] squareSums);
    }

    /** Numbers of a column: m, k, w, and one that is not used. */
    static final int STRIDE = 4;

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
    public Worker worker() {
        return new RowByRow();
    }

    private final class RowByRow implements Worker {
        private final double[] pairs = new double[2 * columns];
        private double[] sums = {};
        private double[] squareSums = {};

        @Override
        public void prepare(RecordBlock block) {
            if (sums.length < block.rows()) {
                sums = new double[block.rows()];
                squareSums = new double[block.rows()];
            }
            for (int row = 0; row < block.rows(); row++) {
                sums[row] = 0;
                squareSums[row] = 0;
                int entries = entries(block, row);
                for (int entry = 0; entry < entries; entry++) {
                    int at = STRIDE * column(block, row, entry);
                    double number = number(block, row, entry);
                    sums[row] += number * numbers[at];
                    squareSums[row] += number * number * numbers[at + 1];
                }
            }
            scales.replace(block, sums, squareSums);
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            int entries = entries(block, row);
            for (int entry = 0; entry < entries; entry++) {
                double number = number(block, row, entry);
                double weight = numbers[STRIDE * column(block, row, entry) + 2];
                pairs[2 * entry] = sums[row] * number;
                pairs[2 * entry + 1] = squareSums[row] * (weight * (number * number));
            }
            contribution.addColumns(0, 2, pairs);
        }
    }

    static int entries(RecordBlock block, int row) {
        return block instanceof SparseBlock sparse ? sparse.end(row) - sparse.start(row) : block.columns();
    }

    static int column(RecordBlock block, int row, int entry) {
        return block instanceof SparseBlock sparse ? sparse.columnIndices()[sparse.start(row) + entry] : entry;
    }

    static double number(RecordBlock block, int row, int entry) {
        return block instanceof SparseBlock sparse
                ? sparse.values()[sparse.start(row) + entry]
                : ((DenseBlock) block).values()[((DenseBlock) block).start(row) + entry];
    }
}
