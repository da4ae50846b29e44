package dev.tacit.glm.twin;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.numerics.GaussHermite;
import dev.tacit.numerics.Matrices;
import java.util.Arrays;

/**
 * A release of residual sums at a public point, and what the twin has in its place: all loops over the twin's rows that the
 * solver needs are here, everything else in the solver is algebra on coordinates.
 *
 * <pre>
 *   field(θ)      γ Σ ω a E_θ ψ w                       what the released sum would be if θ were true, up to what the twin gets wrong
 *   curvature     γ Σ ω a (d E_θ ψ/dη) w wᵀ             its derivative
 *   sampling      γ Σ ω a² (var_θ ψ) w wᵀ               its variance
 *   extraField    Σ ω E_θ χ                             the same for the statistics of extra parameters
 * </pre>
 *
 * a, ψ and χ are those of the round's own point. With deviations, expectations are averaged over a Gaussian predictor of
 * those standard deviations by a Gauss-Hermite rule of five nodes.
 */
public final class TwinRound {
    private static final GaussHermite RULE = GaussHermite.of(5);
    private static final GaussHermite COARSE = GaussHermite.of(3);

    private final GlmGeometry geometry;
    private final GlmFamily family;
    private final int n;
    private final int size;
    private final int predictors;
    private final int directions;
    private final RoundQueries.Point at;
    private final double[] sum;
    private final double[] extraSum;
    private final double noise;

    /** References of the twin's rows at the point, one after the other, and ω a. */
    private final double[] references;

    private final double[] weights;

    /**
     * @param released residual sums, then those of extra parameters as released
     * @param noise standard deviation of each, positive
     */
    public TwinRound(GlmGeometry geometry, RoundQueries.Point at, double[] released, double noise) {
        this.geometry = geometry;
        this.family = geometry.model.family();
        this.n = geometry.twinRows;
        this.size = family.referenceSize();
        this.predictors = family.predictors();
        this.directions = family.directions().length;
        this.at = at;
        this.noise = noise;
        this.sum = Arrays.copyOf(released, geometry.d);
        this.extraSum = new double[family.extraNames().size()];
        for (int k = 0; k < extraSum.length; k++) {
            extraSum[k] = released[geometry.d + k] / RoundQueries.extraWeight(geometry.model, at.residualBound());
        }
        this.references = references(geometry, at.point(), at.extra());
        this.weights = new double[n];
        for (int r = 0; r < n; r++) {
            weights[r] = geometry.omega[r] * weight(geometry, references, r, at.residualBound(), at.curvatureBound());
        }
    }

    /** References of all rows of the twin at a point. */
    public static double[] references(GlmGeometry geometry, double[] theta, double[] extra) {
        GlmFamily family = geometry.model.family();
        double[] eta = geometry.predictors(theta);
        int size = family.referenceSize();
        int predictors = family.predictors();
        double[] references = new double[geometry.twinRows * size];
        for (int r = 0; r < geometry.twinRows; r++) {
            family.reference(eta, r * predictors, extra, references, r * size);
        }
        return references;
    }

    /** a of a row of the twin. */
    public static double weight(
            GlmGeometry geometry, double[] references, int r, double residualBound, double curvatureBound) {
        int from = r * geometry.model.family().referenceSize();
        return RoundQueries.weight(
                geometry.length[r],
                references[from + GlmFamily.BOUND],
                references[from + GlmFamily.SLOPE],
                residualBound,
                curvatureBound);
    }

    public RoundQueries.Point at() {
        return at;
    }

    /** What was released for the coefficients; not to be written to. */
    public double[] sum() {
        return sum;
    }

    /** Σ χ with its noise; not to be written to. */
    public double[] extraSum() {
        return extraSum;
    }

    public double noise() {
        return noise;
    }

    /** Standard deviation of the noise on Σ χ. */
    public double extraNoise() {
        return noise / RoundQueries.extraWeight(geometry.model, at.residualBound());
    }

    /** Curvature and sampling variance on the twin, and the sums of slopes and variances over its rows. */
    public record Moments(double[] curvature, double[] sampling, double slopeSum, double varianceSum) {}

    /** Σ ω a (d E ψ/dη) w wᵀ at the point itself, and Σ ω a (d E ψ/dη) over the number of records. */
    public record OwnCurvature(double[] curvature, double meanSlope) {}

    public OwnCurvature ownCurvature() {
        double[] slopes = new double[n * directions];
        double total = 0;
        for (int r = 0; r < n; r++) {
            family.ownSlopes(references, r * size, slopes, r * directions);
            Matrices.scale(weights[r], slopes, r * directions, directions);
            total += geometry.rowsOf.meanSlope(slopes, r * directions);
        }
        return new OwnCurvature(geometry.gram(slopes, 1), total / geometry.rows);
    }

