package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.RowBounded;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.NoisySpectrum;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GammaPosterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bayesian linear regression with unknown noise.
 *
 * <pre>
 *   t = (y − middle) / halfWidth ∈ [−1, 1],     t | x ~ N(xᵀθ, 1/τ),     θ ~ N(0, I / priorPrecision),     τ ~ Gamma(1, 0.01)
 *   statistics of one record:  t x,   squareWeight svec(x xᵀ),   t²          L2 norm at most √(R² + squareWeight² R⁴ + 1)
 *   q(θ) = N(μ, Σ):   Σ⁻¹ = ⟨τ⟩ Σ_n x xᵀ + priorPrecision I,   Σ⁻¹ μ = ⟨τ⟩ Σ_n t x
 *   q(τ) = Gamma(1 + N/2, 0.01 + ½ ⟨Σ_n (t − xᵀθ)²⟩)
 * </pre>
 *
 * Bishop 2006, Section 10.3, with the roles of the hyper-parameter exchanged. The statistics do not depend on q, so one
 * release is enough and the coordinate ascent runs on the released numbers. The target is clamped to its declared
 * bounds; a target that is not a number makes the contribution zero.
 *
 * <p>With noise of variance ν² in Σ t x and ν_s² in Σ x xᵀ = S, q(θ) is the posterior given the noisy sums:
 *
 * <pre>
 *   Σ t x + noise = S θ + N(0, S/⟨τ⟩ + T I),   T = ν² + ν_s² |μ|²/2:     Σ⁻¹ = priorPrecision I + S (S/⟨τ⟩ + T)⁻¹ S
 *   ⟨Σ_n (t − xᵀθ)²⟩ = Σ t² − 2 μᵀ Σ t x + μᵀ S μ − tr S Σ + 2/⟨τ⟩ tr Σ S (S/⟨τ⟩ + T)⁻¹ S
 * </pre>
 *
 * with noise taken out of the spectrum of S ({@link NoisySpectrum}), and a residual sum of squares below its own noise level raised to
 * it. Without noise these are the equations above. Bernstein, Sheldon 2019 sample from the same posterior.
 *
 * @param parameterNames one for each column
 * @param rowNormBound public bound on the L2 norm of a record
 * @param priorPrecision of each weight, in units of the scaled target
 * @param targetLow declared lower bound of the target
 * @param targetHigh declared upper bound of the target
 * @param publicSize declared number of units
 * @param squareWeight weight of the second statistic beside the others
 */
