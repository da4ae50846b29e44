package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.RowBounded;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.List;

/**
 * Bayesian Poisson regression of counts.
 *
 * <pre>
 *   y | x ~ Poisson(exp(xᵀθ)),     θ ~ N(0, I / priorPrecision)
 *   gradient of one record: (y − exp(xᵀθ)) x
 * </pre>
 *
 * McCullagh, Nelder 1989, Chapter 6, with the canonical link. The count is clamped to 0 and its declared upper bound; a
 * target that is not a number, and a rate that overflows, contribute nothing. The factorial is left out.
 *
 * @param parameterNames one for each column
 * @param rowNormBound public bound on the L2 norm of a record
 * @param priorPrecision of each weight
 * @param upperBound declared upper bound of the count
 */
public record PoissonRegression(
        List<String> parameterNames, double rowNormBound, double priorPrecision, double upperBound)
        implements GaussianMarginModel, PredictiveModel, RowBounded, Serializable {
    public static final String NAME = "poisson-regression";

    public PoissonRegression {
        parameterNames = List.copyOf(parameterNames);
        GaussianPrior.require(parameterNames, rowNormBound, priorPrecision);
        ConjugatePair.requirePositive(upperBound, "the upper bound of the target");
    }

    private double count(double label) {
        return Math.max(0, Math.min(upperBound, label));
    }

    /** y − exp(margin). */
    @Override
    public double residual(double label, double margin) {
        return count(label) - Math.exp(margin);
    }

    @Override
    public double logLikelihood(double label, double margin) {
        return count(label) * margin - Math.exp(margin);
    }

    /** With E exp(z) = exp(mean + variance / 2). */
    @Override
    public double averageResidual(double label, double mean, double variance) {
        return count(label) - Math.exp(mean + variance / 2);
    }

    /** −E r′ = E exp(z). */
    @Override
    public double averageCurvature(double label, double mean, double variance) {
        return Math.exp(mean + variance / 2);
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        return GaussianPrior.logDensity(priorPrecision, parameters, gradient);
    }

    @Override
    public double[] start() {
        return new double[parameterNames.size()];
    }

    /** With m ~ N(a, v): mean e^{a + v/2}, variance the mean plus mean² (e^v − 1). */
    @Override
    public Predictor predictor(Posterior posterior) {
        LinearMargin margin = LinearMargin.of(posterior, parameterNames.size());
        return (block, row) -> {
            double variance = margin.variance(block, row);
            double mean = Math.exp(Math.min(300, margin.mean(block, row) + variance / 2));
            return new Prediction.Numeric(
                    mean, Math.sqrt(mean) * Math.sqrt(1 + mean * Math.expm1(Math.min(300, variance))));
        };
    }

    /** Counts above the declared bound are drawn as the bound. */
    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        double rate = Math.exp(Rows.dot(block, row, parameters, 0));
        double time = random.exponential();
        int count = 0;
        while (time < rate && count < upperBound) {
            time += random.exponential();
            count++;
        }
        return count;
    }
}
