package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.ResidualModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.LogisticPredictive;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.VectorSigmoid;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.List;

/**
 * Bayesian logistic regression, seen through its residuals.
 *
 * <pre>
 *   P(y = 1 | x, θ) = 1 / (1 + exp(−xᵀθ)),     θ ~ N(0, I / priorPrecision)
 *   gradient of one record: (y − P(1 | x, θ)) x,     |y − P| ≤ 1, ½ at θ = 0;     curvature P (1 − P) ≤ ¼
 * </pre>
 *
 * The label counts as 1 above one half and as 0 otherwise, whatever it is. Curvature averages about half of its largest
 * value over the margins that fitted models produce.
 *
 * @param parameterNames one for each column
 * @param rowNormBound public bound on the L2 norm of a record
 * @param priorPrecision of each weight
 */
public record LogisticRegression(List<String> parameterNames, double rowNormBound, double priorPrecision)
        implements ResidualModel, GaussianMarginModel, PredictiveModel, Serializable {
    public static final String NAME = "logistic-regression";

    public LogisticRegression {
        parameterNames = List.copyOf(parameterNames);
        GaussianPrior.require(parameterNames, rowNormBound, priorPrecision);
    }

    @Override
    public double largestResidual() {
        return 1;
    }

    @Override
    public double largestResidualAtOrigin() {
        return 0.5;
    }

    @Override
    public double largestCurvature() {
        return 0.25;
    }

    @Override
    public double typicalCurvatureShare() {
        return 0.5;
    }

    @Override
    public ContributionSum residualSum(double[] weights) {
        double[] point = weights.clone();
        return ContributionSum.of(columns(), (block, row, contribution) -> {
            double target = block.label(row) > 0.5 ? 1 : 0;
            contribution.addRow(0, target - SpecialFunctions.sigmoid(Rows.dot(block, row, point, 0)));
        });
    }

    @Override
    public ContributionSum originStatistics(double squareWeight) {
        int columns = columns();
        double squareScale = squareWeight * largestCurvature();
        return ContributionSum.of(statisticsDimension(columns), (block, row, contribution) -> {
            contribution.addRow(0, 0.5 * Rows.signedLabel(block, row));
            contribution.addSquare(columns, squareScale);
        });
    }

    static int statisticsDimension(int columns) {
        return columns + columns * (columns + 1) / 2;
    }

    @Override
    public GaussianPosterior posterior(double[] mean, double[] covariance) {
        return new GaussianPosterior(parameterNames, mean, covariance);
    }

    /** y − P(1 | margin). */
    @Override
    public double residual(double label, double margin) {
        return (label > 0.5 ? 1 : 0) - SpecialFunctions.sigmoid(margin);
    }

    /** {@link #residual} to within {@link VectorSigmoid}'s error. */
    @Override
    public void toResiduals(RecordBlock block, int from, int to, double[] margins, int count) {
        int n = to - from;
        VectorSigmoid.replace(margins, count * n);
        double[] targets = new double[n];
        for (int i = 0; i < n; i++) {
            targets[i] = block.label(from + i) > 0.5 ? 1 : 0;
        }
        for (int k = 0; k < count; k++) {
            int at = k * n;
            for (int i = 0; i < n; i++) {
                margins[at + i] = targets[i] - margins[at + i];
            }
        }
    }

    @Override
    public double logLikelihood(double label, double margin) {
        return SpecialFunctions.logSigmoid(label > 0.5 ? margin : -margin);
    }

    /** {@link LogisticAverages#probability}. */
    @Override
    public double averageResidual(double label, double mean, double variance) {
        return (label > 0.5 ? 1 : 0) - LogisticAverages.probability(mean, variance);
    }

    /** {@link LogisticAverages#slope}. */
    @Override
    public double averageCurvature(double label, double mean, double variance) {
        return LogisticAverages.slope(mean, variance);
    }

    @Override
    public void toAverages(RecordBlock block, double[] means, double[] variances) {
        LogisticAverages.replace(means, variances, block.rows());
        for (int row = 0; row < block.rows(); row++) {
            means[row] = (block.label(row) > 0.5 ? 1 : 0) - means[row];
        }
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        return GaussianPrior.logDensity(priorPrecision, parameters, gradient);
    }

    @Override
    public double[] start() {
        return new double[columns()];
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        LinearMargin margin = LinearMargin.of(posterior, columns());
        return (block, row) -> {
            double mean = margin.mean(block, row);
            double variance = margin.variance(block, row);
            return new Prediction.Probability(LogisticPredictive.exact(mean, variance));
        };
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        return random.uniform() < SpecialFunctions.sigmoid(Rows.dot(block, row, parameters, 0)) ? 1 : 0;
    }
}
