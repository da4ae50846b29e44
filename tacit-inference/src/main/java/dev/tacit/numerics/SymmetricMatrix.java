package dev.tacit.numerics;

import java.util.Arrays;

/**
 * Symmetric n × n matrices, stored in full, and as vectors of the same length:
 *
 * <pre>
 *   svec(A)_{j(j+3)/2} = A_jj        svec(A)_{i(i+1)/2+j} = √2 A_ij,  i &gt; j        ⟨A, B⟩ = svec(A)ᵀ svec(B)
 * </pre>
 *
 * This is the order in which {@link dev.tacit.query.Contribution#addSquare} adds the square of a record.
 */
public final class SymmetricMatrix {
    private static final double SQRT2 = Math.sqrt(2);

    private SymmetricMatrix() {}

    /** The length of svec(A). */
    public static int vectorSize(int n) {
        return Math.multiplyExact(n, n + 1) / 2;
    }

    /** Where svec has the entry of row i and column j. */
    public static int vectorIndex(int i, int j) {
        return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
    }

    /** Writes svec(A) to {@code vector[offset ..]}; only the lower triangle of A is read. */
    public static void toVector(int n, double[] matrix, double[] vector, int offset) {
        int next = offset;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                vector[next++] = SQRT2 * matrix[i * n + j];
            }
            vector[next++] = matrix[i * n + i];
        }
    }

    /** svec(A); only the lower triangle of A is read. */
    public static double[] toVector(int n, double[] matrix) {
        double[] vector = new double[vectorSize(n)];
        toVector(n, matrix, vector, 0);
        return vector;
    }

    /** The matrix A with svec(A) = {@code vector[offset ..]}. */
    public static double[] fromVector(int n, double[] vector, int offset) {
        double[] matrix = new double[n * n];
        int next = offset;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                double entry = vector[next++] / SQRT2;
                matrix[i * n + j] = entry;
                matrix[j * n + i] = entry;
            }
            matrix[i * n + i] = vector[next++];
        }
        return matrix;
    }

    /** The identity times a number. */
    public static double[] scaledIdentity(int n, double scale) {
        double[] matrix = new double[n * n];
        for (int i = 0; i < n; i++) {
            matrix[i * n + i] = scale;
        }
        return matrix;
    }

    /** Copies the lower triangle onto the upper one. */
    public static void mirrorLower(int n, double[] matrix) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                matrix[j * n + i] = matrix[i * n + j];
            }
        }
    }

    /** Replaces A by (A + Aᵀ)/2. */
    public static void symmetrise(int n, double[] matrix) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                double entry = 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
                matrix[i * n + j] = entry;
                matrix[j * n + i] = entry;
            }
        }
    }

    /** Whether the matrix equals its transpose exactly and has only finite entries. */
    public static boolean isSymmetricAndFinite(int n, double[] matrix) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double entry = matrix[i * n + j];
                if (!Double.isFinite(entry) || entry != matrix[j * n + i]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** xᵀ A x; only the lower triangle of A is read. */
    public static double quadraticForm(int n, double[] matrix, double[] x) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double row = 0;
            for (int j = 0; j < i; j++) {
                row += matrix[i * n + j] * x[j];
            }
            sum += x[i] * (2 * row + matrix[i * n + i] * x[i]);
        }
        return sum;
    }

    /** The trace of A B, for symmetric A and B. */
    public static double traceOfProduct(int n, double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                sum += 2 * a[i * n + j] * b[i * n + j];
            }
            sum += a[i * n + i] * b[i * n + i];
        }
        return sum;
    }

    /** log det(L Lᵀ) = 2 Σ log L_ii of a Cholesky factor. */
    public static double logDeterminantOfCholesky(int n, double[] factor) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += Math.log(factor[i * n + i]);
        }
        return 2 * sum;
    }

    /** log det A, or NaN if A is not positive definite in floating point. */
    public static double logDeterminant(int n, double[] matrix) {
        double[] factor = Arrays.copyOf(matrix, n * n);
        return LinearAlgebra.best().cholesky(n, factor) ? logDeterminantOfCholesky(n, factor) : Double.NaN;
    }

    /**
     * The nearest symmetric matrix, in Frobenius norm, with no eigenvalue below a floor: Σ_k max(λ_k, floor) v_k v_kᵀ
     * (Higham 1988, theorem 2.1).
     *
     * <p>If A is above the floor already, the result is a copy of A, bit for bit, found by one Cholesky factorisation
     * of A − floor I and without any eigen-decomposition.
     */
    public static double[] withEigenvaluesAtLeast(double floor, int n, double[] matrix) {
        double[] shifted = Arrays.copyOf(matrix, n * n);
        for (int i = 0; i < n; i++) {
            shifted[i * n + i] -= floor;
        }
        if (LinearAlgebra.best().cholesky(n, shifted)) {
            return Arrays.copyOf(matrix, n * n);
        }
        SymmetricEigen eigen = LinearAlgebra.best().eigen(n, matrix);
        double[] raised = eigen.values();
        for (int k = 0; k < n; k++) {
            raised[k] = Math.max(raised[k], floor);
        }
        return eigen.weighted(raised);
    }

    /**
     * Raises variances that are more than 10^12 times smaller than the largest, in place, so that a matrix with these
     * eigenvalues is positive definite in floating point.
     */
    public static void raiseNegligible(double[] variances) {
        double largest = 0;
        for (double variance : variances) {
            largest = Math.max(largest, variance);
        }
        for (int i = 0; i < variances.length; i++) {
            variances[i] = Math.max(variances[i], 1e-12 * largest);
        }
    }
}
