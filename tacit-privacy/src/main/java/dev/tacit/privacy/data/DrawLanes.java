package dev.tacit.privacy.data;

/**
 * The products of rows with up to {@value #LANES} points and directions of {@link ColumnDraws}, in as many local variables, so
 * that every number of a row is looked up once for all of them.
 *
 * <pre>
 *   z_k = Σ_j p_kj x_j,     Σ_k r_k,     h_j = x_j Σ_k d_kj r_k
 * </pre>
 *
 * Products are fused into sums ({@link Math#fma}): one instruction, and the same bits, on every processor that has it. What is
 * computed for a row depends on that row only.
 */
final class DrawLanes {
    static final int LANES = 10;

    /** Column after column, the draws of each side by side; missing ones are 0. */
    private final double[] points;

    private final double[] directions;

    /**
     * Draws {@code first} up to {@code first + }{@value #LANES}, as far as there are any.
     *
     * @param points of all draws, one after the other
     * @param directions of all draws
     */
    DrawLanes(int columns, double[] points, double[] directions, int first) {
        this.points = sideBySide(columns, points, first);
        this.directions = sideBySide(columns, directions, first);
    }

    private static double[] sideBySide(int columns, double[] numbers, int first) {
        double[] result = new double[Math.multiplyExact(LANES, columns)];
        int draws = Math.min(LANES, numbers.length / columns - first);
        for (int k = 0; k < draws; k++) {
            for (int j = 0; j < columns; j++) {
                result[j * LANES + k] = numbers[(first + k) * columns + j];
            }
        }
        return result;
    }

    /** Writes z_k of row i of n to {@code margins[at + k n + i]} and Σ x_j² to {@code rowSquares[i]}. */
    void toMargins(RowSlices slices, double[] margins, int at, double[] rowSquares) {
        double[] numbers = points;
        double[] values = slices.values;
        int[] indices = slices.indices;
        int n = slices.rows;
        for (int i = 0; i < n; i++) {
            int first = slices.firsts[i];
            int shift = slices.firstIndices[i] - first;
            int end = first + slices.counts[i];
            double z0 = 0;
            double z1 = 0;
            double z2 = 0;
            double z3 = 0;
            double z4 = 0;
            double z5 = 0;
            double z6 = 0;
            double z7 = 0;
            double z8 = 0;
            double z9 = 0;
            double squares = 0;
            for (int entry = first; entry < end; entry++) {
                double x = values[entry];
                int p = indices[shift + entry] * LANES;
                z0 = Math.fma(x, numbers[p], z0);
                z1 = Math.fma(x, numbers[p + 1], z1);
                z2 = Math.fma(x, numbers[p + 2], z2);
                z3 = Math.fma(x, numbers[p + 3], z3);
                z4 = Math.fma(x, numbers[p + 4], z4);
                z5 = Math.fma(x, numbers[p + 5], z5);
                z6 = Math.fma(x, numbers[p + 6], z6);
                z7 = Math.fma(x, numbers[p + 7], z7);
                z8 = Math.fma(x, numbers[p + 8], z8);
                z9 = Math.fma(x, numbers[p + 9], z9);
                squares = Math.fma(x, x, squares);
            }
            int to = at + i;
            margins[to] = z0;
            margins[to + n] = z1;
            margins[to + 2 * n] = z2;
            margins[to + 3 * n] = z3;
            margins[to + 4 * n] = z4;
            margins[to + 5 * n] = z5;
            margins[to + 6 * n] = z6;
            margins[to + 7 * n] = z7;
            margins[to + 8 * n] = z8;
            margins[to + 9 * n] = z9;
            rowSquares[i] = squares;
        }
    }

    /**
     * Adds Σ_k r_k of row i of n to {@code sums[i]} and h, entry after entry and row after row, to what is in {@code slopes}; Σ
     * h_j² of the result replaces {@code squares[i]}.
     *
     * @param residuals r_k at {@code at + k n + i}
     * @param factor on all r_k
     */
    void addSlopes(
            RowSlices slices,
            double[] residuals,
            int at,
            double factor,
            double[] slopes,
            double[] sums,
            double[] squares) {
        double[] numbers = directions;
        double[] values = slices.values;
        int[] indices = slices.indices;
        int n = slices.rows;
        int next = 0;
        for (int i = 0; i < n; i++) {
            int first = slices.firsts[i];
            int shift = slices.firstIndices[i] - first;
            int end = first + slices.counts[i];
            int from = at + i;
            double r0 = factor * residuals[from];
            double r1 = factor * residuals[from + n];
            double r2 = factor * residuals[from + 2 * n];
            double r3 = factor * residuals[from + 3 * n];
            double r4 = factor * residuals[from + 4 * n];
            double r5 = factor * residuals[from + 5 * n];
            double r6 = factor * residuals[from + 6 * n];
            double r7 = factor * residuals[from + 7 * n];
            double r8 = factor * residuals[from + 8 * n];
            double r9 = factor * residuals[from + 9 * n];
            sums[i] += ((r0 + r1) + (r2 + r3)) + ((r4 + r5) + (r6 + r7)) + (r8 + r9);
            double total = 0;
            for (int entry = first; entry < end; entry++) {
                int d = indices[shift + entry] * LANES;
                double left = r0 * numbers[d];
                double right = r5 * numbers[d + 5];
                left = Math.fma(r1, numbers[d + 1], left);
                right = Math.fma(r6, numbers[d + 6], right);
                left = Math.fma(r2, numbers[d + 2], left);
                right = Math.fma(r7, numbers[d + 7], right);
                left = Math.fma(r3, numbers[d + 3], left);
                right = Math.fma(r8, numbers[d + 8], right);
                left = Math.fma(r4, numbers[d + 4], left);
                right = Math.fma(r9, numbers[d + 9], right);
                double slope = Math.fma(values[entry], left + right, slopes[next]);
                slopes[next] = slope;
                next++;
                total = Math.fma(slope, slope, total);
            }
            squares[i] = total;
        }
    }
}
