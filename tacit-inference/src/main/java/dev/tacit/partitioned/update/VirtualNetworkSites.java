package dev.tacit.partitioned.update;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.List;

/**
 * The clipped change of one record's factor in the last of the rounds that its party saw, for a model of linear predictors such
 * as a network.
 *
 * <pre>
 *   g_k = ∇ log p(x | θ_k),   θ_k = μ + s ⊙ z_k        λ = mean_k g_k²,   h = mean_k g_k + λ μ
 *   t = 0;  for every round:  change = clip((h, w λ) − t, l2Bound),   t ← t + damping change
 * </pre>
 *
 * The squares stand for the curvature, which they equal on average if the model is right and which would need many draws
 * (Khan et al. 2018, the method VOGN, for one record). A function of the record and of public values only. Cost: rounds times
 * draws times predictors times non-zero numbers of the record; memory: as much as one record touches.
 */
public final class VirtualNetworkSites implements ContributionSum {
    private static final long serialVersionUID = 1;

    /**
     * An approximation that was sent, and public draws from it.
     *
     * @param means μ
     * @param points θ, draw after draw
     */
    public record Seen(double[] means, double[][] points) {
        /**
         * What a shard sees of the global posterior.
         *
         * @param draws standard normal, one after the other
         */
        public static Seen of(NaturalGaussian global, double[] draws) {
            double[] precision = global.precisionDiagonal();
            double[] means = global.weightedMean();
            int d = means.length;
            double[][] points = new double[draws.length / d][d];
            for (int j = 0; j < d; j++) {
                means[j] /= precision[j];
                for (int k = 0; k < points.length; k++) {
                    points[k][j] = means[j] + draws[k * d + j] / Math.sqrt(precision[j]);
                }
            }
            return new Seen(means, points);
        }
    }

    private final LinearPredictorModel model;
    private final List<Seen> seen;
    private final double damping;
    private final double l2Bound;
    private final double precisionWeight;

    public VirtualNetworkSites(
            LinearPredictorModel model, List<Seen> seen, double damping, double l2Bound, double precisionWeight) {
        this.model = model;
        this.seen = List.copyOf(seen);
        this.damping = damping;
        this.l2Bound = l2Bound;
        this.precisionWeight = precisionWeight;
    }

    @Override
    public int dimension() {
        return 2 * model.dimension();
    }

    @Override
    public Worker worker() {
        return new SiteWorker();
    }

    private final class SiteWorker implements Worker {
        private final LinearPredictorModel.Response response = model.response();
        private final int columns = model.columns();
        private final int units = model.predictors();
        private final int weights = columns * units;
        private final int others = model.others();
        private final double[] predictors = new double[units];
        private final double[] slopes = new double[units];
        private final double[] meanSlopes = new double[units];
        private final double[] squaredSlopes = new double[units];
        private final double[] otherSlopes = new double[weights + others];
        private final double[] meanOthers = new double[others];
        private final double[] squaredOthers = new double[others];

        /** The non-zero numbers of the record. */
        private final int[] places = new int[columns];

        private final double[] values = new double[columns];
        private int entries;

        /** Pairs of weighted mean and precision: those of the non-zeros, then those of the other parameters. */
        private final double[] factor = new double[2 * (weights + others)];

        private final double[] change = new double[2 * (weights + others)];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            gather(block, row);
            int numbers = 2 * (entries * units + others);
            Arrays.fill(factor, 0, numbers, 0);
            for (int s = 0; s < seen.size(); s++) {
                average(block, row, seen.get(s));
                advance(seen.get(s).means(), numbers);
            }
            for (int e = 0; e < entries; e++) {
                contribution.addAll(2 * places[e] * units, change, 2 * e * units, 2 * units);
            }
            contribution.addAll(2 * weights, change, 2 * entries * units, 2 * others);
        }

        private void gather(RecordBlock block, int row) {
            entries = 0;
            if (block instanceof SparseBlock sparse) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    take(sparse.columnIndices()[entry], sparse.values()[entry]);
                }
            } else {
                DenseBlock dense = (DenseBlock) block;
                for (int column = 0; column < columns; column++) {
                    take(column, dense.values()[dense.start(row) + column]);
                }
            }
        }

        private void take(int column, double value) {
            if (value != 0) {
                places[entries] = column;
                values[entries] = value;
                entries++;
            }
        }

        /** Means and mean squares of the derivatives in predictors and other parameters. */
        private void average(RecordBlock block, int row, Seen at) {
            Arrays.fill(meanSlopes, 0);
            Arrays.fill(squaredSlopes, 0);
            Arrays.fill(meanOthers, 0);
            Arrays.fill(squaredOthers, 0);
            double share = 1.0 / at.points().length;
            for (double[] point : at.points()) {
                Arrays.fill(predictors, 0);
                LinearPredictorModel.addPredictors(block, row, units, point, predictors);
                response.logDensity(block.label(row), predictors, 0, point, weights, slopes, otherSlopes);
                for (int i = 0; i < units; i++) {
                    meanSlopes[i] += share * slopes[i];
                    squaredSlopes[i] += share * slopes[i] * slopes[i];
                }
                for (int i = 0; i < others; i++) {
                    double slope = otherSlopes[weights + i];
                    meanOthers[i] += share * slope;
                    squaredOthers[i] += share * slope * slope;
                }
            }
        }

        /** The change from the factor, and the factor after it. */
        private void advance(double[] means, int numbers) {
            double squares = 0;
            for (int e = 0; e < entries; e++) {
                double x = values[e];
                for (int i = 0; i < units; i++) {
                    squares += pair(
                            e * units + i, x * meanSlopes[i], x * x * squaredSlopes[i], means[places[e] * units + i]);
                }
            }
            for (int i = 0; i < others; i++) {
                squares += pair(entries * units + i, meanOthers[i], squaredOthers[i], means[weights + i]);
            }
            double scale = squares > l2Bound * l2Bound ? l2Bound / Math.sqrt(squares) : 1;
            for (int i = 0; i < numbers; i++) {
                change[i] *= scale;
                factor[i] += damping * change[i];
            }
        }

        private double pair(int place, double slope, double precision, double mean) {
            double first = slope + precision * mean - factor[2 * place];
            double second = precisionWeight * precision - factor[2 * place + 1];
            change[2 * place] = first;
            change[2 * place + 1] = second;
            return first * first + second * second;
        }
    }
}
