package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.RowBounded;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Rows;
import java.util.List;

/**
 * Bayesian probit regression.
 *
 * <pre>
 *   P(y = 1 | x, θ) = Φ(xᵀθ),     θ ~ N(0, I / priorPrecision);     with θ integrated out, Φ(E u / √(1 + Var u)), u = xᵀθ
 * </pre>
 *
 * @param parameterNames one for each column
 * @param rowNormBound public bound on the L2 norm of a record
 * @param priorPrecision of each weight
 */
public record ProbitRegression(List<String> parameterNames, double rowNormBound, double priorPrecision)
        implements PredictiveModel, RowBounded {
    public static final String NAME = "probit-regression";

    public ProbitRegression {
        parameterNames = List.copyOf(parameterNames);
        GaussianPrior.require(parameterNames, rowNormBound, priorPrecision);
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        LinearMargin margin = LinearMargin.of(posterior, parameterNames.size());
        return (block, row) -> new Prediction.Probability(
                SpecialFunctions.normalCdf(margin.mean(block, row) / Math.sqrt(1 + margin.variance(block, row))));
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        return random.uniform() < SpecialFunctions.normalCdf(Rows.dot(block, row, parameters, 0)) ? 1 : 0;
    }
}
