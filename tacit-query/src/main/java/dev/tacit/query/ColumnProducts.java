package dev.tacit.query;

/**
 * Products of columns, row by row: multiples of rows and of their squares, for many rows together.
 *
 * <pre>
 *   multiples    a_r x_rj
 *   squares      svec(a_r x_r x_rᵀ):  √2 a x_i x_j (j &lt; i),  a x_i²        line after line
 * </pre>
 *
 * What is written for a row depends on that row only, and has the bits of {@link Contribution#addRow} and {@link Contribution#addSquare}.
 */
public final class ColumnProducts {
    private static final double SQRT2 = Math.sqrt(2);

    private double[] factor = {};
    private double[] line = {};

    /** Writes a_r = factors_r scales_r times the first columns of x to those of the target from {@code at} on. */
    public void writeMultiples(
            double[] factors, double[] scales, int count, double[][] x, double[][] target, int at, int rows) {
        reserve(rows);
        multiply(factors, scales, factor, rows);
        for (int j = 0; j < count; j++) {
            multiply(factor, x[j], target[at + j], rows);
        }
    }

    /** Writes svec of a_r = factors_r scales_r times the squares of rows. */
    public void writeSquares(double[] factors, double[] scales, double[][] x, double[][] target, int at, int rows) {
        reserve(rows);
        multiply(factors, scales, factor, rows);
        int next = at;
        for (int i = 0; i < x.length; i++) {
            line(factor, x[i], line, rows);
            for (int j = 0; j < i; j++) {
                multiply(line, x[j], target[next++], rows);
            }
            multiply(factor, x[i], line, rows);
            multiply(line, x[i], target[next++], rows);
        }
    }

    private void reserve(int rows) {
        if (factor.length < rows) {
            factor = new double[rows];
            line = new double[rows];
        }
    }

    /** Every column times the rows' factors. */
    public static void multiply(double[] factors, double[][] x, double[][] target, int rows) {
        for (int j = 0; j < x.length; j++) {
            multiply(factors, x[j], target[j], rows);
        }
    }

    private static void line(double[] a, double[] b, double[] target, int rows) {
        for (int r = 0; r < rows; r++) {
            target[r] = SQRT2 * a[r] * b[r];
        }
    }

    /** a_r b_r. */
    static void multiply(double[] a, double[] b, double[] target, int rows) {
        for (int r = 0; r < rows; r++) {
            target[r] = a[r] * b[r];
        }
    }

    /** sum += x² of the columns {@code from} up to {@code to}. */
    public static void addSquares(double[][] x, int from, int to, double[] sum, int rows) {
        for (int j = from; j < to; j++) {
            addSquares(x[j], sum, rows);
        }
    }

    private static void addSquares(double[] column, double[] sum, int rows) {
        for (int r = 0; r < rows; r++) {
            sum[r] = sum[r] + column[r] * column[r];
        }
    }
}
