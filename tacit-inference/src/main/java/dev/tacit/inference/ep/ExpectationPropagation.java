package dev.tacit.inference.ep;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.posterior.Posterior;
import java.util.List;

/**
 * Expectation propagation with a site for every record. Not private.
 *
 * <pre>
 *   for each n:   cavity = q / f_n,     f_n ← (1 − damping) f_n + damping (proj[cavity · p(x_n | θ)] / cavity),     q = p Π f_n
 * </pre>
 *
 * Minka 2001, Algorithm 1, with damping on natural parameters. A record whose new site would leave q improper keeps its old one in
 * that pass; records decide that, so there is no private form of it. Memory grows with records times natural parameters, which is
 * what SEP was made to avoid. For records that somebody hands in because they may be looked at.
 */
public final class ExpectationPropagation {
    /**
     * Settings.
     *
     * @param passes over the records, at most
     * @param damping share of the new site, in (0, 1]
     * @param tolerance passes end when no natural parameter of q moved by more in one
     */
    public record Settings(int passes, double damping, double tolerance) {
        public Settings {
            DpStochasticEp.requireSteps(passes);
            if (!(damping > 0 && damping <= 1)) {
                throw new IllegalArgumentException("damping is a number above 0, at most 1");
            }
            if (!(tolerance >= 0)) {
                throw new IllegalArgumentException("tolerance is a number from 0");
            }
        }
    }

    private final Settings settings;

    public ExpectationPropagation(Settings settings) {
        this.settings = settings;
    }

    /** Passes over the records until nothing moves. */
    public Posterior fit(TiltedMomentModel model, List<? extends RecordBlock> records) {
        GaussianBlocks shape = model.shape();
        double[] constants = model.constants();
        RecordSites sites = new RecordSites(shape, model.tiltedMoments(constants));
        int rows = records.stream().mapToInt(RecordBlock::rows).sum();
        double[][] own = new double[rows][shape.naturalSize()];
        double[] all = new double[shape.naturalSize()];
        for (int pass = 0; pass < settings.passes; pass++) {
            double[] before = all.clone();
            int record = 0;
            for (RecordBlock block : records) {
                sites.prepare(block);
                for (int row = 0; row < block.rows(); row++) {
                    update(model, sites, block, row, own[record], all);
                    record++;
                }
            }
            if (largestMove(before, all) <= settings.tolerance) {
                break;
            }
        }
        SitesGaussian q = SitesGaussian.of(model, all, 1);
        return model.posterior(q.mean(), q.covariance(), constants);
    }

    private void update(
            TiltedMomentModel model, RecordSites sites, RecordBlock block, int row, double[] own, double[] all) {
        double[] others = new double[all.length];
        for (int i = 0; i < all.length; i++) {
            others[i] = all[i] - own[i];
        }
        double[] next = new double[all.length];
        if (!SitesGaussian.isProper(model, others)) {
            return;
        }
        SitesGaussian cavity = SitesGaussian.of(model, others, 1);
        sites.cavity(cavity.mean(), cavity.covariance());
        sites.site(block, row, null, next);
        for (int i = 0; i < all.length; i++) {
            next[i] = own[i] + settings.damping * (next[i] - own[i]);
            others[i] += next[i];
        }
        if (!SitesGaussian.isProper(model, others)) {
            return;
        }
        System.arraycopy(next, 0, own, 0, own.length);
        System.arraycopy(others, 0, all, 0, all.length);
    }

    private static double largestMove(double[] before, double[] after) {
        double largest = 0;
        for (int i = 0; i < before.length; i++) {
            largest = Math.max(largest, Math.abs(after[i] - before[i]));
        }
        return largest;
    }
}
