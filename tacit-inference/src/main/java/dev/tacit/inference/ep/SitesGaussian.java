package dev.tacit.inference.ep;

import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SymmetricMatrix;
import java.io.Serializable;

/**
 * A Gaussian by its moments, made from natural parameters: q itself, or q without a site. Only from public or released
 * numbers, because a precision that is not positive definite is an error here.
 *
 * @param mean μ
 * @param covariance Σ, block after block
 */
public record SitesGaussian(double[] mean, double[] covariance) implements Serializable {
    /** The prior times {@code share} of the sites' sum. */
    public static SitesGaussian of(TiltedMomentModel model, double[] sites, double share) {
        GaussianBlocks shape = model.shape();
        double[] natural = prior(model);
        for (int i = 0; i < natural.length; i++) {
            natural[i] += share * sites[i];
        }
        double[] covariance = shape.inverse(shape.precision(natural));
        return new SitesGaussian(shape.multiply(covariance, natural), covariance);
    }

    /** Whether the prior times these sites is a distribution. */
    static boolean isProper(TiltedMomentModel model, double[] sites) {
        GaussianBlocks shape = model.shape();
        double[] natural = prior(model);
        for (int i = 0; i < natural.length; i++) {
            natural[i] += sites[i];
            if (!Double.isFinite(natural[i])) {
                return false;
            }
        }
        for (int block = 0; block < shape.blocks(); block++) {
            double[] precision = SymmetricMatrix.fromVector(shape.blockSize(), natural, shape.naturalOffset(block));
            if (!LinearAlgebra.java().cholesky(shape.blockSize(), precision)) {
                return false;
            }
        }
        return true;
    }

    /** The prior's natural parameters. */
    public static double[] prior(TiltedMomentModel model) {
        GaussianBlocks shape = model.shape();
        return shape.natural(shape.multiply(model.priorPrecision(), model.priorMean()), model.priorPrecision());
    }

    /**
     * Raises eigenvalues of the sites' precision to a floor, in place, so that q and every cavity are proper: the nearest
     * matrices in Frobenius norm. Post-processing of released numbers.
     */
    public static void raisePrecision(GaussianBlocks shape, double[] sites, double floor) {
        int n = shape.blockSize();
        for (int block = 0; block < shape.blocks(); block++) {
            int offset = shape.naturalOffset(block);
            if (n == 1) {
                sites[offset] = Math.max(floor, sites[offset]);
                continue;
            }
            double[] precision = SymmetricMatrix.fromVector(n, sites, offset);
            SymmetricMatrix.toVector(n, SymmetricMatrix.withEigenvaluesAtLeast(floor, n, precision), sites, offset);
        }
    }
}
