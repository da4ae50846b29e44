package dev.tacit.partitioned.gaussian;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Normalised;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianFactor;
import dev.tacit.posterior.family.GaussianFactor;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * A Gaussian, a factor of one, or a change of one, in natural parameters; it may be improper, and says so.
 *
 * <pre>
 *   t(θ) ∝ exp(hᵀθ − ½ θᵀΛθ)      product: sum of parameters      quotient: difference      power: multiple
 * </pre>
 *
 * Immutable. Nothing here turns a negative precision into a positive one silently: {@link #withPrecisionOf} is asked for
 * by name, and {@link #improperDirections} counts what it has to raise.
 */
public final class NaturalGaussian implements Serializable {
    private static final long serialVersionUID = 1;

    private final GaussianFamily family;
    private final int dimension;
    private final double[] parameters;

    private NaturalGaussian(GaussianFamily family, int dimension, double[] parameters) {
        this.family = family;
        this.dimension = dimension;
        this.parameters = parameters;
    }

    /** From natural parameters in the order of the family. */
    public static NaturalGaussian of(GaussianFamily family, int dimension, double[] naturalParameters) {
        if (naturalParameters.length != family.size(dimension)) {
            throw new IllegalArgumentException("a Gaussian of this family in " + dimension + " dimensions has "
                    + family.size(dimension) + " natural parameters and not " + naturalParameters.length);
        }
        return new NaturalGaussian(family, dimension, naturalParameters.clone());
    }

    /** The factor 1, which says nothing. */
    public static NaturalGaussian flat(GaussianFamily family, int dimension) {
        return new NaturalGaussian(family, dimension, new double[family.size(dimension)]);
    }

    /** Independent coordinates with these weighted means and precisions, as a member of the family. */
    public static NaturalGaussian independent(GaussianFamily family, double[] weightedMean, double[] precision) {
        int n = weightedMean.length;
        double[] parameters = new double[family.size(n)];
        System.arraycopy(weightedMean, 0, parameters, 0, n);
        for (int i = 0; i < n; i++) {
            int place = family == GaussianFamily.MEAN_FIELD ? i : SymmetricMatrix.vectorIndex(i, i);
            parameters[n + place] = -0.5 * precision[i];
        }
        return new NaturalGaussian(family, n, parameters);
    }

    /** N(0, I / precision). */
    public static NaturalGaussian centred(GaussianFamily family, int dimension, double precision) {
        double[] precisions = new double[dimension];
        Arrays.fill(precisions, precision);
        return independent(family, new double[dimension], precisions);
    }

    public GaussianFamily family() {
        return family;
    }

    /** How many coordinates θ has. */
    public int dimension() {
        return dimension;
    }

    /** The natural parameters, (h, −½ λ) or (h, svec(−½ Λ)). */
    public double[] naturalParameters() {
        return parameters.clone();
    }

    /** This times another to a power: parameters add up. */
    public NaturalGaussian times(NaturalGaussian other, double exponent) {
        if (other.family != family || other.dimension != dimension) {
            throw new IllegalArgumentException("two factors belong to different families of Gaussians");
        }
        double[] sum = parameters.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += exponent * other.parameters[i];
        }
        return new NaturalGaussian(family, dimension, sum);
    }

    /** The product. */
    public NaturalGaussian times(NaturalGaussian other) {
        return times(other, 1);
    }

    /** The quotient, which may be improper. */
    public NaturalGaussian over(NaturalGaussian other) {
        return times(other, -1);
    }

    /** This to a power. */
    public NaturalGaussian power(double exponent) {
        return flat(family, dimension).times(this, exponent);
    }

    /** The diagonal of the precision. */
    public double[] precisionDiagonal() {
        double[] diagonal = new double[dimension];
        for (int i = 0; i < dimension; i++) {
            int place = family == GaussianFamily.MEAN_FIELD ? i : SymmetricMatrix.vectorIndex(i, i);
            diagonal[i] = -2 * parameters[dimension + place];
        }
        return diagonal;
    }

    /** h. */
    public double[] weightedMean() {
        return Arrays.copyOf(parameters, dimension);
    }

    /** In how many directions (coordinates, or eigenvectors) the precision is below that of the other. */
    public int improperDirections(NaturalGaussian floor) {
        int count = 0;
        for (double excess : excess(floor)) {
            count += excess < 0 ? 1 : 0;
        }
        return count;
    }

    private double[] excess(NaturalGaussian floor) {
        if (family == GaussianFamily.MEAN_FIELD) {
            double[] excess = precisionDiagonal();
            double[] least = floor.precisionDiagonal();
            for (int i = 0; i < dimension; i++) {
                excess[i] -= least[i];
            }
            return excess;
        }
        double[] precision = full().precision();
        double[] least = floor.full().precision();
        for (int i = 0; i < precision.length; i++) {
            precision[i] -= least[i];
        }
        return LinearAlgebra.best().eigen(dimension, precision).values();
    }

    /**
     * This with its precision raised to at least that of another, h being kept: λ ← max(λ, floor) for each coordinate, or
     * the positive part of Λ − floor, plus floor. A mean that is raised in precision shrinks, and never changes sign.
     */
    public NaturalGaussian withPrecisionOf(NaturalGaussian floor) {
        if (improperDirections(floor) == 0) {
            return this;
        }
        if (family == GaussianFamily.MEAN_FIELD) {
            double[] precision = precisionDiagonal();
            double[] least = floor.precisionDiagonal();
            for (int i = 0; i < dimension; i++) {
                precision[i] = Math.max(precision[i], least[i]);
            }
            return independent(family, weightedMean(), precision);
        }
        double[] least = floor.full().precision();
        double[] precision = full().precision();
        for (int i = 0; i < precision.length; i++) {
            precision[i] -= least[i];
        }
        double[] raised = SymmetricMatrix.withEigenvaluesAtLeast(0, dimension, precision);
        for (int i = 0; i < raised.length; i++) {
            raised[i] += least[i];
        }
        SymmetricMatrix.symmetrise(dimension, raised);
        return new NaturalGaussian(
                family, dimension, GaussianFactor.of(weightedMean(), raised).naturalParameters());
    }

    private GaussianFactor full() {
        return GaussianFactor.ofNaturalParameters(dimension, parameters);
    }

    /** The distribution, if there is one. */
    public Normalised<? extends Posterior> normalise(List<String> parameterNames) {
        return family == GaussianFamily.MEAN_FIELD
                ? DiagonalGaussianFactor.ofNaturalParameters(parameters).normalise(parameterNames)
                : full().normalise(parameterNames);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NaturalGaussian gaussian
                && gaussian.family == family
                && gaussian.dimension == dimension
                && Arrays.equals(gaussian.parameters, parameters);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(parameters);
    }
}