    /** The curvature at other points and parameters. */
    public double[] curvature(double[] theta, double[] extra, double gamma) {
        double[] eta = geometry.predictors(theta);
        double[] slopes = new double[n * directions];
        for (int r = 0; r < n; r++) {
            family.slopes(eta, r * predictors, extra, references, r * size, slopes, r * directions);
            Matrices.scale(weights[r], slopes, r * directions, directions);
        }
        return geometry.gram(slopes, gamma);
    }

    /**
     * The curvature times a vector.
     *
     * @param image the vector's inner products with the rows
     */
    public double[] curvatureTimes(double[] eta, double[] extra, double gamma, double[] image) {
        double[] scaled = new double[n * predictors];
        double[] slopes = new double[directions];
        for (int r = 0; r < n; r++) {
            family.slopes(eta, r * predictors, extra, references, r * size, slopes, 0);
            geometry.rowsOf.addTimes(gamma * weights[r], slopes, 0, image, scaled, r * predictors);
        }
        return geometry.adjoint(scaled);
    }

    /**
     * vᵀ (sampling) v for a vector v.
     *
     * @param image the vector's inner products with the rows
     */
    public double samplingAlong(double[] eta, double[] extra, double gamma, double[] image) {
        double total = 0;
        double[] variances = new double[directions];
        for (int r = 0; r < n; r++) {
            family.variances(eta, r * predictors, extra, references, r * size, variances, 0);
            double factor = weights[r] * weights[r] / geometry.omega[r];
            total += geometry.rowsOf.form(factor, variances, image, r * predictors);
        }
        return gamma * total;
    }

    /**
     * Expected slope and variance of the residual sum.
     *
     * @param deviations of the predictors, or null
     */
    public Moments moments(double[] eta, double[] extra, double gamma, double[] deviations) {
        double[] slopes = new double[n * directions];
        double[] variances = new double[n * directions];
        double slopeSum = 0;
        double varianceSum = 0;
        for (int r = 0; r < n; r++) {
            int first = r * directions;
            if (deviations == null) {
                family.slopes(eta, r * predictors, extra, references, r * size, slopes, first);
                family.variances(eta, r * predictors, extra, references, r * size, variances, first);
            } else {
                for (int k = 0; k < RULE.size(); k++) {
                    double node = eta[r] + RULE.node(k) * deviations[r];
                    slopes[r] += RULE.weight(k) * family.slope(node, extra, references, r * size);
                    variances[r] += RULE.weight(k) * family.variance(node, extra, references, r * size);
                }
            }
            slopeSum += geometry.rowsOf.meanSlope(slopes, first);
            varianceSum += geometry.rowsOf.meanSlope(variances, first);
            Matrices.scale(weights[r], slopes, first, directions);
            Matrices.scale(weights[r] * weights[r] / geometry.omega[r], variances, first, directions);
        }
        return new Moments(geometry.gram(slopes, gamma), geometry.gram(variances, gamma), slopeSum, varianceSum);
    }

    /**
     * The expected residual sum.
     *
     * @param deviations of the predictors, or null
     */
    public double[] field(double[] eta, double[] extra, double gamma, double[] deviations) {
        double[] residuals = new double[n * predictors];
        for (int r = 0; r < n; r++) {
            if (deviations == null) {
                family.field(eta, r * predictors, extra, references, r * size, residuals, r * predictors);
            } else {
                for (int k = 0; k < RULE.size(); k++) {
                    residuals[r] += RULE.weight(k)
                            * family.field(eta[r] + RULE.node(k) * deviations[r], extra, references, r * size);
                }
            }
            Matrices.scale(gamma * weights[r], residuals, r * predictors, predictors);
        }
        return geometry.adjoint(residuals);
    }

    /**
     * The expected sums of χ.
     *
     * @param deviations of the predictors, over which expectations are averaged, by three nodes; or null
     */
    public double[] extraField(double[] eta, double[] extra, double[] deviations) {
        double[] total = new double[extraSum.length];
        double[] chi = new double[extraSum.length];
        int nodes = deviations == null ? 1 : COARSE.size();
        for (int r = 0; r < n; r++) {
            for (int node = 0; node < nodes; node++) {
                double moved = deviations == null ? eta[r] : eta[r] + COARSE.node(node) * deviations[r];
                double weight = geometry.omega[r] * (deviations == null ? 1 : COARSE.weight(node));
                family.chiField(moved, extra, references, r * size, chi);
                for (int k = 0; k < total.length; k++) {
                    total[k] += weight * chi[k];
                }
            }
        }
        return total;
    }

    /** References of the twin's rows at the round's point; not to be written to. */
    public double[] references() {
        return references;
    }
}
