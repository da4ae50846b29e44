package dev.tacit.model;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.ProductPosterior;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;
import java.util.Arrays;
import java.util.List;

/**
 * {@link LinearRegressionScore} on the columns and the target of a table, brought to standard normal columns by public
 * numbers.
 *
 * <pre>
 *   z = x / columnDeviation,     t = (y − middle) / halfWidth between the declared bounds of the target
 * </pre>
 *
 * Clipped: as there. Encoded columns lie in [−1, 1] if they are centred; columnDeviation is what is publicly known of their
 * standard deviation, the same for all. Weights are those of z. A target that is not a number makes the contribution zero.
 */
public final class NormalColumnsRegression implements ScoreFieldModel, PredictiveModel {
    private static final String WEIGHTS = "weights";

    private final LinearRegressionScore score;
    private final boolean intercept;
    private final double columnDeviation;
    private final double targetLow;
    private final double targetHigh;

    /**
     * @param score the model of standard normal columns
     * @param intercept whether its last column is one of ones
     * @param columnDeviation public standard deviation of an encoded column
     * @param targetLow declared lower bound of the target
     * @param targetHigh declared upper bound of the target
     */
    public NormalColumnsRegression(
            LinearRegressionScore score,
            boolean intercept,
            double columnDeviation,
            double targetLow,
            double targetHigh) {
        ConjugatePair.requirePositive(columnDeviation, "columnDeviation");
        if (!(targetLow < targetHigh) || Double.isInfinite(targetHigh - targetLow)) {
            throw new IllegalArgumentException("the bounds of the target are two numbers, the lower one first");
        }
        this.score = score;
        this.intercept = intercept;
        this.columnDeviation = columnDeviation;
        this.targetLow = targetLow;
        this.targetHigh = targetHigh;
    }

    private int weights() {
        return score.dimension() - 1;
    }

    private double halfWidth() {
        return (targetHigh - targetLow) / 2;
    }

    private double scaled(double target) {
        return (Math.max(targetLow, Math.min(targetHigh, target)) - targetLow) / halfWidth() - 1;
    }

    @Override
    public List<String> parameterNames() {
        return score.parameterNames();
    }

    @Override
    public double[] start() {
        return score.start();
    }

    @Override
    public double[] startPrecisions() {
        return score.startPrecisions();
    }

    @Override
    public RecordSum score(double[] point) {
        int last = weights();
        double[] encoded = encodedWeights(point);
        double scale = Math.exp(-0.5 * point[last]);
        LinearRegressionScore.Bounds bounds = score.bounds();
        return RecordSum.of(last + 1, (block, row, contribution) -> {
            double residual = scale * (scaled(block.label(row)) - block.dot(row, encoded, 0));
            double ones = intercept ? 1 : 0;
            double square = Math.max(0, block.squaredNorm(row) - ones) / (columnDeviation * columnDeviation) + ones;
            double norm = Math.abs(residual) * Math.sqrt(square);
            double shortened = norm > bounds.weightBound() ? residual * bounds.weightBound() / norm : residual;
            double weighted = bounds.weightScale() * shortened;
            contribution.addRow(0, weighted / columnDeviation);
            if (intercept) {
                contribution.add(last - 1, weighted - weighted / columnDeviation);
            }
            double spread = Math.min(0.5 * (residual * residual - 1), bounds.varianceBound());
            contribution.add(last, bounds.varianceScale() * (spread - bounds.centre()));
        });
    }

    /** Weights of the encoded columns. */
    private double[] encodedWeights(double[] point) {
        double[] encoded = Arrays.copyOf(point, weights());
        for (int j = 0; j < encoded.length - (intercept ? 1 : 0); j++) {
            encoded[j] /= columnDeviation;
        }
        return encoded;
    }

    @Override
    public void expect(double[] point, double[] precisions, double[] mean, double[] slopes) {
        score.expect(point, precisions, mean, slopes);
    }

    @Override
    public Posterior posterior(ScoreTrace trace) {
        return score.posterior(trace);
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        Posterior weights = posterior instanceof ProductPosterior product ? product.block(WEIGHTS) : posterior;
        double[] mean = encodedWeights(weights.mean());
        double[] deviations = encodedWeights(weights.standardDeviation());
        double[] squares = new double[mean.length];
        double noise = ConjugatePair.mean(posterior, weights(), Math::exp);
        return (block, row) -> {
            Arrays.fill(squares, 0);
            block.addTo(row, 1, squares, 0);
            double variance = noise;
            for (int j = 0; j < squares.length; j++) {
                variance += squares[j] * squares[j] * deviations[j] * deviations[j];
            }
            return new Prediction.Numeric(
                    targetLow + halfWidth() * (1 + block.dot(row, mean, 0)), halfWidth() * Math.sqrt(variance));
        };
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        double noise = Math.exp(0.5 * parameters[weights()]) * random.normal();
        return targetLow + halfWidth() * (1 + block.dot(row, encodedWeights(parameters), 0) + noise);
    }
}
