package dev.tacit.partitioned.update;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.List;

/**
 * The clipped change of one record's factor in the last of the rounds that its party saw.
 *
 * <pre>
 *   t = 0;  for every round s:   change = clip((r x + c x² μ, w c x²) − t, l2Bound),   t ← t + damping change
 * </pre>
 *
 * with x and μ in units of the prior's standard deviation and r, c averages over the margin under the approximation of round
 * s. A function of the record and of public values only. Cost: rounds times non-zero numbers of the record.
 */
public final class VirtualSites implements ContributionSum {
    private static final long serialVersionUID = 1;

    /** An approximation that was sent: means and variances in units of the prior. */
    public record Seen(double[] means, double[] variances) {
        public static Seen of(NaturalGaussian global, double unit) {
            double[] precision = global.precisionDiagonal();
            double[] means = global.weightedMean();
            double[] variances = new double[means.length];
            for (int j = 0; j < means.length; j++) {
                means[j] /= precision[j] * unit;
                variances[j] = 1 / (precision[j] * unit * unit);
            }
            return new Seen(means, variances);
        }
    }

    private final GaussianMarginModel model;
    private final int columns;
    private final int rounds;
    private final double unit;
    private final double damping;
    private final double l2Bound;
    private final double precisionWeight;

    /** Column after column, the rounds of each side by side. */
    private final double[] means;

    private final double[] variances;

    public VirtualSites(
            GaussianMarginModel model,
            List<Seen> seen,
            double unit,
            double damping,
            double l2Bound,
            double precisionWeight) {
        this.model = model;
        this.columns = model.dimension();
        this.rounds = seen.size();
        this.unit = unit;
        this.damping = damping;
        this.l2Bound = l2Bound;
        this.precisionWeight = precisionWeight;
        this.means = new double[columns * rounds];
        this.variances = new double[columns * rounds];
        for (int j = 0; j < columns; j++) {
            for (int s = 0; s < rounds; s++) {
                means[j * rounds + s] = seen.get(s).means()[j];
                variances[j * rounds + s] = seen.get(s).variances()[j];
            }
        }
    }

    @Override
    public int dimension() {
        return 2 * columns;
    }

    @Override
    public Worker worker() {
        return new SiteWorker();
    }

    private final class SiteWorker implements Worker {
        private final double[] marginMeans = new double[rounds];
        private final double[] marginVariances = new double[rounds];
        private final double[] scaled = new double[columns];
        private final int[] places = new int[columns];
        private final double[] factor = new double[2 * columns];
        private final double[] change = new double[2 * columns];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            Arrays.fill(marginMeans, 0);
            Arrays.fill(marginVariances, 0);
            int entries = block instanceof SparseBlock sparse ? gather(sparse, row) : gather((DenseBlock) block, row);
            Arrays.fill(factor, 0, 2 * entries, 0);
            for (int s = 0; s < rounds; s++) {
                advance(entries, s, block.label(row), s + 1 < rounds);
            }
            for (int i = 0; i < entries; i++) {
                contribution.addAll(2 * places[i], change, 2 * i, 2);
            }
        }

        private int gather(SparseBlock block, int row) {
            int count = 0;
            for (int entry = block.start(row); entry < block.end(row); entry++) {
                take(count++, block.columnIndices()[entry], block.values()[entry]);
            }
            return count;
        }

        private int gather(DenseBlock block, int row) {
            for (int j = 0; j < columns; j++) {
                take(j, j, block.values()[block.start(row) + j]);
            }
            return columns;
        }

        private void take(int place, int column, double value) {
            double x = unit * value;
            scaled[place] = x;
            places[place] = column;
            int at = column * rounds;
            for (int s = 0; s < rounds; s++) {
                marginMeans[s] += x * means[at + s];
                marginVariances[s] += x * x * variances[at + s];
            }
        }

        private void advance(int entries, int s, double label, boolean keep) {
            double residual = model.averageResidual(label, marginMeans[s], marginVariances[s]);
            double curvature = model.averageCurvature(label, marginMeans[s], marginVariances[s]);
            double squares = 0;
            for (int i = 0; i < entries; i++) {
                double x = scaled[i];
                double precision = curvature * x * x;
                double first = residual * x + precision * means[places[i] * rounds + s] - factor[2 * i];
                double second = precisionWeight * precision - factor[2 * i + 1];
                change[2 * i] = first;
                change[2 * i + 1] = second;
                squares += first * first + second * second;
            }
            double scale = squares > l2Bound * l2Bound ? l2Bound / Math.sqrt(squares) : 1;
            for (int i = 0; i < 2 * entries; i++) {
                change[i] *= scale;
                if (keep) {
                    factor[i] += damping * change[i];
                }
            }
        }
    }
}
