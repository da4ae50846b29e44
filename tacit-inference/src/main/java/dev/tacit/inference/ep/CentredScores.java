package dev.tacit.inference.ep;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.TiltedMomentModel.Extras;
import dev.tacit.model.TiltedMomentModel.TiltedMoments;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;

/**
 * What one record contributes in the family of Gaussians with fixed precision: its centred site, and the model's extras.
 *
 * <pre>
 *   (clip(weights ∘ g_n, √(1 − share²) C),   clip(t_n, bound) · share C / bound)         L2 norm at most C
 * </pre>
 *
 * Both clips are done here, record by record, so that a run without noise is the clipped algorithm; the door clips to C
 * again and need not trust this.
 */
final class CentredScores implements ContributionSum {
    private static final long serialVersionUID = 1;

    private final TiltedMomentModel model;
    private final double[] constants;
    private final double[] cavityMean;
    private final double[] cavityCovariance;
    private final double[] weights;
    private final double scoreBound;
    private final int extras;
    private final double extrasBound;
    private final double extrasScale;

    CentredScores(
            TiltedMomentModel model,
            double[] constants,
            double[] cavityMean,
            double[] cavityCovariance,
            double l2Bound) {
        this.model = model;
        this.constants = constants;
        this.cavityMean = cavityMean;
        this.cavityCovariance = cavityCovariance;
        this.weights = model.meanWeights();
        this.scoreBound = scoreBound(model, l2Bound);
        this.extras = model.extras().map(Extras::dimension).orElse(0);
        this.extrasBound = model.extras().map(Extras::l2Bound).orElse(1.0);
        this.extrasScale = extrasScale(model, l2Bound);
    }

    /** Where weighted gradients are clipped. */
    static double scoreBound(TiltedMomentModel model, double l2Bound) {
        double share = model.extras().map(Extras::boundShare).orElse(0.0);
        return Math.sqrt(1 - share * share) * l2Bound;
    }

    /** The public factor on the extras. */
    static double extrasScale(TiltedMomentModel model, double l2Bound) {
        return model.extras()
                .map(extra -> extra.boundShare() * l2Bound / extra.l2Bound())
                .orElse(1.0);
    }

    @Override
    public int dimension() {
        return weights.length + extras;
    }

    @Override
    public Worker worker() {
        return new ScoreWorker();
    }

    /** Shortens {@code vector[from .. from + count)} to a bound and multiplies it by a factor. */
    static void clip(double[] vector, int from, int count, double bound, double factor) {
        double squares = 0;
        for (int i = from; i < from + count; i++) {
            squares += vector[i] * vector[i];
        }
        double scale = squares > bound * bound ? factor * bound / Math.sqrt(squares) : factor;
        if (scale != 1) {
            for (int i = from; i < from + count; i++) {
                vector[i] *= scale;
            }
        }
    }

    private final class ScoreWorker implements Worker {
        private final TiltedMoments moments = model.tiltedMoments(constants);
        private final double[] gradient = new double[weights.length];
        private final double[] statistics = new double[extras];

        ScoreWorker() {
            moments.cavity(cavityMean, cavityCovariance);
        }

        @Override
        public void prepare(RecordBlock block) {
            moments.prepare(block);
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            moments.gradient(block, row, gradient);
            for (int i = 0; i < weights.length; i++) {
                gradient[i] *= weights[i];
            }
            clip(gradient, 0, weights.length, scoreBound, 1);
            contribution.addAll(0, gradient, 0, weights.length);
            if (extras > 0) {
                moments.extras(statistics);
                clip(statistics, 0, extras, extrasBound, extrasScale);
                contribution.addAll(weights.length, statistics, 0, extras);
            }
        }
    }
}
