package dev.tacit.numerics;

/** Triangular solves and the unblocked Cholesky factorisation, in loops over contiguous rows. */
final class Triangular {
    private Triangular() {}

    /** Σ_{t &lt; length} x[at + t] y[other + t], in four interleaved sums. */
    static double dot(double[] x, int at, double[] y, int other, int length) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int t = 0;
        for (; t + 3 < length; t += 4) {
            a += x[at + t] * y[other + t];
            b += x[at + t + 1] * y[other + t + 1];
            c += x[at + t + 2] * y[other + t + 2];
            d += x[at + t + 3] * y[other + t + 3];
        }
        for (; t < length; t++) {
            a += x[at + t] * y[other + t];
        }
        return (a + b) + (c + d);
    }

    static void solveLower(int n, double[] factor, double[] b) {
        for (int i = 0; i < n; i++) {
            b[i] = (b[i] - dot(factor, i * n, b, 0, i)) / factor[i * n + i];
        }
    }

    static void solveLowerTransposed(int n, double[] factor, double[] b) {
        for (int i = n - 1; i >= 0; i--) {
            double x = b[i] / factor[i * n + i];
            b[i] = x;
            int row = i * n;
            for (int j = 0; j < i; j++) {
                b[j] -= x * factor[row + j];
            }
        }
    }

    /**
     * Factors the diagonal block that starts at {@code (start, start)} and has {@code size} rows, taking columns from
     * {@code start} on as not yet reduced.
     */
    static boolean cholesky(int n, double[] a, int start, int size) {
        for (int i = start; i < start + size; i++) {
            int row = i * n + start;
            for (int j = start; j < i; j++) {
                int other = j * n + start;
                a[i * n + j] = (a[i * n + j] - dot(a, row, a, other, j - start)) / a[j * n + j];
            }
            double pivot = a[i * n + i] - dot(a, row, a, row, i - start);
            if (!(pivot > 0) || pivot == Double.POSITIVE_INFINITY) {
                return false;
            }
            a[i * n + i] = Math.sqrt(pivot);
        }
        return true;
    }

    /** Replaces the lower triangle of L by L⁻¹: row i is (e_i − Σ_{k&lt;i} L_ik (row k of L⁻¹)) / L_ii. */
    static void invertLower(int n, double[] factor) {
        double[] sum = new double[n];
        for (int i = 0; i < n; i++) {
            int row = i * n;
            java.util.Arrays.fill(sum, 0, i, 0);
            int k = 0;
            for (; k + 3 < i; k += 4) {
                int other = k * n;
                // rows k … k+3 have zeros behind their diagonals, so all four may be read up to column k+3
                addFour(sum, k + 4, factor, other, n, row + k);
            }
            for (; k < i; k++) {
                double scale = factor[row + k];
                int other = k * n;
                for (int j = 0; j <= k; j++) {
                    sum[j] += scale * factor[other + j];
                }
            }
            double pivot = 1 / factor[row + i];
            for (int j = 0; j < i; j++) {
                factor[row + j] = -pivot * sum[j];
            }
            factor[row + i] = pivot;
        }
    }

    private static void addFour(double[] sum, int length, double[] factor, int other, int n, int scales) {
        double a = factor[scales];
        double b = factor[scales + 1];
        double c = factor[scales + 2];
        double d = factor[scales + 3];
        for (int j = 0; j < length; j++) {
            sum[j] += (a * factor[other + j] + b * factor[other + n + j])
                    + (c * factor[other + 2 * n + j] + d * factor[other + 3 * n + j]);
        }
    }
}
