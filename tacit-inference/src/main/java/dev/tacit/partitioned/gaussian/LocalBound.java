package dev.tacit.partitioned.gaussian;

import dev.tacit.optimizer.GradientStep;
import java.util.Arrays;

/**
 * Independent Gaussians on their way up a local bound, E log p(records | θ) − KL(q ‖ cavity), by Adam.
 *
 * <pre>
 *   φ = (μ / unit, log s);     unit: the prior's standard deviation of each coordinate, so that steps have a size
 *   gradient of −KL(q ‖ cavity):   unit (h_c − λ_c μ)   and   1 − λ_c s²
 * </pre>
 *
 * The moments of Adam begin at 0 in every round.
 */
public final class LocalBound {
    private final GradientStep.Adam step;
    private final double[] unit;
    private final double[] cavityMean;
    private final double[] cavityPrecision;
    private final double[] means;
    private final double[] logScales;
    private final double[] moments;
    private int count;

    /** From a point q, towards a cavity; both proper. */
    public LocalBound(NaturalGaussian q, NaturalGaussian cavity, double[] unit, double rate) {
        this.step = new GradientStep.Adam(rate);
        this.unit = unit;
        this.cavityMean = cavity.weightedMean();
        this.cavityPrecision = cavity.precisionDiagonal();
        int d = q.dimension();
        double[] precision = q.precisionDiagonal();
        this.means = q.weightedMean();
        this.logScales = new double[d];
        for (int j = 0; j < d; j++) {
            means[j] /= precision[j];
            logScales[j] = -0.5 * Math.log(precision[j]);
        }
        this.moments = new double[4 * d];
    }

    /** From {@link #memory}, towards a cavity. */
    public LocalBound(double[] memory, NaturalGaussian cavity, double[] unit, double rate) {
        this.step = new GradientStep.Adam(rate);
        this.unit = unit;
        this.cavityMean = cavity.weightedMean();
        this.cavityPrecision = cavity.precisionDiagonal();
        int d = unit.length;
        this.means = Arrays.copyOfRange(memory, 0, d);
        this.logScales = Arrays.copyOfRange(memory, d, 2 * d);
        this.moments = Arrays.copyOfRange(memory, 2 * d, 6 * d);
        this.count = (int) memory[6 * d];
    }

    /** Means, logarithms of scales, moments and the number of steps. */
    public double[] memory() {
        int d = means.length;
        double[] memory = new double[6 * d + 1];
        System.arraycopy(means, 0, memory, 0, d);
        System.arraycopy(logScales, 0, memory, d, d);
        System.arraycopy(moments, 0, memory, 2 * d, 4 * d);
        memory[6 * d] = count;
        return memory;
    }

    /** How many steps were taken. */
    public int steps() {
        return count;
    }

    public double[] means() {
        return means.clone();
    }

    public double[] scales() {
        return Arrays.stream(logScales).map(Math::exp).toArray();
    }

    public double[] variances() {
        return Arrays.stream(logScales).map(l -> Math.exp(2 * l)).toArray();
    }

    /** Of −KL(q ‖ cavity): derivatives in μ_j / unit and log s_j side by side. */
    public double[] divergenceGradient() {
        double[] gradient = new double[2 * means.length];
        for (int j = 0; j < means.length; j++) {
            gradient[2 * j] = unit[j] * (cavityMean[j] - cavityPrecision[j] * means[j]);
            gradient[2 * j + 1] = 1 - cavityPrecision[j] * Math.exp(2 * logScales[j]);
        }
        return gradient;
    }

    /**
     * One step up.
     *
     * @param gradient of the mean log-likelihood of a record, derivatives in μ_j / unit and log s_j side by side
     * @param publicSize how many records there are, publicly
     */
    public void climb(double[] gradient, double publicSize) {
        count++;
        double[] pull = divergenceGradient();
        for (int j = 0; j < means.length; j++) {
            double meanSlope = gradient[2 * j] + pull[2 * j] / publicSize;
            double scaleSlope = gradient[2 * j + 1] + pull[2 * j + 1] / publicSize;
            means[j] -= unit[j] * step.step(-meanSlope, moments, 2 * j, count);
            logScales[j] -= step.step(-scaleSlope, moments, 2 * j + 1, count);
        }
    }

    public NaturalGaussian natural() {
        double[] precision = new double[means.length];
        double[] weighted = new double[means.length];
        for (int j = 0; j < means.length; j++) {
            precision[j] = Math.exp(-2 * logScales[j]);
            weighted[j] = means[j] * precision[j];
        }
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, weighted, precision);
    }
}
