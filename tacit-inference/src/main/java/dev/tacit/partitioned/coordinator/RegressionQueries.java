package dev.tacit.partitioned.coordinator;

import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.ResidualModel;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.party.SumQueries;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.List;

/**
 * The sums that regressions are fitted by across parties: {@code origin-statistics} (one number, the square weight),
 * {@code residual-sum} (weights) and {@code bound-gradient} (means, variances, then the unit).
 *
 * @param <M> a regression whose residuals and averages are known
 */
public final class RegressionQueries<M extends ResidualModel & GaussianMarginModel> implements SumQueries {
    public static final String ORIGIN = "origin-statistics";
    public static final String RESIDUALS = "residual-sum";
    public static final String GRADIENT = "bound-gradient";

    private final M model;

    public RegressionQueries(M model) {
        this.model = model;
    }

    @Override
    public ContributionSum query(String name, DoubleVector numbers) {
        double[] values = numbers.toArray();
        int columns = model.columns();
        switch (name) {
            case ORIGIN -> {
                require(values.length == 1);
                return model.originStatistics(values[0]);
            }
            case RESIDUALS -> {
                require(values.length == columns);
                return model.residualSum(values);
            }
            case GRADIENT -> {
                require(values.length == 2 * columns + 1);
                double[] variances = Arrays.copyOfRange(values, columns, 2 * columns);
                return MarginExpectationGradient.of(
                        model, Arrays.copyOf(values, columns), variances, values[2 * columns], variances);
            }
            default -> throw new IllegalArgumentException("there is no query of this name");
        }
    }

    private static void require(boolean fits) {
        if (!fits) {
            throw new IllegalArgumentException("the numbers of the query do not fit the model");
        }
    }

    /** The model with sums that can be sent: a kernel that runs on it can run across parties. */
    public static ResidualModel sent(ResidualModel model) {
        return new Sent(model);
    }

    private record Sent(ResidualModel model) implements ResidualModel {
        @Override
        public List<String> parameterNames() {
            return model.parameterNames();
        }

        @Override
        public double rowNormBound() {
            return model.rowNormBound();
        }

        @Override
        public double priorPrecision() {
            return model.priorPrecision();
        }

        @Override
        public double largestResidual() {
            return model.largestResidual();
        }

        @Override
        public double largestResidualAtOrigin() {
            return model.largestResidualAtOrigin();
        }

        @Override
        public double largestCurvature() {
            return model.largestCurvature();
        }

        @Override
        public double typicalCurvatureShare() {
            return model.typicalCurvatureShare();
        }

        @Override
        public ContributionSum residualSum(double[] weights) {
            return new SentQuery(RESIDUALS, DoubleVector.of(weights), model.residualSum(weights));
        }

        @Override
        public ContributionSum originStatistics(double squareWeight) {
            return new SentQuery(ORIGIN, DoubleVector.of(squareWeight), model.originStatistics(squareWeight));
        }

        @Override
        public GaussianPosterior posterior(double[] mean, double[] covariance) {
            return model.posterior(mean, covariance);
        }
    }
}
