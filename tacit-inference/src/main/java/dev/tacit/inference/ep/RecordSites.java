package dev.tacit.inference.ep;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel.TiltedMoments;
import dev.tacit.numerics.SymmetricMatrix;

/**
 * Sites of records for one cavity N(m, V): the Gaussian factor that moves the cavity onto the moments of the tilted
 * distribution.
 *
 * <pre>
 *   Λ_n = (I − H V)⁻¹ H,     η_n − Λ_n m = (I − H V)⁻¹ g          g, H: derivatives of log Z at m
 * </pre>
 *
 * This is (V − V H V)⁻¹ − V⁻¹ without the difference of large matrices. One elimination with pivots for each block; a
 * record whose tilted distribution is not proper gets whatever the elimination gives, and the clip or the door deals with it:
 * nothing here is skipped, because what is skipped depends on records. For one thread.
 */
public final class RecordSites {
    private final GaussianBlocks shape;
    private final TiltedMoments moments;
    private final int size;
    private final int columns;
    private final double[] gradient;
    private final double[] curvature;
    private final double[] system;
    private final double[] matrix;
    private double[] mean = {};
    private double[] covariance = {};

    public RecordSites(GaussianBlocks shape, TiltedMoments moments) {
        this.shape = shape;
        this.moments = moments;
        this.size = shape.blockSize();
        this.columns = 2 * size + 1;
        this.gradient = new double[shape.size()];
        this.curvature = new double[shape.matrixSize()];
        this.system = new double[size * columns];
        this.matrix = new double[size * size];
    }

    public void cavity(double[] cavityMean, double[] cavityCovariance) {
        mean = cavityMean;
        covariance = cavityCovariance;
        moments.cavity(cavityMean, cavityCovariance);
    }

    void prepare(RecordBlock block) {
        moments.prepare(block);
    }

    /**
     * Writes the site of a row as (η_n − Λ_n centre, svec Λ_n) and returns log Z.
     *
     * @param centre the point that η is taken around; null for natural parameters
     */
    public double site(RecordBlock block, int row, double[] centre, double[] site) {
        double logPartition = moments.derivatives(block, row, gradient, curvature);
        for (int k = 0; k < shape.blocks(); k++) {
            if (size == 1) {
                double factor = 1 / (1 - curvature[k] * covariance[k]);
                site[k] = factor * gradient[k];
                site[shape.size() + k] = factor * curvature[k];
            } else {
                eliminate(k);
                for (int i = 0; i < size; i++) {
                    site[k * size + i] = system[i * columns + 2 * size];
                    for (int j = 0; j < size; j++) {
                        matrix[i * size + j] = system[i * columns + size + j];
                    }
                }
                SymmetricMatrix.symmetrise(size, matrix);
                SymmetricMatrix.toVector(size, matrix, site, shape.naturalOffset(k));
            }
            shift(k, centre, site);
        }
        return logPartition;
    }

    /** From the cavity's mean to the centre: η_n − Λ_n c = (η_n − Λ_n m) + Λ_n (m − c). */
    private void shift(int k, double[] centre, double[] site) {
        int start = k * size;
        if (size == 1) {
            site[k] += site[shape.size() + k] * (mean[k] - (centre == null ? 0 : centre[k]));
            return;
        }
        for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int j = 0; j < size; j++) {
                sum += matrix[i * size + j] * (mean[start + j] - (centre == null ? 0 : centre[start + j]));
            }
            site[start + i] += sum;
        }
    }

    /** Solves (I − H V) X = [H, g] by elimination with partial pivots; X replaces the right-hand side. */
    private void eliminate(int k) {
        int start = shape.matrixOffset(k);
        double[] h = curvature;
        double[] v = covariance;
        for (int i = 0; i < size; i++) {
            int line = i * columns;
            for (int j = 0; j < size; j++) {
                double sum = i == j ? 1 : 0;
                for (int l = 0; l < size; l++) {
                    sum -= h[start + i * size + l] * v[start + l * size + j];
                }
                system[line + j] = sum;
                system[line + size + j] = h[start + i * size + j];
            }
            system[line + 2 * size] = gradient[k * size + i];
        }
        for (int pivot = 0; pivot < size; pivot++) {
            swapLargest(pivot);
            double inverse = 1 / system[pivot * columns + pivot];
            for (int j = pivot; j < columns; j++) {
                system[pivot * columns + j] *= inverse;
            }
            for (int i = 0; i < size; i++) {
                double factor = system[i * columns + pivot];
                if (i != pivot && factor != 0) {
                    for (int j = pivot; j < columns; j++) {
                        system[i * columns + j] -= factor * system[pivot * columns + j];
                    }
                }
            }
        }
    }

    private void swapLargest(int pivot) {
        int best = pivot;
        for (int i = pivot + 1; i < size; i++) {
            if (Math.abs(system[i * columns + pivot]) > Math.abs(system[best * columns + pivot])) {
                best = i;
            }
        }
        if (best != pivot) {
            for (int j = pivot; j < columns; j++) {
                double kept = system[pivot * columns + j];
                system[pivot * columns + j] = system[best * columns + j];
                system[best * columns + j] = kept;
            }
        }
    }

    /** A row's tilted moments: mean m + V g and covariance V − V H V. */
    public double tilted(RecordBlock block, int row, double[] tiltedMean, double[] tiltedCovariance) {
        double logPartition = moments.derivatives(block, row, gradient, curvature);
        System.arraycopy(shape.multiply(covariance, gradient), 0, tiltedMean, 0, tiltedMean.length);
        System.arraycopy(covariance, 0, tiltedCovariance, 0, tiltedCovariance.length);
        for (int i = 0; i < tiltedMean.length; i++) {
            tiltedMean[i] += mean[i];
        }
        double[] image = new double[size * size];
        for (int k = 0; k < shape.blocks(); k++) {
            int start = shape.matrixOffset(k);
            multiply(curvature, start, covariance, start, image, 0);
            multiply(covariance, start, image, 0, matrix, 0);
            SymmetricMatrix.symmetrise(size, matrix);
            for (int i = 0; i < matrix.length; i++) {
                tiltedCovariance[start + i] -= matrix[i];
            }
        }
        return logPartition;
    }

    private void multiply(double[] a, int aStart, double[] b, int bStart, double[] result, int resultStart) {
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double sum = 0;
                for (int l = 0; l < size; l++) {
                    sum += a[aStart + i * size + l] * b[bStart + l * size + j];
                }
                result[resultStart + i * size + j] = sum;
            }
        }
    }
}
