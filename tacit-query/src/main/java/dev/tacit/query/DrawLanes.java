package dev.tacit.query;

import java.io.Serializable;

/**
 * The products of rows with the centre and up to {@value #LANES} offsets and directions of {@link ColumnDraws}, in as many
 * local variables, so that every number of a row is looked up once for all of them.
 *
 * <pre>
 *   z_k, z′_k = Σ_j c_j x_j ± Σ_j o_kj x_j,     Σ_k (r_k + r′_k),     h_j = x_j Σ_k d_kj (r_k − r′_k)
 * </pre>
 *
 * Products are fused into sums ({@link Math#fma}): one instruction, and the same bits, on every processor that has it. What is
 * computed for a row depends on that row only.
 */
final class DrawLanes implements Serializable {
    private static final long serialVersionUID = 1;

    static final int LANES = 5;

    /** Numbers of a column: the centre, then the offsets side by side; missing ones are 0. */
    private static final int POINTS = LANES + 1;

    private final double[] points;

    /** Column after column, the directions side by side; missing ones are 0. */
    private final double[] directions;

    /**
     * Offsets {@code first} up to {@code first + }{@value #LANES}, as far as there are any.
     *
     * @param centre a number for each column
     * @param offsets of all draws, one after the other
     * @param directions of all draws
     */
    DrawLanes(double[] centre, double[] offsets, double[] directions, int first) {
        int columns = centre.length;
        int lanes = Math.min(LANES, offsets.length / columns - first);
        this.points = new double[Math.multiplyExact(POINTS, columns)];
        this.directions = new double[LANES * columns];
        for (int j = 0; j < columns; j++) {
            points[j * POINTS] = centre[j];
            for (int k = 0; k < lanes; k++) {
                points[j * POINTS + 1 + k] = offsets[(first + k) * columns + j];
                this.directions[j * LANES + k] = directions[(first + k) * columns + j];
            }
        }
    }

    /**
     * Writes z_k of row i of n to {@code margins[at + k n + i]}, z′_k to {@code mirrors[at + k n + i]} unless that is null, and
     * Σ x_j² to {@code rowSquares[i]}.
     */
    void toMargins(RowSlices slices, double[] margins, double[] mirrors, int at, double[] rowSquares) {
        double[] numbers = points;
        double[] values = slices.values;
        int[] indices = slices.indices;
        int n = slices.rows;
        for (int i = 0; i < n; i++) {
            int shift = slices.shift(i);
            int end = slices.starts[i + 1];
            double centre = 0;
            double z0 = 0;
            double z1 = 0;
            double z2 = 0;
            double z3 = 0;
            double z4 = 0;
            double squares = 0;
            for (int entry = slices.starts[i]; entry < end; entry++) {
                double x = values[entry];
                int p = indices[shift + entry] * POINTS;
                centre = Math.fma(x, numbers[p], centre);
                z0 = Math.fma(x, numbers[p + 1], z0);
                z1 = Math.fma(x, numbers[p + 2], z1);
                z2 = Math.fma(x, numbers[p + 3], z2);
                z3 = Math.fma(x, numbers[p + 4], z3);
                z4 = Math.fma(x, numbers[p + 5], z4);
                squares = Math.fma(x, x, squares);
            }
            int to = at + i;
            margins[to] = centre + z0;
            margins[to + n] = centre + z1;
            margins[to + 2 * n] = centre + z2;
            margins[to + 3 * n] = centre + z3;
            margins[to + 4 * n] = centre + z4;
            if (mirrors != null) {
                mirrors[to] = centre - z0;
                mirrors[to + n] = centre - z1;
                mirrors[to + 2 * n] = centre - z2;
                mirrors[to + 3 * n] = centre - z3;
                mirrors[to + 4 * n] = centre - z4;
            }
            rowSquares[i] = squares;
        }
    }

    /**
     * Writes Σ_k (r_k + r′_k) of row i of n to {@code sums[i]} and h, entry after entry and row after row, to {@code slopes}, or
     * adds them to what is there; Σ h_j² of the result goes to {@code squares[i]}.
     *
     * @param residuals r_k at {@code at + k n + i}
     * @param mirrors r′_k, or null for 0
     * @param factor on all r_k
     * @param more whether to add
     */
    void addSlopes(
            RowSlices slices,
            double[] residuals,
            double[] mirrors,
            int at,
            double factor,
            boolean more,
            double[] slopes,
            double[] sums,
            double[] squares) {
        double[] numbers = directions;
        double[] values = slices.values;
        int[] indices = slices.indices;
        int n = slices.rows;
        int next = 0;
        for (int i = 0; i < n; i++) {
            int shift = slices.shift(i);
            int end = slices.starts[i + 1];
            int from = at + i;
            double r0 = factor * residuals[from];
            double r1 = factor * residuals[from + n];
            double r2 = factor * residuals[from + 2 * n];
            double r3 = factor * residuals[from + 3 * n];
            double r4 = factor * residuals[from + 4 * n];
            double sum = ((r0 + r1) + (r2 + r3)) + r4;
            if (mirrors != null) {
                double s0 = factor * mirrors[from];
                double s1 = factor * mirrors[from + n];
                double s2 = factor * mirrors[from + 2 * n];
                double s3 = factor * mirrors[from + 3 * n];
                double s4 = factor * mirrors[from + 4 * n];
                sum += ((s0 + s1) + (s2 + s3)) + s4;
                r0 -= s0;
                r1 -= s1;
                r2 -= s2;
                r3 -= s3;
                r4 -= s4;
            }
            sums[i] = more ? sums[i] + sum : sum;
            double total = 0;
            for (int entry = slices.starts[i]; entry < end; entry++) {
                int d = indices[shift + entry] * LANES;
                double left = r0 * numbers[d];
                double right = r3 * numbers[d + 3];
                left = Math.fma(r1, numbers[d + 1], left);
                right = Math.fma(r4, numbers[d + 4], right);
                left = Math.fma(r2, numbers[d + 2], left);
                double slope = values[entry] * (left + right);
                if (more) {
                    slope += slopes[next];
                }
                slopes[next] = slope;
                next++;
                total = Math.fma(slope, slope, total);
            }
            squares[i] = total;
        }
    }
}
