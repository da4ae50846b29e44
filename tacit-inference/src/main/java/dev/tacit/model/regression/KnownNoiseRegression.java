package dev.tacit.model.regression;

import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.RowBounded;
import java.util.List;

/**
 * Linear regression with known noise, whose posterior is Gaussian and exact.
 *
 * <pre>
 *   y | x ~ N(xᵀθ, 1 / noisePrecision),     θ ~ N(0, I / priorPrecision)
 *   residual τ (y − xᵀθ),   curvature τ
 * </pre>
 *
 * @param parameterNames one for each column
 * @param rowNormBound public bound on the L2 norm of a record
 * @param priorPrecision of each weight
 * @param noisePrecision τ
 * @param targetBound targets are moved into [−targetBound, targetBound]
 */
public record KnownNoiseRegression(
        List<String> parameterNames,
        double rowNormBound,
        double priorPrecision,
        double noisePrecision,
        double targetBound)
        implements GaussianMarginModel, RowBounded {
    public KnownNoiseRegression {
        parameterNames = List.copyOf(parameterNames);
        GaussianPrior.require(parameterNames, rowNormBound, priorPrecision);
        if (!(noisePrecision > 0) || Double.isInfinite(noisePrecision)) {
            throw new IllegalArgumentException("a noise precision is a positive number");
        }
        if (!(targetBound > 0) || Double.isInfinite(targetBound)) {
            throw new IllegalArgumentException("the bound on targets is a positive number");
        }
    }

    private double clamped(double label) {
        return Math.max(-targetBound, Math.min(targetBound, label));
    }

    @Override
    public double residual(double label, double margin) {
        return noisePrecision * (clamped(label) - margin);
    }

    @Override
    public double logLikelihood(double label, double margin) {
        double difference = clamped(label) - margin;
        return -0.5 * noisePrecision * difference * difference;
    }

    @Override
    public double averageResidual(double label, double mean, double variance) {
        return residual(label, mean);
    }

    @Override
    public double averageCurvature(double label, double mean, double variance) {
        return noisePrecision;
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        return GaussianPrior.logDensity(priorPrecision, parameters, gradient);
    }

    @Override
    public double[] start() {
        return new double[parameterNames.size()];
    }
}
