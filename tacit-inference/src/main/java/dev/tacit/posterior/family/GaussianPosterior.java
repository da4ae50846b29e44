package dev.tacit.posterior.family;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Normalised;
import dev.tacit.posterior.Posterior;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Gaussian with full covariance, N(μ, Σ).
 *
 * <pre>
 *   natural parameters (Σ⁻¹μ, svec(−½ Σ⁻¹)) of the statistics (θ, svec(θθᵀ)), svec as in {@link SymmetricMatrix}
 * </pre>
 */
public final class GaussianPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "gaussian";

    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);
    private static final int BLOCK_ROWS = 256;

    private final List<String> names;
    private final double[] mean;
    private final double[] covariance;
    private final double[] root;

    /**
     * From moments.
     *
     * @param covariance row after row, exactly symmetric and positive definite
     */
    public GaussianPosterior(List<String> parameterNames, double[] mean, double[] covariance) {
        this.names = Checks.names(parameterNames);
        int n = names.size();
        this.mean = Checks.finite(mean, n, "mean");
        this.covariance = Checks.finite(covariance, n * n, "covariance");
        if (!SymmetricMatrix.isSymmetricAndFinite(n, covariance)) {
            throw new IllegalArgumentException("the covariance of a posterior must be symmetric");
        }
        this.root = covariance.clone();
        if (!LinearAlgebra.best().cholesky(n, root)) {
            throw new IllegalArgumentException("the covariance of a posterior must be positive definite");
        }
    }

    /** From natural parameters; whether they are those of a distribution is part of the answer. */
    public static Normalised<GaussianPosterior> ofNaturalParameters(List<String> parameterNames, double[] parameters) {
        return GaussianFactor.ofNaturalParameters(parameterNames.size(), parameters)
                .normalise(parameterNames);
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

    /** Σ, row after row. */
    public double[] covariance() {
        return covariance.clone();
    }

    /** The lower Cholesky factor L of Σ = L Lᵀ: L z is a centred draw if z is standard normal. */
    public double[] covarianceRoot() {
        return root.clone();
    }

    /** This distribution as a factor in natural parameters. */
    public GaussianFactor factor() {
        int n = dimension();
        double[] precision = new double[n * n];
        LinearAlgebra.best().invertCholesky(n, root, precision);
        double[] weightedMean = mean.clone();
        LinearAlgebra.best().solveCholesky(n, root, 1, weightedMean);
        return GaussianFactor.of(weightedMean, precision);
    }

    @Override
    public double[] standardDeviation() {
        int n = dimension();
        double[] deviations = new double[n];
        for (int i = 0; i < n; i++) {
            deviations[i] = Math.sqrt(covariance[i * n + i]);
        }
        return deviations;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.probability(probability);
        Checks.coordinate(coordinate, dimension());
        double deviation = Math.sqrt(covariance[coordinate * dimension() + coordinate]);
        return mean[coordinate] + deviation * SpecialFunctions.normalQuantile(probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.of(factor().naturalParameters());
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        int n = dimension();
        Checks.size(draw, n, "draw");
        double[] normal = new double[n];
        random.fillNormal(normal);
        System.arraycopy(mean, 0, draw, 0, n);
        LinearAlgebra.best().multiplyVector(false, n, n, 1, root, normal, 1, draw);
    }

    @Override
    public double logDensity(double[] point) {
        int n = dimension();
        Checks.size(point, n, "point");
        double[] residual = new double[n];
        for (int i = 0; i < n; i++) {
            residual[i] = point[i] - mean[i];
        }
        LinearAlgebra.best().solveLower(n, root, residual);
        double squares = 0;
        for (double value : residual) {
            squares += value * value;
        }
        return -0.5 * (n * LOG_TWO_PI + SymmetricMatrix.logDeterminantOfCholesky(n, root) + squares);
    }

    /** log det Σ. */
    public double logDeterminant() {
        return SymmetricMatrix.logDeterminantOfCholesky(dimension(), root);
    }

    /**
     * Mean and variance of xᵀθ for each row x of a matrix: what a linear predictor knows.
     *
     * @param x rows × dimension, row after row
     */
    public void project(int rows, double[] x, double[] means, double[] variances) {
        int n = dimension();
        LinearAlgebra algebra = LinearAlgebra.best();
        algebra.multiplyVector(false, rows, n, 1, x, mean, 0, means);
        double[] image = new double[Math.min(rows, BLOCK_ROWS) * n];
        for (int start = 0; start < rows; start += BLOCK_ROWS) {
            int count = Math.min(BLOCK_ROWS, rows - start);
            double[] block = Arrays.copyOfRange(x, start * n, (start + count) * n);
            algebra.multiply(false, false, count, n, n, 1, block, root, 0, image);
            for (int row = 0; row < count; row++) {
                double squares = 0;
                for (int i = row * n; i < (row + 1) * n; i++) {
                    squares += image[i] * image[i];
                }
                variances[start + row] = squares;
            }
        }
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("mean", PosteriorFields.list(mean));
        json.put("covarianceLower", PosteriorFields.list(PosteriorFields.lower(dimension(), covariance)));
        return json;
    }
}
