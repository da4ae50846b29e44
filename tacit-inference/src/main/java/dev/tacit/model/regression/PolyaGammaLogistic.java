package dev.tacit.model.regression;

import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Bayesian logistic regression made conjugate by Pólya-Gamma variables.
 *
 * <pre>
 *   ξ_n ~ PG(1, 0) given θ:   q(ξ_n) = PG(1, c_n),   c_n² = ⟨(x_nᵀθ)²⟩ = (x_nᵀμ)² + x_nᵀΣx_n,   ⟨ξ_n⟩ = tanh(c_n/2) / (2 c_n)
 *   statistics of one record:  (y_n − ½) x_n   and   ⟨ξ_n⟩ x_n x_nᵀ
 *   q(θ) = N(μ, Σ):   Σ⁻¹ = ⟨α⟩ I + Σ_n ⟨ξ_n⟩ x_n x_nᵀ,   Σ⁻¹ μ = Σ_n (y_n − ½) x_n
 *   q(α) = Gamma(1 + D/2, 1 + ⟨θᵀθ⟩/2)          α ~ Gamma(1, 1): the hierarchical prior precision
 * </pre>
 *
 * Polson, Scott, Windle 2013; Park, Foulds, Chaudhuri, Welling 2020, Section 5. Released as one vector: (y − ½) x, then
 * {@code squareWeight} ⟨ξ⟩ svec(x xᵀ), with L2 norm at most √(R²/4 + squareWeight² R⁴/16) for rows of norm R.
 *
 * <p>With noise, negative eigenvalues of the second statistic are set to 0 and {@code ridge} times the edge of the
 * noise's spectrum, sd √(2D), is added to the precision (post-processing; the paper raises eigenvalues to a constant).
 * The covariance then counts, along each eigenvector, what separates the estimate from the truth: shrinkage by prior
 * and ridge, sampling, and the noise of both statistics, the second of which is multiplied by the weights.
 *
 * @param regression the model
 * @param squareWeight weight of the second statistic beside the first
 * @param ridge multiple of the noise's edge
 * @param hierarchical whether the prior precision is learned; otherwise it is the model's
 */
public record PolyaGammaLogistic(LogisticRegression regression, double squareWeight, double ridge, boolean hierarchical)
        implements ConjugateExponentialModel<GaussianPosterior>, RowBounded, Serializable {
    private static final double PRIOR_SHAPE = 1;
    private static final double PRIOR_RATE = 1;

    /** Noise must not switch the prior off: a learned precision stays within this factor of the declared one. */
    private static final double MOST_CHANGE = 1000;

    public PolyaGammaLogistic {
        if (!(squareWeight > 0) || Double.isInfinite(squareWeight)) {
            throw new IllegalArgumentException("squareWeight is a positive number");
        }
        if (!(ridge >= 0) || Double.isInfinite(ridge)) {
            throw new IllegalArgumentException("ridge is a number from 0");
        }
    }

    /** With the weights that suit private runs. */
    public static PolyaGammaLogistic of(LogisticRegression regression) {
        return new PolyaGammaLogistic(regression, 4, 0.5, false);
    }

    private int columns() {
        return regression.columns();
    }

    @Override
    public double rowNormBound() {
        return regression.rowNormBound();
    }

    @Override
    public int statisticsDimension() {
        return LogisticRegression.statisticsDimension(columns());
    }

    @Override
    public double statisticsL2Bound() {
        double norm = regression.rowNormBound();
        return Math.hypot(norm / 2, squareWeight * norm * norm / 4);
    }

    @Override
    public GaussianPosterior start(double[] hyperParameters, RandomStream random) {
        double[] covariance = SymmetricMatrix.scaledIdentity(columns(), 1 / regression.priorPrecision());
        return regression.posterior(new double[columns()], covariance);
    }

    @Override
    public double[] hyperParameters() {
        return new double[] {regression.priorPrecision()};
    }

    @Override
    public double[] hyperParameters(GaussianPosterior posterior, double[] before) {
        if (!hierarchical) {
            return hyperParameters();
        }
        double square = 0;
        double[] mean = posterior.mean();
        double[] deviation = posterior.standardDeviation();
        for (int i = 0; i < mean.length; i++) {
            square += mean[i] * mean[i] + deviation[i] * deviation[i];
        }
        double precision = (PRIOR_SHAPE + mean.length / 2.0) / (PRIOR_RATE + square / 2);
        double declared = regression.priorPrecision();
        return new double[] {Math.max(declared / MOST_CHANGE, Math.min(declared * MOST_CHANGE, precision))};
    }

    @Override
    public ContributionSum expectedStatistics(GaussianPosterior posterior) {
        int columns = columns();
        LinearMargin margin = LinearMargin.of(posterior, columns);
        return ContributionSum.of(statisticsDimension(), (block, row, contribution) -> {
            double mean = margin.mean(block, row);
            double scale = Math.sqrt(mean * mean + margin.variance(block, row));
            contribution.addRow(0, 0.5 * Rows.signedLabel(block, row));
            contribution.addSquare(columns, squareWeight * SpecialFunctions.polyaGammaMean(scale));
        });
    }

    @Override
    public GaussianPosterior posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        int columns = columns();
        double prior = hyperParameters[0];
        double[] first = Arrays.copyOf(statistics, columns);
        SymmetricEigen eigen =
                LinearAlgebra.best().eigen(columns, SymmetricMatrix.fromVector(columns, statistics, columns));
        double squareNoise = noiseStandardDeviation / squareWeight;
        double damping = prior + ridge * squareNoise * Math.sqrt(2.0 * columns);

        double[] curvatures = new double[columns];
        double[] rotated = new double[columns];
        LinearAlgebra.best().multiplyVector(false, columns, columns, 1, eigen.vectors(), first, 0, rotated);
        double squaredLength = 0;
        for (int i = 0; i < columns; i++) {
            curvatures[i] = Math.max(0, eigen.values()[i]) / squareWeight;
            rotated[i] /= curvatures[i] + damping;
            squaredLength += rotated[i] * rotated[i];
        }
        double[] mean = new double[columns];
        LinearAlgebra.best().multiplyVector(true, columns, columns, 1, eigen.vectors(), rotated, 0, mean);

        double noiseVariance =
                noiseStandardDeviation * noiseStandardDeviation + squareNoise * squareNoise * squaredLength / 2;
        double[] variances = new double[columns];
        for (int i = 0; i < columns; i++) {
            double precision = curvatures[i] + damping;
            variances[i] = (damping * damping / prior + curvatures[i] + noiseVariance) / (precision * precision);
        }
        SymmetricMatrix.raiseNegligible(variances);
        return regression.posterior(mean, eigen.weighted(variances));
    }
}
