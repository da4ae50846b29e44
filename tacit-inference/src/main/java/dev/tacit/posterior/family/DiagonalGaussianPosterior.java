package dev.tacit.posterior.family;

import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Normalised;
import dev.tacit.posterior.Posterior;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Independent Gaussians, N(μ_i, v_i).
 *
 * <pre>
 *   natural parameters (μ_i / v_i, then −1 / (2 v_i)) of the statistics (θ_i, then θ_i²)
 * </pre>
 */
public final class DiagonalGaussianPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "diagonal-gaussian";

    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);

    private final List<String> names;
    private final double[] mean;
    private final double[] variance;

    /** From means and variances. */
    public DiagonalGaussianPosterior(List<String> parameterNames, double[] mean, double[] variance) {
        this.names = Checks.names(parameterNames);
        this.mean = Checks.finite(mean, names.size(), "mean");
        this.variance = Checks.positive(variance, names.size(), "variance");
    }

    /** From natural parameters; whether they are those of a distribution is part of the answer. */
    public static Normalised<DiagonalGaussianPosterior> ofNaturalParameters(
            List<String> parameterNames, double[] parameters) {
        Checks.size(parameters, 2 * parameterNames.size(), "natural parameter");
        return DiagonalGaussianFactor.ofNaturalParameters(parameters).normalise(parameterNames);
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    @Override
    public double[] mean() {
        return mean.clone();
    }

    /** v_i. */
    public double[] variance() {
        return variance.clone();
    }

    /** This distribution as a factor in natural parameters. */
    public DiagonalGaussianFactor factor() {
        double[] weightedMean = new double[mean.length];
        double[] precision = new double[mean.length];
        for (int i = 0; i < mean.length; i++) {
            weightedMean[i] = mean[i] / variance[i];
            precision[i] = 1 / variance[i];
        }
        return DiagonalGaussianFactor.of(weightedMean, precision);
    }

    @Override
    public double[] standardDeviation() {
        double[] deviations = variance.clone();
        for (int i = 0; i < deviations.length; i++) {
            deviations[i] = Math.sqrt(deviations[i]);
        }
        return deviations;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.probability(probability);
        return mean[coordinate] + Math.sqrt(variance[coordinate]) * SpecialFunctions.normalQuantile(probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.of(factor().naturalParameters());
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, mean.length, "draw");
        for (int i = 0; i < mean.length; i++) {
            draw[i] = mean[i] + Math.sqrt(variance[i]) * random.normal();
        }
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, mean.length, "point");
        double sum = 0;
        for (int i = 0; i < mean.length; i++) {
            double residual = point[i] - mean[i];
            sum += LOG_TWO_PI + Math.log(variance[i]) + residual * residual / variance[i];
        }
        return -0.5 * sum;
    }

    /**
     * Mean and variance of xᵀθ for each row x of a matrix.
     *
     * @param x rows × dimension, row after row
     */
    public void project(int rows, double[] x, double[] means, double[] variances) {
        int n = mean.length;
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < n; i++) {
                double value = x[row * n + i];
                sum += value * mean[i];
                squares += value * value * variance[i];
            }
            means[row] = sum;
            variances[row] = squares;
        }
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("mean", PosteriorFields.list(mean));
        json.put("variance", PosteriorFields.list(variance));
        return json;
    }
}
