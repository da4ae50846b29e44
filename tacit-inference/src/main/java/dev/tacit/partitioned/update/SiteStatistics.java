package dev.tacit.partitioned.update;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.regression.LinearMargin;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;

/**
 * The site of one record: the Gaussian factor that its likelihood is worth under q, by a natural gradient.
 *
 * <pre>
 *   z = xᵀθ ~ N(a, v) under q,   r = E r(y, z),   c = −E r′(y, z)
 *   mean field        h_j = r x_j + c x_j² μ_j,      λ_j = c x_j²            coordinates 2j and 2j+1, λ weighted
 *   full covariance   h = (r + c a) x,               Λ = c x xᵀ              coordinates 0 … D−1, then svec, weighted
 * </pre>
 *
 * Khan, Lin 2017, equation 11. Fixed points of q = prior · Π sites are those of variational inference. For linear
 * regression sites do not depend on q.
 */
public final class SiteStatistics implements ContributionSum {
    private static final long serialVersionUID = 1;

    private final GaussianMarginModel model;
    private final GaussianFamily family;
    private final double[] means;
    private final LinearMargin margin;
    private final double precisionWeight;

    /** @param precisionWeight factor on precisions before the clip */
    public SiteStatistics(
            GaussianMarginModel model, GaussianFamily family, Posterior posterior, double precisionWeight) {
        this.model = model;
        this.family = family;
        this.means = posterior.mean();
        this.margin = LinearMargin.of(posterior, means.length);
        this.precisionWeight = precisionWeight;
    }

    @Override
    public int dimension() {
        return family.size(means.length);
    }

    @Override
    public Worker worker() {
        return family == GaussianFamily.MEAN_FIELD ? new IndependentWorker() : this::full;
    }

    private void full(RecordBlock block, int row, Contribution contribution) {
        double a = margin.mean(block, row);
        double v = margin.variance(block, row);
        double curvature = model.averageCurvature(block.label(row), a, v);
        contribution.addRow(0, model.averageResidual(block.label(row), a, v) + curvature * a);
        contribution.addSquare(means.length, precisionWeight * curvature);
    }

    private final class IndependentWorker implements Worker {
        private final double[] pairs = new double[2 * means.length];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            double a = margin.mean(block, row);
            double v = margin.variance(block, row);
            double residual = model.averageResidual(block.label(row), a, v);
            double curvature = model.averageCurvature(block.label(row), a, v);
            if (block instanceof SparseBlock sparse) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    int column = sparse.columnIndices()[entry];
                    pair(0, sparse.values()[entry], residual, curvature, means[column]);
                    contribution.addAll(2 * column, pairs, 0, 2);
                }
            } else {
                DenseBlock dense = (DenseBlock) block;
                for (int j = 0; j < means.length; j++) {
                    pair(2 * j, dense.values()[dense.start(row) + j], residual, curvature, means[j]);
                }
                contribution.addAll(0, pairs, 0, 2 * means.length);
            }
        }

        private void pair(int place, double value, double residual, double curvature, double mean) {
            double precision = curvature * value * value;
            pairs[place] = residual * value + precision * mean;
            pairs[place + 1] = precisionWeight * precision;
        }
    }

    /** A released sum of sites as a factor. */
    static NaturalGaussian factor(GaussianFamily family, int dimension, double[] sum, double precisionWeight) {
        double[] parameters = new double[family.size(dimension)];
        for (int j = 0; j < dimension; j++) {
            parameters[j] = family == GaussianFamily.MEAN_FIELD ? sum[2 * j] : sum[j];
        }
        int precisions = family == GaussianFamily.MEAN_FIELD ? dimension : SymmetricMatrix.vectorSize(dimension);
        for (int i = 0; i < precisions; i++) {
            double weighted = family == GaussianFamily.MEAN_FIELD ? sum[2 * i + 1] : sum[dimension + i];
            parameters[dimension + i] = -0.5 * weighted / precisionWeight;
        }
        return NaturalGaussian.of(family, dimension, parameters);
    }
}
