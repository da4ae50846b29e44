package dev.tacit.model;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SymmetricMatrix;
import java.util.Arrays;

/**
 * The shape of a Gaussian over parameters that fall into independent blocks of one size: J components of D columns, one
 * block of all weights, or blocks of size 1 for independent parameters.
 *
 * <pre>
 *   moments              mean: blocks · blockSize numbers;   covariance: blocks · blockSize², each block row after row
 *   natural parameters   η = Σ⁻¹μ (block after block), then svec(Σ⁻¹) of each block; no factor −½ anywhere
 * </pre>
 *
 * svec ({@link SymmetricMatrix}) makes the Euclidean norm of natural parameters the Frobenius norm of their matrices, so
 * that one clip in L2 covers both kinds.
 *
 * @param blocks how many
 * @param blockSize parameters in each
 */
public record GaussianBlocks(int blocks, int blockSize) {
    public GaussianBlocks {
        if (blocks < 1 || blockSize < 1) {
            throw new IllegalArgumentException("a Gaussian has at least one block of at least one parameter");
        }
    }

    /** How many parameters there are: the length of a mean, and of η. */
    public int size() {
        return Math.multiplyExact(blocks, blockSize);
    }

    /** How many numbers the covariances, or precisions, of all blocks have. */
    public int matrixSize() {
        return Math.multiplyExact(size(), blockSize);
    }

    /** How many natural parameters there are. */
    public int naturalSize() {
        return Math.addExact(size(), Math.multiplyExact(blocks, SymmetricMatrix.vectorSize(blockSize)));
    }

    /** Where the matrix of a block begins. */
    public int matrixOffset(int block) {
        return block * blockSize * blockSize;
    }

    /** Where svec of a block begins among natural parameters. */
    public int naturalOffset(int block) {
        return size() + block * SymmetricMatrix.vectorSize(blockSize);
    }

    /** The same multiple of the identity in every block. */
    public double[] scaledIdentity(double scale) {
        double[] matrix = new double[matrixSize()];
        for (int i = 0; i < size(); i++) {
            matrix[i * blockSize + i % blockSize] = scale;
        }
        return matrix;
    }

    /** Natural parameters (η, svec Λ) from precisions and the products Λμ. */
    public double[] natural(double[] weightedMean, double[] precision) {
        double[] natural = Arrays.copyOf(weightedMean, naturalSize());
        for (int block = 0; block < blocks; block++) {
            SymmetricMatrix.toVector(blockSize, block(precision, block), natural, naturalOffset(block));
        }
        return natural;
    }

    /** The precisions among natural parameters, written out. */
    public double[] precision(double[] natural) {
        double[] precision = new double[matrixSize()];
        for (int block = 0; block < blocks; block++) {
            double[] matrix = SymmetricMatrix.fromVector(blockSize, natural, naturalOffset(block));
            System.arraycopy(matrix, 0, precision, matrixOffset(block), matrix.length);
        }
        return precision;
    }

    /** One block of a matrix. */
    public double[] block(double[] matrix, int block) {
        return Arrays.copyOfRange(matrix, matrixOffset(block), matrixOffset(block + 1));
    }

    /** The block-diagonal matrix times a vector. */
    public double[] multiply(double[] matrix, double[] vector) {
        double[] product = new double[size()];
        for (int i = 0; i < product.length; i++) {
            int first = i - i % blockSize;
            double sum = 0;
            for (int j = 0; j < blockSize; j++) {
                sum += matrix[i * blockSize + j] * vector[first + j];
            }
            product[i] = sum;
        }
        return product;
    }

    /** The product of two block-diagonal matrices. */
    public double[] product(double[] left, double[] right) {
        double[] product = new double[matrixSize()];
        for (int i = 0; i < size(); i++) {
            int first = (i - i % blockSize) * blockSize;
            for (int k = 0; k < blockSize; k++) {
                double factor = left[i * blockSize + k];
                for (int j = 0; j < blockSize; j++) {
                    product[i * blockSize + j] += factor * right[first + k * blockSize + j];
                }
            }
        }
        return product;
    }

    /**
     * The inverse of every block.
     *
     * @throws IllegalArgumentException if a block is not positive definite; only for matrices that are public
     */
    public double[] inverse(double[] matrix) {
        double[] inverse = new double[matrix.length];
        for (int block = 0; block < blocks; block++) {
            double[] one = block(matrix, block);
            if (!LinearAlgebra.java().invert(blockSize, one)) {
                throw new IllegalArgumentException("a precision must be positive definite");
            }
            System.arraycopy(one, 0, inverse, matrixOffset(block), one.length);
        }
        return inverse;
    }
}
