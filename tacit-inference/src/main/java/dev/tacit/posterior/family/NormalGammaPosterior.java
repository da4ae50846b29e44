package dev.tacit.posterior.family;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Quantiles;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Weights of a linear regression and the precision of its noise, jointly:
 *
 * <pre>
 *   τ ~ Gamma(shape, rate)        w | τ ~ N(m, (τ Λ)⁻¹)        coordinates: w, then τ
 *   natural parameters (shape − 1 + d/2, −rate − ½ mᵀΛm, Λm, svec(−½Λ)) of (log τ, τ, τ w, svec(τ w wᵀ))
 * </pre>
 *
 * Each weight alone is Student with 2 shape degrees of freedom (Bernardo and Smith 1994, appendix A.2); its standard
 * deviation is infinite for shape ≤ 1.
 */
public final class NormalGammaPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "normal-gamma";

    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);

    private final List<String> names;
    private final double[] mean;
    private final double[] precision;
    private final double[] root;
    private final double[] scale;
    private final double shape;
    private final double rate;

    /**
     * From the parameters above.
     *
     * @param weightNames of w; the last coordinate, τ, is named {@code precisionName}
     * @param precision Λ: the precision of the weights in units of τ, row after row, exactly symmetric and positive definite
     */
    public NormalGammaPosterior(
            List<String> weightNames,
            String precisionName,
            double[] mean,
            double[] precision,
            double shape,
            double rate) {
        int d = weightNames.size();
        List<String> all = new ArrayList<>(weightNames);
        all.add(precisionName);
        this.names = Checks.names(all);
        this.mean = Checks.finite(mean, d, "mean");
        this.precision = Checks.finite(precision, d * d, "precision");
        this.shape = Checks.positive(shape, "shape");
        this.rate = Checks.positive(rate, "rate");
        this.root = precision.clone();
        if (!SymmetricMatrix.isSymmetricAndFinite(d, precision)) {
            throw new IllegalArgumentException("the precision of a posterior must be symmetric");
        }
        if (!LinearAlgebra.best().cholesky(d, root)) {
            throw new IllegalArgumentException("the precision of a posterior must be positive definite");
        }
        double[] covariance = new double[d * d];
        LinearAlgebra.best().invertCholesky(d, root, covariance);
        this.scale = new double[d];
        for (int i = 0; i < d; i++) {
            scale[i] = Math.sqrt(covariance[i * d + i] * (rate / shape));
        }
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** How many weights there are: all coordinates but the last. */
    public int weights() {
        return mean.length;
    }

    /** m. */
    public double[] weightMean() {
        return mean.clone();
    }

    /** Λ. */
    public double[] weightPrecision() {
        return precision.clone();
    }

    /** The distribution of the precision of the noise, alone. */
    public GammaPosterior noisePrecision() {
        return new GammaPosterior(names.get(mean.length), shape, rate);
    }

    /** The weights, given the mean of the precision of the noise: N(m, (Λ shape / rate)⁻¹). */
    public GaussianPosterior weightsAtMeanPrecision() {
        int d = mean.length;
        double[] covariance = new double[d * d];
        LinearAlgebra.best().invertCholesky(d, root, covariance);
        for (int i = 0; i < covariance.length; i++) {
            covariance[i] *= rate / shape;
        }
        return new GaussianPosterior(names.subList(0, d), mean, covariance);
    }

    @Override
    public double[] mean() {
        double[] means = java.util.Arrays.copyOf(mean, mean.length + 1);
        means[mean.length] = shape / rate;
        for (int i = 0; i < mean.length; i++) {
            means[i] = shape > 0.5 ? mean[i] : Double.NaN;
        }
        return means;
    }

    @Override
    public double[] standardDeviation() {
        double[] deviations = new double[mean.length + 1];
        for (int i = 0; i < mean.length; i++) {
            deviations[i] = shape > 1 ? scale[i] * Math.sqrt(shape / (shape - 1)) : Double.POSITIVE_INFINITY;
        }
        deviations[mean.length] = Math.sqrt(shape) / rate;
        return deviations;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.coordinate(coordinate, names.size());
        return coordinate == mean.length
                ? Quantiles.gamma(shape, probability) / rate
                : mean[coordinate] + scale[coordinate] * Quantiles.student(2 * shape, probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        int d = mean.length;
        double[] parameters = new double[2 + d + SymmetricMatrix.vectorSize(d)];
        double[] weighted = new double[d];
        LinearAlgebra.best().multiplyVector(false, d, d, 1, precision, mean, 0, weighted);
        parameters[0] = shape - 1 + 0.5 * d;
        parameters[1] = -rate - 0.5 * SymmetricMatrix.quadraticForm(d, precision, mean);
        System.arraycopy(weighted, 0, parameters, 2, d);
        SymmetricMatrix.toVector(d, precision, parameters, 2 + d);
        for (int i = 2 + d; i < parameters.length; i++) {
            parameters[i] *= -0.5;
        }
        return Optional.of(parameters);
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        int d = mean.length;
        Checks.size(draw, d + 1, "draw");
        double tau = random.gamma(shape) / rate;
        for (int i = 0; i < d; i++) {
            draw[i] = random.normal();
        }
        LinearAlgebra.best().solveLowerTransposed(d, root, draw);
        double deviation = 1 / Math.sqrt(tau);
        for (int i = 0; i < d; i++) {
            draw[i] = mean[i] + deviation * draw[i];
        }
        draw[d] = tau;
    }

    @Override
    public double logDensity(double[] point) {
        int d = mean.length;
        Checks.size(point, d + 1, "point");
        double tau = point[d];
        double logGamma = GammaPosterior.logDensity(shape, rate, tau);
        if (!(tau > 0)) {
            return logGamma;
        }
        double[] residual = new double[d];
        for (int i = 0; i < d; i++) {
            residual[i] = point[i] - mean[i];
        }
        double form = SymmetricMatrix.quadraticForm(d, precision, residual);
        double logDeterminant = SymmetricMatrix.logDeterminantOfCholesky(d, root);
        return logGamma + 0.5 * (d * (Math.log(tau) - LOG_TWO_PI) + logDeterminant - tau * form);
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("mean", PosteriorFields.list(mean));
        json.put("precisionLower", PosteriorFields.list(PosteriorFields.lower(mean.length, precision)));
        json.put("shape", shape);
        json.put("rate", rate);
        return json;
    }
}
