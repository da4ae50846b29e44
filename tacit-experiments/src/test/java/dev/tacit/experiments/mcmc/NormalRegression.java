package dev.tacit.experiments.mcmc;

import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;

/**
 * y ~ N(Xβ, σ²) with independent Gaussian or flat priors on β and one of three priors on σ, for tests; the parameters
 * are β, then σ.
 */
final class NormalRegression implements LogDensity {
    /** Priors of σ &gt; 0. */
    enum DeviationPrior {
        FLAT,
        HALF_CAUCHY,
        HALF_NORMAL
    }

    private final int columns;
    private final double[] x;
    private final double[] y;
    private final double[] priorMeans;
    private final double[] priorDeviations;
    private final DeviationPrior deviationPrior;
    private final double scale;

    /**
     * A regression.
     *
     * @param x row after row
     * @param priorDeviations infinite for a flat prior
     * @param scale of the prior of σ, if it has one
     */
    NormalRegression(
            double[] x,
            double[] y,
            double[] priorMeans,
            double[] priorDeviations,
            DeviationPrior deviationPrior,
            double scale) {
        this.columns = priorMeans.length;
        this.x = x;
        this.y = y;
        this.priorMeans = priorMeans;
        this.priorDeviations = priorDeviations;
        this.deviationPrior = deviationPrior;
        this.scale = scale;
    }

    ParameterSpace space() {
        return ParameterSpace.of("beta", Transforms.real(columns)).and("sigma", Transforms.positive(1));
    }

    @Override
    public int dimension() {
        return columns + 1;
    }

    @Override
    public double valueAndGradient(double[] point, double[] gradient) {
        double sigma = point[columns];
        double precision = 1 / (sigma * sigma);
        java.util.Arrays.fill(gradient, 0);
        double squares = 0;
        for (int row = 0; row < y.length; row++) {
            double residual = y[row];
            for (int j = 0; j < columns; j++) {
                residual -= x[row * columns + j] * point[j];
            }
            squares += residual * residual;
            for (int j = 0; j < columns; j++) {
                gradient[j] += residual * x[row * columns + j];
            }
        }
        double value = -0.5 * squares * precision - y.length * Math.log(sigma);
        for (int j = 0; j < columns; j++) {
            double standardised = (point[j] - priorMeans[j]) / priorDeviations[j];
            gradient[j] = gradient[j] * precision - standardised / priorDeviations[j];
            value -= 0.5 * standardised * standardised;
        }
        gradient[columns] = squares * precision / sigma - y.length / sigma;
        double ratio = sigma / scale;
        switch (deviationPrior) {
            case FLAT -> {}
            case HALF_CAUCHY -> {
                value -= Math.log1p(ratio * ratio);
                gradient[columns] -= 2 * ratio / scale / (1 + ratio * ratio);
            }
            case HALF_NORMAL -> {
                value -= 0.5 * ratio * ratio;
                gradient[columns] -= ratio / scale;
            }
        }
        return value;
    }
}
