package dev.tacit.glm.twin;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.numerics.Matrices;

/**
 * The clips C and B_H of a round, chosen on the twin before the release: public.
 *
 * <pre>
 *   C_k    = k √(mean |w|²) for bounded scores, 1.3 k rms(|w| bound) for cut ones, k in 0.2, 0.3, 0.4, 0.5, 0.6
 *   crit_k = mean log diag T (H_a (J_a + (noise of C_k)²)⁻¹ H_a + Λ)⁻¹ T      the posterior that the twin predicts for C_k
 *   C      = the largest C_k with crit_k ≤ min crit + 0.03
 *   B_H    = min(0.3 mean |w|², 3 Σ ω q²/Σ ω q),  q = a slope |w|²              three times the information-weighted mean of a row's curvature
 * </pre>
 *
 * Near separation most rows are long and carry no information; a clip by the mean of all of them would buy nothing but
 * noise. Families that do not choose keep C and have B_H = 1.2 Σ ω slope |w|²/N, at the start or at the point, whichever is larger:
 * a residual deviation that turns out smaller makes all slopes larger. Without noise nothing is clipped.
 */
public final class ClipChoice {
    private static final double[] CLIPS = {0.2, 0.3, 0.4, 0.5, 0.6};
    private static final double CLIP_TOLERANCE = 0.03;
    private static final double CLIP = 0.5;
    private static final double CURVATURE_CLIP = 0.3;
    private static final double UNCLIPPED = 1000;

    private final GlmGeometry geometry;
    private final GlmFamily family;
    private final int d;
    private final int n;

    /** Noise of all rounds together over their bound. */
    private final double noisePerBound;

    /** C with k = 0.5, and the largest B_H, at the start. */
    private final double middle;

    private final double most;

    public ClipChoice(GlmGeometry geometry, double noisePerBound) {
        this.geometry = geometry;
        this.family = geometry.model.family();
        this.d = geometry.d;
        this.n = geometry.twinRows;
        this.noisePerBound = noisePerBound;
        double[] eta = geometry.predictors(geometry.startPoint());
        double[] reference = new double[family.referenceSize()];
        double residuals = 0;
        for (int r = 0; r < n; r++) {
            family.reference(eta, r * family.predictors(), geometry.startExtra, reference, 0);
            double square = geometry.length[r] * geometry.length[r];
            residuals += geometry.omega[r] * square * Math.pow(reference[GlmFamily.BOUND], 2);
        }
        boolean plain = family.boundedByOne();
        this.middle = CLIP * (plain ? Math.sqrt(geometry.typicalSquare) : 1.3 * Math.sqrt(residuals / geometry.rows));
        this.most = mostAt(eta, geometry.startExtra);
    }

    /** The largest B_H at a point, in proportion to the slopes there, which a deviation of the target divides. */
    private double mostAt(double[] eta, double[] extra) {
        if (family.boundedByOne()) {
            return CURVATURE_CLIP * geometry.typicalSquare;
        }
        double[] reference = new double[family.referenceSize()];
        double curvatures = 0;
        for (int r = 0; r < n; r++) {
            family.reference(eta, r * family.predictors(), extra, reference, 0);
            double square = geometry.length[r] * geometry.length[r];
            curvatures += geometry.omega[r] * square * reference[GlmFamily.SLOPE];
        }
        return CURVATURE_CLIP * (4 * curvatures / geometry.rows);
    }

    /** The point with its clips; {@code prior} is the working prior's precision in whitened coordinates. */
    public RoundQueries.Point at(double[] theta, double[] extra, double[] prior) {
        if (noisePerBound == 0) {
            return new RoundQueries.Point(theta, extra.clone(), UNCLIPPED * middle, UNCLIPPED * most);
        }
        if (!family.choosesClips()) {
            double there = mostAt(geometry.predictors(theta), extra);
            return new RoundQueries.Point(theta, extra.clone(), middle, Math.max(most, there));
        }
        double[] references = TwinRound.references(geometry, theta, extra);
        double clip = residualBound(references, prior);
        return new RoundQueries.Point(theta, extra.clone(), clip, curvatureBound(references, clip));
    }

    /** A bound as it would be with noise. */
    public double typical(double bound) {
        return noisePerBound == 0 ? bound / UNCLIPPED : bound;
    }

    private double residualBound(double[] references, double[] prior) {
        double[] criteria = new double[CLIPS.length];
        double best = Double.POSITIVE_INFINITY;
        for (int k = 0; k < CLIPS.length; k++) {
            criteria[k] = criterion(references, CLIPS[k] / CLIP * middle, prior);
            best = Math.min(best, criteria[k]);
        }
        double clip = CLIPS[0] / CLIP * middle;
        for (int k = 0; k < CLIPS.length; k++) {
            if (criteria[k] <= best + CLIP_TOLERANCE) {
                clip = Math.max(clip, CLIPS[k] / CLIP * middle);
            }
        }
        return clip;
    }

    /** The mean logarithm of the variances that the twin predicts. */
    private double criterion(double[] references, double clip, double[] prior) {
        int directions = family.directions().length;
        double[] slopes = new double[n * directions];
        double[] variances = new double[n * directions];
        for (int r = 0; r < n; r++) {
            double a = TwinRound.weight(geometry, references, r, clip, most);
            int at = r * family.referenceSize();
            family.ownSlopes(references, at, slopes, r * directions);
            family.ownVariances(references, at, variances, r * directions);
            Matrices.scale(geometry.omega[r] * a, slopes, r * directions, directions);
            Matrices.scale(geometry.omega[r] * a * a, variances, r * directions, directions);
        }
        double[] curvature = geometry.gram(slopes, 1);
        double[] sampling = geometry.gram(variances, 1);
        for (int i = 0; i < d; i++) {
            sampling[i * d + i] += Math.pow(clip * noisePerBound, 2);
        }
        double[] precision = Matrices.congruent(d, curvature, Matrices.inverse(d, sampling));
        double[] covariance =
                Matrices.congruent(d, geometry.whitening, Matrices.inverse(d, Matrices.plus(precision, 1, prior)));
        double sum = 0;
        for (int i = 0; i < d; i++) {
            sum += Math.log(covariance[i * d + i]);
        }
        return sum / d;
    }

    private double curvatureBound(double[] references, double clip) {
        double sum = 0;
        double squares = 0;
        for (int r = 0; r < n; r++) {
            double q = TwinRound.weight(geometry, references, r, clip, most)
                    * references[r * family.referenceSize() + GlmFamily.SLOPE]
                    * geometry.length[r]
                    * geometry.length[r];
            sum += geometry.omega[r] * q;
            squares += geometry.omega[r] * q * q;
        }
        return Math.min(most, 3 * squares / sum);
    }
}
