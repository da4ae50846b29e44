package dev.tacit.inference;

import dev.tacit.model.MarginModel;
import dev.tacit.numerics.GaussHermite;
import dev.tacit.privacy.data.Contribution;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;
import dev.tacit.privacy.data.SparseBlock;

/**
 * {@link MeanFieldGradient} of a {@link MarginModel} without draws: under q the margin is one normal number, and everything
 * a record says about q is two expectations over it.
 *
 * <pre>
 *   m = xᵀθ ~ N(xᵀμ, s²),  s² = Σ_j x_j² softplus(u_j)²
 *   coordinate 2j: E r(y, m) x_j        coordinate 2j+1: scaleWeight softplus′(u_j) softplus(u_j) x_j² E r′(y, m)
 *   E r′ = E r(y, xᵀμ + s t) t / s,  t ~ N(0, 1)                                   (Stein 1981)
 * </pre>
 *
 * Both by Gauss-Hermite quadrature with {@value #NODES} nodes, which is exact if r is a polynomial of degree 9 or less.
 */
public final class MarginQuadratureGradient implements RecordSum {
    private static final int NODES = 5;
    private static final GaussHermite RULE = GaussHermite.of(NODES);

    private final MarginModel model;
    private final double[] means;
    private final double[] variances;
    private final double[] factors;

    /**
     * At a point of the variational family.
     *
     * @param scales softplus(u)
     * @param slopes softplus′(u)
     * @param scaleWeight factor on the gradients of u before the clip
     */
    public MarginQuadratureGradient(
            MarginModel model, double[] means, double[] scales, double[] slopes, double scaleWeight) {
        this.model = model;
        this.means = means.clone();
        this.variances = new double[means.length];
        this.factors = new double[means.length];
        for (int j = 0; j < means.length; j++) {
            variances[j] = scales[j] * scales[j];
            factors[j] = scaleWeight * slopes[j] * scales[j];
        }
    }

    @Override
    public int dimension() {
        return 2 * means.length;
    }

    @Override
    public Worker worker() {
        return new OneThread();
    }

    private final class OneThread implements Worker {
        private final double[] pairs = new double[2 * means.length];
        private double residual;
        private double slope;

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            if (block instanceof SparseBlock sparse) {
                sparse(sparse, row, contribution);
            } else {
                dense((DenseBlock) block, row, contribution);
            }
        }

        private void sparse(SparseBlock block, int row, Contribution contribution) {
            int[] indices = block.columnIndices();
            double[] values = block.values();
            int start = block.start(row);
            int end = block.end(row);
            double mean = 0;
            double variance = 0;
            for (int entry = start; entry < end; entry++) {
                double value = values[entry];
                mean += value * means[indices[entry]];
                variance += value * value * variances[indices[entry]];
            }
            expect(block.label(row), mean, variance);
            for (int entry = start; entry < end; entry++) {
                double value = values[entry];
                int at = 2 * (entry - start);
                pairs[at] = residual * value;
                pairs[at + 1] = slope * factors[indices[entry]] * value * value;
            }
            contribution.addColumns(0, 2, pairs);
        }

        private void dense(DenseBlock block, int row, Contribution contribution) {
            double[] values = block.values();
            int start = block.start(row);
            double mean = 0;
            double variance = 0;
            for (int j = 0; j < means.length; j++) {
                double value = values[start + j];
                mean += value * means[j];
                variance += value * value * variances[j];
            }
            expect(block.label(row), mean, variance);
            for (int j = 0; j < means.length; j++) {
                double value = values[start + j];
                pairs[2 * j] = residual * value;
                pairs[2 * j + 1] = slope * factors[j] * value * value;
            }
            contribution.addAll(0, pairs, 0, pairs.length);
        }

        /** E r and E r′. */
        private void expect(double label, double mean, double variance) {
            double deviation = Math.sqrt(variance);
            double sum = 0;
            double along = 0;
            for (int i = 0; i < NODES; i++) {
                double weighted = RULE.weight(i) * model.residual(label, mean + deviation * RULE.node(i));
                sum += weighted;
                along += weighted * RULE.node(i);
            }
            residual = sum;
            slope = deviation > 0 ? along / deviation : 0;
        }
    }
}
