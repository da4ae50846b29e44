package dev.tacit.numerics;

import dev.ludovic.netlib.blas.BLAS;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Java only: netlib's Java BLAS for products, EJML for eigenvectors, a blocked Cholesky factorisation on top of the
 * products.
 */
final class JavaLinearAlgebra implements LinearAlgebra {
    private static final int BLOCK = 48;

    private final BLAS blas;

    JavaLinearAlgebra(BLAS blas) {
        this.blas = blas;
    }

    @Override
    public String name() {
        return "Java BLAS (" + blas.getClass().getSimpleName() + "), EJML";
    }

    @Override
    public void multiplyVector(
            boolean transposed, int rows, int columns, double alpha, double[] a, double[] x, double beta, double[] y) {
        Products.multiplyVector(blas, transposed, rows, columns, alpha, a, x, beta, y);
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
        Products.multiply(blas, aTransposed, bTransposed, m, n, k, alpha, a, b, beta, c);
    }

    @Override
    public void gram(int rows, int columns, double alpha, double[] a, double beta, double[] c) {
        Products.requireSize(a, rows, columns);
        Products.requireSize(c, columns, columns);
        if (rows == 0 || columns == 0) {
            Products.gram(blas, rows, columns, alpha, a, beta, c);
        } else {
            gram(rows, columns, alpha, a, false, beta, c);
        }
    }

    /**
     * The lower triangle in blocks of rows, each by one product, which is about twice as fast as netlib's Java
     * {@code dsyrk} for 100 columns.
     *
     * @param triangular whether A is lower triangular, so that the rows above a block have zeros there
     */
    private void gram(int rows, int columns, double alpha, double[] a, boolean triangular, double beta, double[] c) {
        for (int start = 0; start < columns; start += BLOCK) {
            int size = Math.min(BLOCK, columns - start);
            int skip = triangular ? start : 0;
            int from = skip * columns;
            int width = start + size;
            blas.dgemm(
                    "N",
                    "T",
                    width,
                    size,
                    rows - skip,
                    alpha,
                    a,
                    from,
                    columns,
                    a,
                    from + start,
                    columns,
                    beta,
                    c,
                    start * columns,
                    columns);
        }
        SymmetricMatrix.mirrorLower(columns, c);
    }

    /** Right-looking in blocks of rows: factor the diagonal block, solve the panel below it, subtract its square. */
    @Override
    public boolean cholesky(int n, double[] a) {
        Products.requireSize(a, n, n);
        for (int start = 0; start < n; start += BLOCK) {
            int size = Math.min(BLOCK, n - start);
            if (!Triangular.cholesky(n, a, start, size)) {
                return false;
            }
            int next = start + size;
            for (int i = next; i < n; i++) {
                for (int j = start; j < next; j++) {
                    double reduced = a[i * n + j] - Triangular.dot(a, i * n + start, a, j * n + start, j - start);
                    a[i * n + j] = reduced / a[j * n + j];
                }
            }
            for (int from = next; from < n; from += BLOCK) {
                // rows from.. to.. of the trailing lower triangle, up to the end of their diagonal block
                int rows = Math.min(BLOCK, n - from);
                int columns = from + rows - next;
                blas.dgemm(
                        "T",
                        "N",
                        columns,
                        rows,
                        size,
                        -1,
                        a,
                        next * n + start,
                        n,
                        a,
                        from * n + start,
                        n,
                        1,
                        a,
                        from * n + next,
                        n);
            }
        }
        clearUpper(n, a);
        return true;
    }

    @Override
    public void solveCholesky(int n, double[] factor, int columns, double[] b) {
        Products.requireSize(factor, n, n);
        Products.requireSize(b, n, columns);
        if (columns == 1) {
            Triangular.solveLower(n, factor, b);
            Triangular.solveLowerTransposed(n, factor, b);
            return;
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                subtractRow(columns, factor[i * n + k], b, k, i);
            }
            divideRow(columns, factor[i * n + i], b, i);
        }
        for (int i = n - 1; i >= 0; i--) {
            divideRow(columns, factor[i * n + i], b, i);
            for (int k = 0; k < i; k++) {
                subtractRow(columns, factor[i * n + k], b, i, k);
            }
        }
    }

    private static void subtractRow(int columns, double scale, double[] b, int from, int to) {
        int source = from * columns;
        int target = to * columns;
        for (int j = 0; j < columns; j++) {
            b[target + j] -= scale * b[source + j];
        }
    }

    private static void divideRow(int columns, double divisor, double[] b, int row) {
        for (int j = row * columns; j < (row + 1) * columns; j++) {
            b[j] /= divisor;
        }
    }

    @Override
    public void invertCholesky(int n, double[] factor, double[] inverse) {
        Products.requireSize(factor, n, n);
        Products.requireSize(inverse, n, n);
        double[] lower = Arrays.copyOf(factor, n * n);
        clearUpper(n, lower);
        Triangular.invertLower(n, lower);
        gram(n, n, 1, lower, true, 0, inverse);
    }

    private static void clearUpper(int n, double[] matrix) {
        for (int i = 0; i < n; i++) {
            Arrays.fill(matrix, i * n + i + 1, (i + 1) * n, 0);
        }
    }

    @Override
    public SymmetricEigen eigen(int n, double[] a) {
        Products.requireSize(a, n, n);
        DMatrixRMaj matrix = new DMatrixRMaj(n, n, true, Arrays.copyOf(a, n * n));
        SymmetricMatrix.mirrorLower(n, matrix.data);
        EigenDecomposition_F64<DMatrixRMaj> decomposition = DecompositionFactory_DDRM.eig(n, true, true);
        if (!decomposition.decompose(matrix)) {
            throw new ArithmeticException("the eigenvalues of a symmetric matrix do not converge");
        }
        Integer[] order = new Integer[n];
        double[] unsorted = new double[n];
        for (int k = 0; k < n; k++) {
            order[k] = k;
            unsorted[k] = decomposition.getEigenvalue(k).getReal();
        }
        Arrays.sort(order, (k, l) -> Double.compare(unsorted[k], unsorted[l]));
        double[] values = new double[n];
        double[] vectors = new double[n * n];
        for (int k = 0; k < n; k++) {
            values[k] = unsorted[order[k]];
            System.arraycopy(decomposition.getEigenVector(order[k]).data, 0, vectors, k * n, n);
        }
        SymmetricEigen.fixSigns(n, vectors);
        return new SymmetricEigen(values, vectors);
    }
}
