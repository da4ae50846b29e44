package dev.tacit.inference.ep;

import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.TiltedMomentModel.Field;
import java.util.function.IntToDoubleFunction;

/**
 * What released sums say about the truth θ if the field of the records is linear near it.
 *
 * <pre>
 *   released at m_t     s_t = F (θ − m_t) + ξ + e_t,     ξ ~ N(0, G) shared by all,   e_t privacy noise and chance of batches
 *   so                  y = mean of s_t + F · mean of m_t = F θ + ξ + e,     e ~ N(0, T)
 *   posterior           Λ = Λ_p + F (G + T)⁻¹ F,     Λ μ = Λ_p m_p + F (G + T)⁻¹ y
 *   T                   noise² / (w² K) + (N/E|B| − 1) G / K                                   K releases
 * </pre>
 *
 * With T = 0 and G = F the precision is Λ_p + F and μ the fixed point of the steps, whatever F is; along a direction where noise is all,
 * F²/(F + T) is nearly 0 and the prior remains. An error of F matters only as far as m_t are from θ, and is not counted. Post-processing:
 * only released and public numbers are read. Bernstein, Sheldon 2019 condition on one noisy statistic in the same way.
 *
 * @param mean μ
 * @param covariance Λ⁻¹, block after block
 * @param covarianceWithoutPrivacyNoise the same with T = 0
 */
record FieldPosterior(double[] mean, double[] covariance, double[] covarianceWithoutPrivacyNoise) {
    /** Keeps G + T invertible along directions that no record has and no noise reaches. */
    private static final double LEAST_SHARE = 1e-12;

    private static final double LEAST = 1e-100;

    /**
     * Averages over released sums.
     *
     * @param count K
     * @param field mean of s_t
     * @param point mean of m_t
     * @param noiseVariance of each number of one s_t
     * @param batchVariance N/E|B| − 1, the variance of a batch's sum, scaled to all records, over G
     */
    record Averages(int count, double[] field, double[] point, double[] noiseVariance, double batchVariance) {}

    static FieldPosterior of(TiltedMomentModel model, Field field, Averages averages) {
        GaussianBlocks shape = model.shape();
        double[] prior = model.priorPrecision();
        double[] records = field.curvature();
        double[] weighted = shape.multiply(prior, model.priorMean());
        double[] observed = shape.multiply(records, averages.point);
        for (int i = 0; i < observed.length; i++) {
            observed[i] += averages.field[i];
        }
        double[] noisy = withDiagonal(
                shape,
                field.scoreVariance(),
                1 + averages.batchVariance / averages.count,
                i -> averages.noiseVariance[i] / averages.count);
        double[] gain = shape.product(records, shape.inverse(noisy));
        double[] gained = shape.multiply(gain, observed);
        for (int i = 0; i < weighted.length; i++) {
            weighted[i] += gained[i];
        }
        double[] covariance = shape.inverse(sum(prior, symmetric(shape, shape.product(gain, records))));
        double[] plainGain =
                shape.product(records, shape.inverse(withDiagonal(shape, field.scoreVariance(), 1, i -> 0)));
        double[] plain = shape.inverse(sum(prior, symmetric(shape, shape.product(plainGain, records))));
        return new FieldPosterior(shape.multiply(covariance, weighted), covariance, plain);
    }

    private static double[] withDiagonal(
            GaussianBlocks shape, double[] matrix, double factor, IntToDoubleFunction diagonal) {
        double[] result = new double[matrix.length];
        double largest = 0;
        for (int i = 0; i < matrix.length; i++) {
            result[i] = factor * matrix[i];
            largest = Math.max(largest, result[i]);
        }
        for (int i = 0; i < shape.size(); i++) {
            int place = i * shape.blockSize() + i % shape.blockSize();
            result[place] += diagonal.applyAsDouble(i) + LEAST_SHARE * largest + LEAST;
        }
        return result;
    }

    private static double[] sum(double[] a, double[] b) {
        double[] sum = a.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += b[i];
        }
        return sum;
    }

    private static double[] symmetric(GaussianBlocks shape, double[] matrix) {
        int n = shape.blockSize();
        for (int i = 0; i < shape.size(); i++) {
            int first = (i - i % n) * n;
            for (int j = 0; j < i % n; j++) {
                int mirrored = first + j * n + i % n;
                double mean = (matrix[i * n + j] + matrix[mirrored]) / 2;
                matrix[i * n + j] = mean;
                matrix[mirrored] = mean;
            }
        }
        return matrix;
    }
}
