package dev.tacit.numerics;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.util.Arrays;
import org.netlib.util.intW;

/** BLAS and LAPACK of the operating system for large matrices; small ones stay in Java, where no call is as cheap. */
final class NativeLinearAlgebra implements LinearAlgebra {
    private static final int SMALL = 50;
    private static final long FEW_PRODUCTS = 20_000;

    private final BLAS blas;
    private final LAPACK lapack;
    private final LinearAlgebra java;

    NativeLinearAlgebra(BLAS blas, LAPACK lapack, LinearAlgebra java) {
        this.blas = blas;
        this.lapack = lapack;
        this.java = java;
    }

    @Override
    public String name() {
        return "native BLAS and LAPACK";
    }

    @Override
    public void multiplyVector(
            boolean transposed, int rows, int columns, double alpha, double[] a, double[] x, double beta, double[] y) {
        if ((long) rows * columns < FEW_PRODUCTS) {
            java.multiplyVector(transposed, rows, columns, alpha, a, x, beta, y);
        } else {
            Products.multiplyVector(blas, transposed, rows, columns, alpha, a, x, beta, y);
        }
    }

    @Override
    public void multiply(
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
        if ((long) m * n * k < FEW_PRODUCTS) {
            java.multiply(aTransposed, bTransposed, m, n, k, alpha, a, b, beta, c);
        } else {
            Products.multiply(blas, aTransposed, bTransposed, m, n, k, alpha, a, b, beta, c);
        }
    }

    @Override
    public void gram(int rows, int columns, double alpha, double[] a, double beta, double[] c) {
        if ((long) rows * columns * columns < FEW_PRODUCTS) {
            java.gram(rows, columns, alpha, a, beta, c);
        } else {
            Products.gram(blas, rows, columns, alpha, a, beta, c);
        }
    }

    @Override
    public boolean cholesky(int n, double[] a) {
        if (n <= SMALL) {
            return java.cholesky(n, a);
        }
        Products.requireSize(a, n, n);
        intW failed = new intW(0);
        lapack.dpotrf("U", n, a, n, failed);
        if (failed.val != 0) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (!(a[i * n + i] < Double.POSITIVE_INFINITY)) {
                return false;
            }
            Arrays.fill(a, i * n + i + 1, (i + 1) * n, 0);
        }
        return true;
    }

    @Override
    public void solveCholesky(int n, double[] factor, int columns, double[] b) {
        java.solveCholesky(n, factor, columns, b);
    }

    @Override
    public void invertCholesky(int n, double[] factor, double[] inverse) {
        if (n <= SMALL) {
            java.invertCholesky(n, factor, inverse);
            return;
        }
        Products.requireSize(factor, n, n);
        Products.requireSize(inverse, n, n);
        System.arraycopy(factor, 0, inverse, 0, n * n);
        intW failed = new intW(0);
        lapack.dpotri("U", n, inverse, n, failed);
        if (failed.val != 0) {
            throw new IllegalArgumentException("a Cholesky factor has a zero on its diagonal");
        }
        SymmetricMatrix.mirrorLower(n, inverse);
    }

    @Override
    public SymmetricEigen eigen(int n, double[] a) {
        if (n <= SMALL) {
            return java.eigen(n, a);
        }
        Products.requireSize(a, n, n);
        double[] vectors = Arrays.copyOf(a, n * n);
        double[] values = new double[n];
        intW failed = new intW(0);
        double[] size = new double[1];
        int[] integerSize = new int[1];
        lapack.dsyevd("V", "U", n, vectors, n, values, size, -1, integerSize, -1, failed);
        double[] work = new double[(int) size[0]];
        int[] integerWork = new int[integerSize[0]];
        lapack.dsyevd("V", "U", n, vectors, n, values, work, work.length, integerWork, integerWork.length, failed);
        if (failed.val != 0) {
            throw new ArithmeticException("the eigenvalues of a symmetric matrix do not converge");
        }
        SymmetricEigen.fixSigns(n, vectors);
        return new SymmetricEigen(values, vectors);
    }
}
