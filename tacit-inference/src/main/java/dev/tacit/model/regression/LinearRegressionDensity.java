package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.RowBounded;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.TransformedPosterior;
import dev.tacit.query.Rows;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Linear regression with unknown noise as a log-density of its weights and of ρ, v = softplus(ρ) being the variance of the
 * noise.
 *
 * <pre>
 *   t = (y − middle) / halfWidth,     t | x ~ N(xᵀw, v),     w | v ~ N(0, v I / priorPrecision),     v ~ InverseGamma(shape, rate)
 *   log p(t | x) = −½ log v − r² / 2v,   r = t − xᵀw;     slopes  r / v,   softplus′(ρ) (r² / v − 1) / 2v
 * </pre>
 *
 * The model of Alrawajfeh, Jälkö, Honkela 2025, Section 5.1, with its Jacobian. The target is clamped to its declared
 * bounds and scaled to [−1, 1]; one that is not a number contributes nothing.
 *
 * @param columnNames one for each column
 * @param rowNormBound public bound on the L2 norm of a record
 * @param priorPrecision of a weight, in units of 1 / v
 * @param noiseShape of the prior of v
 * @param noiseRate of the prior of v
 * @param targetLow declared lower bound of the target
 * @param targetHigh declared upper bound of the target
 */
public record LinearRegressionDensity(
        List<String> columnNames,
        double rowNormBound,
        double priorPrecision,
        double noiseShape,
        double noiseRate,
        double targetLow,
        double targetHigh)
        implements LinearPredictorModel, PredictiveModel, RowBounded, Serializable {
    private static final String NOISE = "noise-variance";

    public LinearRegressionDensity {
        columnNames = List.copyOf(columnNames);
        GaussianPrior.require(columnNames, rowNormBound, priorPrecision);
        ConjugatePair.requirePositive(noiseShape, "noiseShape");
        ConjugatePair.requirePositive(noiseRate, "noiseRate");
        if (!(targetLow < targetHigh) || Double.isInfinite(targetHigh - targetLow)) {
            throw new IllegalArgumentException("the bounds of the target are two numbers, the lower one first");
        }
    }

    @Override
    public Optional<ParameterSpace> space() {
        return Optional.of(
                ParameterSpace.of("weights", Transforms.real(columns())).and(NOISE, Transforms.softplus(1)));
    }

    @Override
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>(columnNames);
        names.add(NOISE);
        return names;
    }

    @Override
    public List<String> reportedNames() {
        return parameterNames();
    }

    @Override
    public int dimension() {
        return columnNames.size() + 1;
    }

    @Override
    public int columns() {
        return columnNames.size();
    }

    @Override
    public int predictors() {
        return 1;
    }

    private double scaled(double target) {
        double clamped = Math.max(targetLow, Math.min(targetHigh, target));
        return 2 * (clamped - targetLow) / (targetHigh - targetLow) - 1;
    }

    @Override
    public Response response() {
        return (label, predictors, at, others, othersAt, slopes, otherSlopes) -> {
            double variance = SpecialFunctions.softplus(others[othersAt]);
            double residual = scaled(label) - predictors[at];
            double scaledSquare = residual * residual / variance;
            slopes[at] = residual / variance;
            otherSlopes[othersAt] = SpecialFunctions.sigmoid(others[othersAt]) * (scaledSquare - 1) / (2 * variance);
            return -0.5 * (Math.log(variance) + scaledSquare);
        };
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        int columns = columns();
        double link = parameters[columns];
        double variance = SpecialFunctions.softplus(link);
        double slope = SpecialFunctions.sigmoid(link);
        double squares = 0;
        for (int j = 0; j < columns; j++) {
            gradient[j] = -priorPrecision * parameters[j] / variance;
            squares += parameters[j] * parameters[j];
        }
        double rate = noiseRate + 0.5 * priorPrecision * squares;
        double shape = noiseShape + 1 + columns / 2.0;
        gradient[columns] = slope * (rate / variance - shape) / variance + 1 - slope;
        return -shape * Math.log(variance) - rate / variance + SpecialFunctions.logSigmoid(link);
    }

    /** No weights, and noise that fills a quarter of the declared range. */
    @Override
    public double[] start() {
        double[] start = new double[dimension()];
        start[columns()] = SpecialFunctions.inverseSoftplus(0.0625);
        return start;
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        Posterior weights = TransformedPosterior.freeOf(posterior);
        double[] mean = weights.mean();
        double[] variances =
                Arrays.stream(weights.standardDeviation()).map(sd -> sd * sd).toArray();
        if (mean.length != dimension()) {
            throw new IllegalArgumentException("the posterior does not have " + dimension() + " parameters");
        }
        double noise = posterior instanceof TransformedPosterior
                ? posterior.mean()[columns()]
                : SpecialFunctions.softplus(mean[columns()]);
        double halfWidth = (targetHigh - targetLow) / 2;
        double middle = targetLow + halfWidth;
        LinearMargin margin = LinearMargin.independent(columns(), mean, variances);
        return (block, row) -> new Prediction.Numeric(
                middle + halfWidth * margin.mean(block, row),
                halfWidth * Math.sqrt(margin.variance(block, row) + noise));
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        double halfWidth = (targetHigh - targetLow) / 2;
        double noise = random.normal() * Math.sqrt(parameters[columns()]);
        return targetLow + halfWidth * (1 + Rows.dot(block, row, parameters, 0) + noise);
    }
}
