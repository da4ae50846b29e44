package dev.tacit.numerics;

/**
 * The eigen-decomposition A = Σ_k λ_k v_k v_kᵀ of a symmetric matrix.
 *
 * <pre>
 *   values[k] = λ_k, ascending        vectors[k n + i] = (v_k)_i: eigenvectors are the rows, of length 1
 * </pre>
 *
 * The sign of an eigenvector is fixed: its entry of largest magnitude (the first of them) is positive.
 */
public final class SymmetricEigen {
    private final double[] values;
    private final double[] vectors;

    SymmetricEigen(double[] values, double[] vectors) {
        this.values = values;
        this.vectors = vectors;
    }

    /** The eigenvalues, ascending. */
    public double[] values() {
        return values.clone();
    }

    /** The eigenvectors, one in each row of an n × n matrix. */
    public double[] vectors() {
        return vectors.clone();
    }

    /** How many eigenvalues there are. */
    public int size() {
        return values.length;
    }

    /** The matrix Σ_k weights[k] v_k v_kᵀ, exactly symmetric: with the eigenvalues as weights, A itself. */
    public double[] weighted(double[] weights) {
        int n = size();
        double[] scaled = new double[n * n];
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                scaled[k * n + i] = weights[k] * vectors[k * n + i];
            }
        }
        double[] matrix = new double[n * n];
        LinearAlgebra.best().multiply(true, false, n, n, n, 1, vectors, scaled, 0, matrix);
        SymmetricMatrix.mirrorLower(n, matrix);
        return matrix;
    }

    /** Turns each eigenvector so that its entry of largest magnitude is positive. */
    static void fixSigns(int n, double[] vectors) {
        for (int k = 0; k < n; k++) {
            int largest = k * n;
            for (int i = k * n; i < (k + 1) * n; i++) {
                if (Math.abs(vectors[i]) > Math.abs(vectors[largest])) {
                    largest = i;
                }
            }
            if (vectors[largest] < 0) {
                for (int i = k * n; i < (k + 1) * n; i++) {
                    vectors[i] = -vectors[i];
                }
            }
        }
    }
}
