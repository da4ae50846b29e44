package dev.tacit.inference.ep;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.posterior.Posterior;
import java.util.List;

/**
 * Assumed-density filtering: each record once, q moved onto the moments of q times its likelihood. Not private.
 *
 * <pre>
 *   q ← proj[q(θ) p(x_n | θ)],   n = 1, …, N          mean m + V g, covariance V − V H V
 * </pre>
 *
 * Maybeck 1982, Section 12.7; Minka 2001, Section 3.1. For records that somebody hands in because they may be looked at: a
 * reference for the other kernels, in the order of the records.
 */
public final class AssumedDensityFiltering {
    private AssumedDensityFiltering() {}

    /** One pass. */
    public static Posterior fit(TiltedMomentModel model, List<? extends RecordBlock> records) {
        GaussianBlocks shape = model.shape();
        double[] constants = model.constants();
        RecordSites sites = new RecordSites(shape, model.tiltedMoments(constants));
        double[] mean = model.priorMean();
        double[] covariance = shape.inverse(model.priorPrecision());
        for (RecordBlock block : records) {
            sites.prepare(block);
            for (int row = 0; row < block.rows(); row++) {
                double[] nextMean = new double[mean.length];
                double[] nextCovariance = new double[covariance.length];
                sites.cavity(mean, covariance);
                sites.tilted(block, row, nextMean, nextCovariance);
                mean = nextMean;
                covariance = nextCovariance;
            }
        }
        return model.posterior(mean, covariance, constants);
    }
}
