package dev.tacit.experiments.ep;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel.TiltedMoments;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import java.util.Arrays;

/**
 * Stochastic EP of a mixture as it was published: records in order, one at a time, one of N copies of the site moved by 1/N.
 *
 * <pre>
 *   for each epoch, for n = 1, …, N:   G ← G + (1/N) (clip(f_n) − f) + noise,     f = clip(G/N)
 * </pre>
 *
 * Vinaroz, Park 2022, equation 5, with the noise levels of their calibration. Means and precisions are clipped separately and noised
 * separately, precisions below 1e-4 are raised. Records that would make G improper are not skipped here: with that branch, no epsilon
 * holds. For simulated records only; it does not go through the door because its order cannot.
 */
final class PublishedDpSep {
    private static final double FLOOR = 1e-4;

    /**
     * @param epochs passes over the records
     * @param l2Bound of means, and of precisions; infinite for none
     * @param meanNoise standard deviation over 2 l2Bound / N; 0 for none
     * @param precisionNoise the same for precisions
     */
    record Settings(int epochs, double l2Bound, double meanNoise, double precisionNoise) {}

    private final MixtureMeans model;
    private final GaussianBlocks shape;
    private final Settings settings;

    PublishedDpSep(MixtureMeans model, Settings settings) {
        this.model = model;
        this.shape = model.shape();
        this.settings = settings;
    }

    /** Means, then covariances. */
    double[][] fit(DenseBlock block, RandomStream random) {
        int size = shape.size();
        int rows = block.rows();
        double[] priorPrecision = model.priorPrecision();
        double[] priorWeighted = shape.multiply(priorPrecision, startMeans(random.fork("prior")));
        double[] eta = new double[size];
        double[] precision = new double[shape.matrixSize()];
        double[] siteEta = new double[size];
        double[] sitePrecision = new double[precision.length];
        TiltedMoments moments = model.tiltedMoments(model.constants());
        double[] gradient = new double[size];
        double[] curvature = new double[precision.length];
        RandomStream noise = random.fork("noise");
        for (int step = 0; step < settings.epochs * rows; step++) {
            double[] cavityPrecision = sum(priorPrecision, precision, sitePrecision);
            double[] cavityEta = sum(priorWeighted, eta, siteEta);
            double[] covariance = shape.inverse(cavityPrecision);
            double[] mean = shape.multiply(covariance, cavityEta);
            moments.cavity(mean, covariance);
            moments.derivatives(block, step % rows, gradient, curvature);
            double[] tiltedPrecision = shape.inverse(tilted(covariance, curvature));
            double[] tiltedMean = shape.multiply(covariance, gradient);
            for (int i = 0; i < size; i++) {
                tiltedMean[i] += mean[i];
            }
            double[] newEta = shape.multiply(tiltedPrecision, tiltedMean);
            for (int i = 0; i < size; i++) {
                newEta[i] -= cavityEta[i];
            }
            for (int i = 0; i < precision.length; i++) {
                tiltedPrecision[i] -= cavityPrecision[i];
            }
            clip(newEta);
            clip(tiltedPrecision);
            move(eta, newEta, siteEta, rows);
            move(precision, tiltedPrecision, sitePrecision, rows);
            addNoise(eta, precision, noise, 2 * settings.l2Bound / rows);
            for (int i = 0; i < size; i++) {
                siteEta[i] = eta[i] / rows;
            }
            for (int i = 0; i < precision.length; i++) {
                sitePrecision[i] = precision[i] / rows;
            }
            clip(siteEta);
            clip(sitePrecision);
        }
        double[] none = new double[precision.length];
        double[] covariance = shape.inverse(sum(priorPrecision, precision, none));
        return new double[][] {shape.multiply(covariance, sum(priorWeighted, eta, new double[size])), covariance};
    }

    /** Prior means as published: standard normal. */
    private double[] startMeans(RandomStream random) {
        double[] means = new double[shape.size()];
        random.fillNormal(means);
        return means;
    }

    private static double[] sum(double[] prior, double[] all, double[] one) {
        double[] result = new double[prior.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = prior[i] + all[i] - one[i];
        }
        return result;
    }

    private static void move(double[] all, double[] site, double[] shared, int rows) {
        for (int i = 0; i < all.length; i++) {
            all[i] += (site[i] - shared[i]) / rows;
        }
    }

    private void clip(double[] vector) {
        double norm = Math.sqrt(Arrays.stream(vector).map(x -> x * x).sum());
        if (norm > settings.l2Bound) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] *= settings.l2Bound / norm;
            }
        }
    }

    private double[] tilted(double[] covariance, double[] curvature) {
        int n = shape.blockSize();
        double[] result = covariance.clone();
        for (int block = 0; block < shape.blocks(); block++) {
            double[] v = shape.block(covariance, block);
            double[] product = multiply(n, multiply(n, v, shape.block(curvature, block)), v);
            SymmetricMatrix.symmetrise(n, product);
            for (int i = 0; i < product.length; i++) {
                result[shape.matrixOffset(block) + i] -= product[i];
            }
        }
        return result;
    }

    private static double[] multiply(int n, double[] a, double[] b) {
        double[] result = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    result[i * n + j] += a[i * n + k] * b[k * n + j];
                }
            }
        }
        return result;
    }

    /** Upper triangles mirrored, as published, and precisions raised to the floor. */
    private void addNoise(double[] eta, double[] precision, RandomStream noise, double unit) {
        int n = shape.blockSize();
        for (int block = 0; block < shape.blocks(); block++) {
            double[] one = shape.block(precision, block);
            for (int i = 0; i < n && settings.precisionNoise > 0; i++) {
                for (int j = i; j < n; j++) {
                    one[i * n + j] += unit * settings.precisionNoise * noise.normal();
                    one[j * n + i] = one[i * n + j];
                }
            }
            double[] raised = SymmetricMatrix.withEigenvaluesAtLeast(0, n, one);
            if (!Arrays.equals(raised, one)) {
                raised = SymmetricMatrix.withEigenvaluesAtLeast(FLOOR, n, one);
            }
            System.arraycopy(raised, 0, precision, shape.matrixOffset(block), raised.length);
        }
        for (int i = 0; i < eta.length && settings.meanNoise > 0; i++) {
            eta[i] += unit * settings.meanNoise * noise.normal();
        }
    }
}
