package dev.tacit.numerics;

import dev.ludovic.netlib.blas.BLAS;

/** Products of row-major matrices by a BLAS for column-major ones, which sees every matrix transposed. */
final class Products {
    private Products() {}

    static void requireSize(double[] array, int rows, int columns) {
        if (rows < 0 || columns < 0 || array.length < (long) rows * columns) {
            throw new IllegalArgumentException("an array of " + array.length + " numbers is too short for a " + rows
                    + " x " + columns + " matrix");
        }
    }

    static void multiplyVector(
            BLAS blas,
            boolean transposed,
            int rows,
            int columns,
            double alpha,
            double[] a,
            double[] x,
            double beta,
            double[] y) {
        requireSize(a, rows, columns);
        requireSize(x, transposed ? rows : columns, 1);
        requireSize(y, transposed ? columns : rows, 1);
        if (rows == 0 || columns == 0) {
            scale(transposed ? columns : rows, beta, y);
            return;
        }
        blas.dgemv(transposed ? "N" : "T", columns, rows, alpha, a, columns, x, 1, beta, y, 1);
    }

    static void multiply(
            BLAS blas,
            boolean aTransposed,
            boolean bTransposed,
            int m,
            int n,
            int k,
            double alpha,
            double[] a,
            double[] b,
            double beta,
            double[] c) {
        requireSize(a, m, k);
        requireSize(b, k, n);
        requireSize(c, m, n);
        if (m == 0 || n == 0 || k == 0) {
            scale(m * n, beta, c);
            return;
        }
        // Cᵀ = op(B)ᵀ op(A)ᵀ
        blas.dgemm(
                bTransposed ? "T" : "N",
                aTransposed ? "T" : "N",
                n,
                m,
                k,
                alpha,
                b,
                bTransposed ? k : n,
                a,
                aTransposed ? m : k,
                beta,
                c,
                n);
    }

    static void gram(BLAS blas, int rows, int columns, double alpha, double[] a, double beta, double[] c) {
        requireSize(a, rows, columns);
        requireSize(c, columns, columns);
        if (rows == 0 || columns == 0) {
            scale(columns * columns, beta, c);
            return;
        }
        // the lower triangle of C is the upper one of Cᵀ
        blas.dsyrk("U", "N", columns, rows, alpha, a, columns, beta, c, columns);
        SymmetricMatrix.mirrorLower(columns, c);
    }

    private static void scale(int size, double beta, double[] c) {
        for (int i = 0; i < size; i++) {
            c[i] = beta == 0 ? 0 : beta * c[i];
        }
    }
}
