package dev.tacit.inference.vi;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;

/** {@link MeanFieldGradient} for any model: a whole gradient for each draw. */
final class WholeGradientWorker implements ContributionSum.Worker {
    private final DifferentiableModel.Likelihood likelihood;
    private final MeanFieldGradient.Draws draws;
    private final double[][] points;
    private final double[] gradient;
    private final double[] pairs;

    WholeGradientWorker(DifferentiableModel.Likelihood likelihood, MeanFieldGradient.Draws draws) {
        this.likelihood = likelihood;
        this.draws = draws;
        int d = draws.dimension();
        double[] all = draws.points();
        this.points = new double[draws.count()][];
        for (int k = 0; k < points.length; k++) {
            points[k] = Arrays.copyOfRange(all, k * d, (k + 1) * d);
        }
        this.gradient = new double[d];
        this.pairs = new double[2 * d];
    }

    @Override
    public void contribute(RecordBlock block, int row, Contribution contribution) {
        Arrays.fill(pairs, 0);
        double[] directions = draws.directions();
        int d = gradient.length;
        double share = 1.0 / points.length;
        for (int k = 0; k < points.length; k++) {
            Arrays.fill(gradient, 0);
            likelihood.logDensity(block, row, points[k], gradient);
            for (int j = 0; j < d; j++) {
                pairs[2 * j] += share * gradient[j];
                pairs[2 * j + 1] += gradient[j] * directions[k * d + j];
            }
        }
        contribution.addAll(0, pairs, 0, 2 * d);
    }
}
