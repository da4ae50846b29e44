package dev.tacit.numerics;

import java.util.function.DoubleUnaryOperator;

/** Small dense matrices as plain arrays, row after row. */
public final class Matrices {
    private static final LinearAlgebra ALGEBRA = LinearAlgebra.best();

    private Matrices() {}

    public static double[] product(int n, double[] a, double[] b) {
        double[] c = new double[n * n];
        ALGEBRA.multiply(false, false, n, n, n, 1, a, b, 0, c);
        return c;
    }

    /** A B A for symmetric A and B, exactly symmetric. */
    public static double[] congruent(int n, double[] a, double[] b) {
        double[] c = product(n, product(n, a, b), a);
        SymmetricMatrix.symmetrise(n, c);
        return c;
    }

    /** A B Aᵀ, exactly symmetric. */
    public static double[] mapped(int n, double[] a, double[] b) {
        double[] c = new double[n * n];
        ALGEBRA.multiply(false, true, n, n, n, 1, product(n, a, b), a, 0, c);
        SymmetricMatrix.symmetrise(n, c);
        return c;
    }

    public static double[] times(int n, double[] a, double[] x) {
        double[] y = new double[n];
        ALGEBRA.multiplyVector(false, n, n, 1, a, x, 0, y);
        return y;
    }

    /**
     * The inverse of a positive definite matrix; what rounding made indefinite is lifted by a trace of its diagonal, what
     * noise made so by its eigenvalues: whatever was released, there is an inverse.
     */
    public static double[] inverse(int n, double[] a) {
        double lift = 0;
        for (int attempt = 0; attempt < 8; attempt++) {
            double[] copy = a.clone();
            SymmetricMatrix.symmetrise(n, copy);
            for (int i = 0; i < n; i++) {
                copy[i * n + i] += lift * Math.abs(a[i * n + i]) + (lift > 0 ? Double.MIN_NORMAL : 0);
            }
            if (ALGEBRA.invert(n, copy) && SymmetricMatrix.isSymmetricAndFinite(n, copy)) {
                return copy;
            }
            lift = lift == 0 ? 1e-13 : lift * 30;
        }
        return flooredInverse(n, a);
    }

    /** The inverse by eigenvalues of the matrix with a unit diagonal, none of them below a rounding error of the largest. */
    private static double[] flooredInverse(int n, double[] a) {
        double[] scale = new double[n];
        double[] unit = new double[n * n];
        for (int i = 0; i < n; i++) {
            double own = Math.abs(a[i * n + i]);
            scale[i] = own > 0 && Double.isFinite(own) ? 1 / Math.sqrt(own) : 1;
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double entry = a[i * n + j] * scale[i] * scale[j];
                unit[i * n + j] = Double.isFinite(entry) ? clamp(entry, -1, 1) : i == j ? 1 : 0;
            }
        }
        double[] inverse = function(eigen(n, unit), value -> 1 / Math.max(value, 1e-12));
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                inverse[i * n + j] *= scale[i] * scale[j];
            }
        }
        return inverse;
    }

    public static SymmetricEigen eigen(int n, double[] a) {
        double[] copy = a.clone();
        SymmetricMatrix.symmetrise(n, copy);
        return ALGEBRA.eigen(n, copy);
    }

    /** Σ f(λ_k) v_k v_kᵀ. */
    public static double[] function(SymmetricEigen eigen, DoubleUnaryOperator f) {
        double[] values = eigen.values();
        for (int k = 0; k < values.length; k++) {
            values[k] = f.applyAsDouble(values[k]);
        }
        return eigen.weighted(values);
    }

    /** Σ_r weights_r x_r x_rᵀ over the rows of a matrix, weights not negative. */
    public static double[] weightedGram(int rows, int n, double[] x, double[] weights, double factor) {
        double[] scaled = new double[rows * n];
        for (int r = 0; r < rows; r++) {
            double root = Math.sqrt(weights[r]);
            int at = r * n;
            for (int j = 0; j < n; j++) {
                scaled[at + j] = root * x[at + j];
            }
        }
        double[] gram = new double[n * n];
        ALGEBRA.gram(rows, n, factor, scaled, 0, gram);
        return gram;
    }

    /** X θ. */
    public static double[] predictors(int rows, int n, double[] x, double[] theta) {
        double[] eta = new double[rows];
        ALGEBRA.multiplyVector(false, rows, n, 1, x, theta, 0, eta);
        return eta;
    }

    /** Xᵀ r. */
    public static double[] transposedTimes(int rows, int n, double[] x, double[] r) {
        double[] sum = new double[n];
        ALGEBRA.multiplyVector(true, rows, n, 1, x, r, 0, sum);
        return sum;
    }

    /** The leading block of a square matrix. */
    public static double[] leading(int n, double[] a, int size) {
        if (size == n) {
            return a;
        }
        double[] block = new double[size * size];
        for (int i = 0; i < size; i++) {
            System.arraycopy(a, i * n, block, i * size, size);
        }
        return block;
    }

    public static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** xᵀ A x. */
    public static double form(int n, double[] a, double[] x) {
        return dot(x, times(n, a, x));
    }

    public static double trace(int n, double[] a) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += a[i * n + i];
        }
        return sum;
    }

    public static double[] minus(double[] a, double[] b) {
        double[] c = new double[a.length];
        for (int i = 0; i < c.length; i++) {
            c[i] = a[i] - b[i];
        }
        return c;
    }

    /** a + factor b. */
    public static double[] plus(double[] a, double factor, double[] b) {
        double[] c = new double[a.length];
        for (int i = 0; i < c.length; i++) {
            c[i] = a[i] + factor * b[i];
        }
        return c;
    }

    public static double[] identity(int n) {
        double[] ones = new double[n];
        java.util.Arrays.fill(ones, 1);
        return diagonal(ones);
    }

    /** Multiplies {@code count} numbers in place. */
    public static void scale(double factor, double[] a, int from, int count) {
        for (int i = from; i < from + count; i++) {
            a[i] *= factor;
        }
    }

    public static double[] diagonal(double[] entries) {
        int n = entries.length;
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            a[i * n + i] = entries[i];
        }
        return a;
    }

    /** An n × n matrix in the corner of a larger identity. */
    public static double[] padded(int n, double[] a, int larger) {
        double[] result = new double[larger * larger];
        for (int i = 0; i < larger; i++) {
            for (int j = 0; j < larger; j++) {
                result[i * larger + j] = i < n && j < n ? a[i * n + j] : i == j ? 1 : 0;
            }
        }
        return result;
    }

    public static double clamp(double value, double low, double high) {
        return Math.max(low, Math.min(high, value));
    }
}
