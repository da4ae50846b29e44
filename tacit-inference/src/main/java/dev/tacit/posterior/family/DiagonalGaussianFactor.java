package dev.tacit.posterior.family;

import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Normalised;
import java.util.List;

/**
 * An unnormalised Gaussian factor with a diagonal precision, which may be improper:
 *
 * <pre>
 *   t(θ) ∝ exp(Σ_i h_i θ_i − ½ λ_i θ_i²)        product: h₁ + h₂, λ₁ + λ₂        quotient: h₁ − h₂, λ₁ − λ₂
 * </pre>
 *
 * Immutable; each λ_i may be zero or negative.
 */
public final class DiagonalGaussianFactor {
    private final double[] weightedMean;
    private final double[] precision;

    private DiagonalGaussianFactor(double[] weightedMean, double[] precision) {
        this.weightedMean = weightedMean;
        this.precision = precision;
    }

    /** The factor of these parameters. */
    public static DiagonalGaussianFactor of(double[] weightedMean, double[] precision) {
        Checks.size(precision, weightedMean.length, "precision");
        return new DiagonalGaussianFactor(weightedMean.clone(), precision.clone());
    }

    /** The factor 1, which says nothing. */
    public static DiagonalGaussianFactor flat(int dimension) {
        return new DiagonalGaussianFactor(new double[dimension], new double[dimension]);
    }

    /** The factor of the natural parameters (h, −½λ), in the order of {@link DiagonalGaussianPosterior}. */
    public static DiagonalGaussianFactor ofNaturalParameters(double[] parameters) {
        int n = parameters.length / 2;
        Checks.size(parameters, 2 * n, "natural parameter");
        double[] weightedMean = new double[n];
        double[] precision = new double[n];
        for (int i = 0; i < n; i++) {
            weightedMean[i] = parameters[i];
            precision[i] = -2 * parameters[n + i];
        }
        return new DiagonalGaussianFactor(weightedMean, precision);
    }

    /** The natural parameters (h, −½λ). */
    public double[] naturalParameters() {
        int n = dimension();
        double[] parameters = new double[2 * n];
        for (int i = 0; i < n; i++) {
            parameters[i] = weightedMean[i];
            parameters[n + i] = -0.5 * precision[i];
        }
        return parameters;
    }

    /** How many coordinates θ has. */
    public int dimension() {
        return weightedMean.length;
    }

    /** h_i = λ_i μ_i. */
    public double[] weightedMean() {
        return weightedMean.clone();
    }

    /** λ_i. */
    public double[] precision() {
        return precision.clone();
    }

    /** The product of two factors. */
    public DiagonalGaussianFactor times(DiagonalGaussianFactor other) {
        return combine(1, other, 1);
    }

    /** The quotient of two factors: removes the other from this one, which may leave an improper factor. */
    public DiagonalGaussianFactor over(DiagonalGaussianFactor other) {
        return combine(1, other, -1);
    }

    /** This factor to a power. */
    public DiagonalGaussianFactor power(double exponent) {
        return combine(exponent, this, 0);
    }

    /** The damped step this^(1−rate) · target^rate. */
    public DiagonalGaussianFactor towards(DiagonalGaussianFactor target, double rate) {
        return combine(1 - rate, target, rate);
    }

    private DiagonalGaussianFactor combine(double weight, DiagonalGaussianFactor other, double otherWeight) {
        if (other.dimension() != dimension()) {
            throw new IllegalArgumentException(
                    "two factors have " + dimension() + " and " + other.dimension() + " dimensions");
        }
        return new DiagonalGaussianFactor(
                GaussianFactor.sum(weight, weightedMean, otherWeight, other.weightedMean),
                GaussianFactor.sum(weight, precision, otherWeight, other.precision));
    }

    /** This factor with every λ_i raised to a floor. */
    public DiagonalGaussianFactor withPrecisionAtLeast(double floor) {
        double[] raised = precision.clone();
        for (int i = 0; i < raised.length; i++) {
            raised[i] = Math.max(raised[i], floor);
        }
        return new DiagonalGaussianFactor(weightedMean, raised);
    }

    /** The distribution that this factor is a multiple of, if there is one. */
    public Normalised<DiagonalGaussianPosterior> normalise(List<String> parameterNames) {
        int n = dimension();
        double[] mean = new double[n];
        double[] variance = new double[n];
        double smallest = Double.POSITIVE_INFINITY;
        boolean finite = true;
        for (int i = 0; i < n; i++) {
            smallest = Math.min(smallest, precision[i]);
            mean[i] = weightedMean[i] / precision[i];
            variance[i] = 1 / precision[i];
            finite &= Double.isFinite(weightedMean[i]) && Double.isFinite(precision[i]);
        }
        if (!finite) {
            return new Normalised.Improper<>(Double.NaN);
        }
        for (int i = 0; i < n; i++) {
            if (!(variance[i] > 0 && variance[i] < Double.POSITIVE_INFINITY) || !Double.isFinite(mean[i])) {
                return new Normalised.Improper<>(smallest);
            }
        }
        return new Normalised.Proper<>(new DiagonalGaussianPosterior(parameterNames, mean, variance));
    }
}
