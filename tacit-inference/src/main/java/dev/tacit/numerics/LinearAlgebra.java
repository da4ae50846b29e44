package dev.tacit.numerics;

/**
 * Dense linear algebra on plain arrays: an m × n matrix A is {@code double[m * n]}, row after row, A_ij at {@code i * n
 * + j}.
 *
 * <p>Symmetric matrices are stored in full. Every method reads only as many numbers as the sizes say, so arrays may be
 * longer than needed, and writes only to the array that its description names. With β = 0 the old content of the result
 * is not read. On one machine the same call gives the same bits, whatever ran before it. Implementations hold no state
 * and may be shared between threads.
 */
public interface LinearAlgebra {
    /** What computes, for a report: for example {@code native BLAS, LAPACK} or {@code Java BLAS, EJML}. */
    String name();

    /**
     * Matrix times vector: y ← α A x + β y, or y ← α Aᵀ x + β y.
     *
     * @param transposed whether Aᵀ multiplies
     * @param rows of A as stored
     * @param columns of A as stored
     */
    void multiplyVector(
            boolean transposed, int rows, int columns, double alpha, double[] a, double[] x, double beta, double[] y);

    /**
     * Matrix times matrix: C ← α op(A) op(B) + β C, with op(A) m × k, op(B) k × n and C m × n.
     *
     * @param aTransposed whether A is stored as k × m and used transposed
     * @param bTransposed whether B is stored as n × k and used transposed
     */
    void multiply(
            boolean aTransposed,
            boolean bTransposed,
            int m,
            int n,
            int k,
            double alpha,
            double[] a,
            double[] b,
            double beta,
            double[] c);

    /** The Gram matrix of the rows of A: C ← α Aᵀ A + β C, with A rows × columns and C symmetric columns × columns. */
    void gram(int rows, int columns, double alpha, double[] a, double beta, double[] c);

    /**
     * Replaces a symmetric matrix by its lower Cholesky factor, A = L Lᵀ; only the lower triangle is read, zeros are
     * written above the diagonal.
     *
     * @return whether A is positive definite in floating point; if not, the content of {@code a} is of no use
     */
    boolean cholesky(int n, double[] a);

    /** Solves L Lᵀ X = B in place: B is n × {@code columns} and becomes X. */
    void solveCholesky(int n, double[] factor, int columns, double[] b);

    /** Solves L x = b in place, for one vector. */
    default void solveLower(int n, double[] factor, double[] b) {
        Triangular.solveLower(n, factor, b);
    }

    /** Solves Lᵀ x = b in place, for one vector. */
    default void solveLowerTransposed(int n, double[] factor, double[] b) {
        Triangular.solveLowerTransposed(n, factor, b);
    }

    /** Writes (L Lᵀ)⁻¹ as a full, exactly symmetric matrix. */
    void invertCholesky(int n, double[] factor, double[] inverse);

    /**
     * Replaces a symmetric positive definite matrix by its inverse.
     *
     * @return whether A is positive definite in floating point; if not, the content of {@code a} is of no use
     */
    default boolean invert(int n, double[] a) {
        double[] factor = java.util.Arrays.copyOf(a, n * n);
        if (!cholesky(n, factor)) {
            return false;
        }
        invertCholesky(n, factor, a);
        return true;
    }

    /** Eigenvalues and eigenvectors of a symmetric matrix, which is not changed; only the lower triangle is read. */
    SymmetricEigen eigen(int n, double[] a);

    /**
     * The implementation in use: Java, unless the program was started with
     * {@code -Ddev.ludovic.netlib.blas.allowNative=true} and {@code -Ddev.ludovic.netlib.lapack.allowNative=true} where
     * BLAS and LAPACK of the operating system are installed.
     *
     * <p>Native libraries are up to several times as fast on large matrices, but their last bits depend on where in memory an
     * array happens to lie. A run that is resumed would not end in the same bits. Nothing is printed. The choice is made
     * once.
     */
    static LinearAlgebra best() {
        return Netlib.BEST;
    }

    /** The pure Java implementation, which is everywhere. */
    static LinearAlgebra java() {
        return Netlib.JAVA;
    }
}