public record LinearRegression(
        List<String> parameterNames,
        double rowNormBound,
        double priorPrecision,
        double targetLow,
        double targetHigh,
        long publicSize,
        double squareWeight)
        implements ConjugateExponentialModel<Posterior>, PredictiveModel, RowBounded, Serializable {
    public static final String NAME = "linear-regression";

    private static final String WEIGHTS = "weights";
    private static final String PRECISION = "noise-precision";
    private static final double PRIOR_SHAPE = 1;
    private static final double PRIOR_RATE = 0.01;
    private static final int MOST_SWEEPS = 500;

    public LinearRegression {
        parameterNames = List.copyOf(parameterNames);
        GaussianPrior.require(parameterNames, rowNormBound, priorPrecision);
        if (!(targetLow < targetHigh) || Double.isInfinite(targetHigh - targetLow)) {
            throw new IllegalArgumentException("the bounds of the target are two numbers, the lower one first");
        }
        if (publicSize < 1) {
            throw new IllegalArgumentException("the public size is at least 1");
        }
        if (!(squareWeight > 0) || Double.isInfinite(squareWeight)) {
            throw new IllegalArgumentException("squareWeight is a positive number");
        }
    }

    private int columns() {
        return parameterNames.size();
    }

    double scaled(double target) {
        double clamped = Math.max(targetLow, Math.min(targetHigh, target));
        return 2 * (clamped - targetLow) / (targetHigh - targetLow) - 1;
    }

    @Override
    public int statisticsDimension() {
        return LogisticRegression.statisticsDimension(columns()) + 1;
    }

    @Override
    public double statisticsL2Bound() {
        double norm = rowNormBound;
        return Math.sqrt(norm * norm + squareWeight * squareWeight * norm * norm * norm * norm + 1);
    }

    @Override
    public Posterior start(double[] hyperParameters, RandomStream random) {
        return posterior(new double[statisticsDimension()], 0, hyperParameters);
    }

    @Override
    public double[] hyperParameters() {
        return new double[0];
    }

    @Override
    public double[] hyperParameters(Posterior posterior, double[] before) {
        return new double[0];
    }

    @Override
    public ContributionSum expectedStatistics(Posterior posterior) {
        int columns = columns();
        int last = statisticsDimension() - 1;
        return ContributionSum.of(last + 1, (block, row, contribution) -> {
            double target = scaled(block.label(row));
            contribution.addRow(0, target);
            contribution.addSquare(columns, squareWeight);
            contribution.add(last, target * target);
        });
    }

    @Override
    public Posterior posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        int columns = columns();
        LinearAlgebra algebra = LinearAlgebra.best();
        double[] first = Arrays.copyOf(statistics, columns);
        SymmetricEigen eigen = algebra.eigen(columns, SymmetricMatrix.fromVector(columns, statistics, columns));
        double squareNoise = noiseStandardDeviation / squareWeight;
        double[] spread = NoisySpectrum.cleaned(eigen.values(), noiseStandardDeviation * Math.sqrt(2.0 * columns));
        for (int i = 0; i < columns; i++) {
            spread[i] /= squareWeight;
        }
        double[] rotated = new double[columns];
        algebra.multiplyVector(false, columns, columns, 1, eigen.vectors(), first, 0, rotated);

        double shape = PRIOR_SHAPE + publicSize / 2.0;
        double targetSquares = statistics[statistics.length - 1];
        double rate = PRIOR_RATE + publicSize / 2.0;
        double[] mean = new double[columns];
        double[] variances = new double[columns];
        for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
            double squaredLength =
                    Arrays.stream(mean).map(weight -> weight * weight).sum();
            double noiseVariance =
                    noiseStandardDeviation * noiseStandardDeviation + squareNoise * squareNoise * squaredLength / 2;
            double variance = rate / shape;
            double squares = targetSquares;
            for (int i = 0; i < columns; i++) {
                double information = spread[i] > 0 ? spread[i] * spread[i] / (variance * spread[i] + noiseVariance) : 0;
                variances[i] = 1 / (information + priorPrecision);
                mean[i] = spread[i] > 0 ? variances[i] * information * rotated[i] / spread[i] : 0;
                squares += mean[i] * (mean[i] * spread[i] - 2 * rotated[i])
                        + variances[i] * (2 * variance * information - spread[i]);
            }
            double floor = noiseStandardDeviation
                    * Math.sqrt(1 + 4 * squaredLength + squaredLength * squaredLength / (squareWeight * squareWeight));
            double next = PRIOR_RATE + Math.max(Math.max(squares, floor), 0) / 2;
            boolean settled = Math.abs(next - rate) <= 1e-14 * rate;
            rate = next;
            if (settled) {
                break;
            }
        }
        SymmetricMatrix.raiseNegligible(variances);
        double[] weights = new double[columns];
        algebra.multiplyVector(true, columns, columns, 1, eigen.vectors(), mean, 0, weights);
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        blocks.put(WEIGHTS, new GaussianPosterior(parameterNames, weights, eigen.weighted(variances)));
        blocks.put(PRECISION, new GammaPosterior(PRECISION, shape, rate));
        return new ProductPosterior(blocks);
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        ProductPosterior product = (ProductPosterior) posterior;
        LinearMargin margin = LinearMargin.of(product.block(WEIGHTS), columns());
        GammaPosterior precision = (GammaPosterior) product.block(PRECISION);
        double noise = precision.rate() / Math.max(1e-300, precision.shape() - 1);
        double halfWidth = (targetHigh - targetLow) / 2;
        double middle = targetLow + halfWidth;
        return (block, row) -> new Prediction.Numeric(
                middle + halfWidth * margin.mean(block, row),
                halfWidth * Math.sqrt(margin.variance(block, row) + noise));
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        double halfWidth = (targetHigh - targetLow) / 2;
        double noise = random.normal() / Math.sqrt(parameters[columns()]);
        return targetLow + halfWidth * (1 + Rows.dot(block, row, parameters, 0) + noise);
    }
}
