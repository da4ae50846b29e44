package dev.tacit.posterior.family;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Normalised;
import java.util.Arrays;
import java.util.List;

/**
 * An unnormalised Gaussian factor in natural parameters, which may be improper:
 *
 * <pre>
 *   t(θ) ∝ exp(hᵀθ − ½ θᵀΛθ)        product: h₁ + h₂, Λ₁ + Λ₂        quotient: h₁ − h₂, Λ₁ − Λ₂        power: c h, c Λ
 * </pre>
 *
 * h is the precision-weighted mean, Λ the precision: symmetric, and not necessarily positive definite. Immutable.
 */
public final class GaussianFactor {
    private final double[] weightedMean;
    private final double[] precision;

    private GaussianFactor(double[] weightedMean, double[] precision) {
        this.weightedMean = weightedMean;
        this.precision = precision;
    }

    /** The factor of these parameters; the precision must equal its transpose exactly. */
    public static GaussianFactor of(double[] weightedMean, double[] precision) {
        int n = weightedMean.length;
        if (precision.length != n * n) {
            throw new IllegalArgumentException("the precision of a factor in " + n + " dimensions needs " + n * n
                    + " numbers and has " + precision.length);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                if (Double.compare(precision[i * n + j], precision[j * n + i]) != 0) {
                    throw new IllegalArgumentException("the precision of a factor must be symmetric");
                }
            }
        }
        return new GaussianFactor(weightedMean.clone(), precision.clone());
    }

    /** The factor 1, which says nothing. */
    public static GaussianFactor flat(int dimension) {
        return new GaussianFactor(new double[dimension], new double[dimension * dimension]);
    }

    /** The factor of the natural parameters (Λμ, svec(−½Λ)), in the order of {@link GaussianPosterior}. */
    public static GaussianFactor ofNaturalParameters(int dimension, double[] parameters) {
        int size = dimension + SymmetricMatrix.vectorSize(dimension);
        Checks.size(parameters, size, "natural parameter");
        double[] precision = SymmetricMatrix.fromVector(dimension, parameters, dimension);
        for (int i = 0; i < precision.length; i++) {
            precision[i] *= -2;
        }
        return new GaussianFactor(Arrays.copyOf(parameters, dimension), precision);
    }

    /** The natural parameters (Λμ, svec(−½Λ)). */
    public double[] naturalParameters() {
        int n = dimension();
        double[] parameters = Arrays.copyOf(weightedMean, n + SymmetricMatrix.vectorSize(n));
        SymmetricMatrix.toVector(n, precision, parameters, n);
        for (int i = n; i < parameters.length; i++) {
            parameters[i] *= -0.5;
        }
        return parameters;
    }

    /** How many coordinates θ has. */
    public int dimension() {
        return weightedMean.length;
    }

    /** h = Λμ. */
    public double[] weightedMean() {
        return weightedMean.clone();
    }

    /** Λ. */
    public double[] precision() {
        return precision.clone();
    }

    /** The product of two factors. */
    public GaussianFactor times(GaussianFactor other) {
        return combine(1, other, 1);
    }

    /** The quotient of two factors: removes the other from this one, which may leave an improper factor. */
    public GaussianFactor over(GaussianFactor other) {
        return combine(1, other, -1);
    }

    /** This factor to a power. */
    public GaussianFactor power(double exponent) {
        return combine(exponent, this, 0);
    }

    /** The damped step this^(1−rate) · target^rate. */
    public GaussianFactor towards(GaussianFactor target, double rate) {
        return combine(1 - rate, target, rate);
    }

    private GaussianFactor combine(double weight, GaussianFactor other, double otherWeight) {
        if (other.dimension() != dimension()) {
            throw new IllegalArgumentException(
                    "two factors have " + dimension() + " and " + other.dimension() + " dimensions");
        }
        return new GaussianFactor(
                sum(weight, weightedMean, otherWeight, other.weightedMean),
                sum(weight, precision, otherWeight, other.precision));
    }

    static double[] sum(double weight, double[] a, double otherWeight, double[] b) {
        double[] result = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            // a weight of exactly 0 or 1 is exact, also beside infinities
            double first = weight == 1 ? a[i] : weight * a[i];
            result[i] = otherWeight == 0 ? first : first + otherWeight * b[i];
        }
        return result;
    }

    /** The nearest factor whose precision has no eigenvalue below a floor (see {@link SymmetricMatrix}). */
    public GaussianFactor withPrecisionAtLeast(double floor) {
        return new GaussianFactor(weightedMean, SymmetricMatrix.withEigenvaluesAtLeast(floor, dimension(), precision));
    }

    /** The distribution that this factor is a multiple of, if there is one. */
    public Normalised<GaussianPosterior> normalise(List<String> parameterNames) {
        int n = dimension();
        for (double value : weightedMean) {
            if (!Double.isFinite(value)) {
                return new Normalised.Improper<>(Double.NaN);
            }
        }
        if (!SymmetricMatrix.isSymmetricAndFinite(n, precision)) {
            return new Normalised.Improper<>(Double.NaN);
        }
        double[] factor = precision.clone();
        if (LinearAlgebra.best().cholesky(n, factor)) {
            double[] covariance = new double[n * n];
            LinearAlgebra.best().invertCholesky(n, factor, covariance);
            double[] mean = weightedMean.clone();
            LinearAlgebra.best().solveCholesky(n, factor, 1, mean);
            double[] root = covariance.clone();
            if (SymmetricMatrix.isSymmetricAndFinite(n, covariance)
                    && LinearAlgebra.best().cholesky(n, root)) {
                return new Normalised.Proper<>(new GaussianPosterior(parameterNames, mean, covariance));
            }
        }
        return new Normalised.Improper<>(
                LinearAlgebra.best().eigen(n, precision).values()[0]);
    }
}
