package dev.tacit.partitioned.coordinator;

import dev.tacit.model.ResidualModel;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.partitioned.message.Message;
import java.util.List;
import java.util.Optional;

/**
 * The last factor of a party in residual Newton inference, as a quadratic around the point where it last answered.
 *
 * <pre>
 *   t_m(θ) ∝ exp(g_m'(θ − v) − ½ (θ − v)' h A_m (θ − v))        so its residual sum at θ is g_m − h A_m (θ − v)
 * </pre>
 *
 * A_m comes from the party's first answer and h is the typical share of the largest curvature; both are released.
 *
 * @param model of all parties
 * @param squareWeight weight of second-order statistics in the first answer
 */
public record ResidualFactor(ResidualModel model, double squareWeight) implements StandIn {
    @Override
    public Optional<double[]> sum(List<Exchange> past, Message.SumRequest now) {
        if (past.isEmpty() || !now.query().equals(RegressionQueries.RESIDUALS)) {
            return Optional.empty();
        }
        int d = model.columns();
        double[] origin = past.get(0).reply().numbers();
        double[] curvature = SymmetricMatrix.fromVector(d, origin, d);
        Exchange last = past.get(past.size() - 1);
        double[] move = now.numbers().toArray();
        double[] sum = new double[d];
        if (past.size() > 1) {
            double[] before = last.request().numbers().toArray();
            for (int j = 0; j < d; j++) {
                move[j] -= before[j];
            }
        }
        System.arraycopy(last.reply().numbers(), 0, sum, 0, d);
        LinearAlgebra.best()
                .multiplyVector(false, d, d, -model.typicalCurvatureShare() / squareWeight, curvature, move, 1, sum);
        return Optional.of(sum);
    }
}
