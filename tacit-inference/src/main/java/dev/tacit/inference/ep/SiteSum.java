package dev.tacit.inference.ep;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;

/**
 * What one record contributes to stochastic EP: the natural parameters of its site, mean and precision together.
 *
 * <pre>
 *   clip((η_n − Λ_n centre, precisionWeight svec Λ_n), l2Bound)        one clip, in L2 = Frobenius norm
 * </pre>
 *
 * The clip is done here, record by record, so that a run without noise is clipped SEP; the door clips again.
 */
final class SiteSum implements ContributionSum {
    private static final long serialVersionUID = 1;

    private final TiltedMomentModel model;
    private final double[] constants;
    private final SitesGaussian cavity;
    private final double[] centre;
    private final double precisionWeight;
    private final double l2Bound;

    /**
     * @param centre the public point that η is taken around; null for natural parameters as they are
     * @param l2Bound infinite for no clip
     */
    SiteSum(
            TiltedMomentModel model,
            double[] constants,
            SitesGaussian cavity,
            double[] centre,
            double precisionWeight,
            double l2Bound) {
        this.model = model;
        this.constants = constants;
        this.cavity = cavity;
        this.centre = centre;
        this.precisionWeight = precisionWeight;
        this.l2Bound = l2Bound;
    }

    @Override
    public int dimension() {
        return model.shape().naturalSize();
    }

    @Override
    public Worker worker() {
        return new SiteWorker();
    }

    private final class SiteWorker implements Worker {
        private final GaussianBlocks shape = model.shape();
        private final RecordSites sites = new RecordSites(shape, model.tiltedMoments(constants));
        private final double[] site = new double[shape.naturalSize()];

        SiteWorker() {
            sites.cavity(cavity.mean(), cavity.covariance());
        }

        @Override
        public void prepare(RecordBlock block) {
            sites.prepare(block);
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            sites.site(block, row, centre, site);
            for (int i = shape.size(); i < site.length; i++) {
                site[i] *= precisionWeight;
            }
            CentredScores.clip(site, 0, site.length, l2Bound, 1);
            contribution.addAll(0, site, 0, site.length);
        }
    }
}
