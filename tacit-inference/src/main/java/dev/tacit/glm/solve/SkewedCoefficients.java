package dev.tacit.glm.solve;

import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.TwinRound;
import dev.tacit.numerics.Matrices;
import java.util.Arrays;

/**
 * Coefficients whose likelihood is far from Gaussian, by their profile on the twin.
 *
 * <pre>
 *   θ(t) = θ̂ + t Σ e_j/sd_j                                where the others go when z-coefficient j moves by t sd from the mode
 *   ℓ(t) = −½ κ (Q(t) − Q(0)) − ½ (prior(t) − prior(0))      Q = ḡᵀ V⁻¹ ḡ, least over the others; κ the discount of the information,
 *          each rise of Q over the mean of the sums' variance here and at the mode, as a deviance has it
 *          field(t) = twin's field at θ(t) + ∫₀ᵗ (A γ H_twin(θ(s)) A − γ H_twin(θ(s))) dθ(s)      so that it levels off where the twin's does
 *   skewed if sd_j ≥ 0.25 and |ℓ(t) + t²/2| &gt; 0.4 at t = −1.5 or 1.5
 *   then mean and deviation of the Gaussian that has the 5 % and 95 % quantiles of e^ℓ, t in [−8, 8]
 * </pre>
 *
 * Near separation (a level in which next to nobody has the outcome) the sums bound a coefficient on one side only, and its
 * other end is the prior's. The mode with its curvature then lies at the bounded end and claims to know too much (Heinze,
 * Schemper 2002, on profiles under separation). Correlations of the Gaussian posterior are kept.
 *
 * <p>Without noise the curvature is the table's own. Where the twin's differs from it by more than a factor of two (a level with a few
 * records, of which the twin has none) its profile says nothing, and the coefficient keeps its mode and its curvature.
 *
 * @param skewed which z-coefficients are
 * @param mean of those, meaningless elsewhere
 * @param deviation likewise
 */
record SkewedCoefficients(boolean[] skewed, double[] mean, double[] deviation) {
    /** Of a z-coefficient: over so little of the predictor's scale every likelihood is close to Gaussian. */
    private static final double LEAST_DEVIATION = 0.25;

    private static final double PROBE = 1.5;
    private static final double TOLERANCE = 0.4;
    private static final double STEP = 0.25;
    private static final double LARGEST_RATIO = 2;

    /** To each side. */
    private static final int STEPS = 32;

    private static final double TAIL = 0.05;
    private static final double QUANTILE = 1.6448536269514722;

    /**
     * @param mode the last pass without averages over the posterior
     * @param newest the round whose weights count
     * @param covariance of the whitened coefficients, the first d of {@code all}
     * @param discounted the information of the sums as the posterior counts it
     * @param information the same before any discount
     * @param prior in the same coordinates
     * @param standardPrior the same of z-coefficients
     */
    static SkewedCoefficients of(
            GlmGeometry geometry,
            LearnedCurvature learned,
            TwinRound newest,
            SolverPass mode,
            double[] extra,
            double[] covariance,
            int all,
            double[] discounted,
            double[] information,
            SolverPass.Prior prior,
            GlmPrior.Standard standardPrior) {
        int d = geometry.d;
        boolean[] skewed = new boolean[d];
        double[] mean = new double[d];
        double[] deviation = new double[d];
        double[] standard = Matrices.times(d, geometry.whitening, mode.theta());
        for (int j = 0; j < d; j++) {
            double[] direction = new double[d];
            double unit = direction(geometry, covariance, all, j, direction);
            if (unit < LEAST_DEVIATION
                    || (geometry.isExact() && !isAlike(geometry, learned, newest, mode, extra, direction))) {
                continue;
            }
            double kept = Math.min(
                    1,
                    Matrices.form(d, discounted, direction)
                            / Math.max(Matrices.form(d, information, direction), Double.MIN_NORMAL));
            Profile profile =
                    new Profile(geometry, learned, newest, mode, extra, prior, standardPrior, j, direction, kept);
            if (profile.isSkewed()) {
                double[] cumulated = profile.cumulated();
                double low = quantile(cumulated, TAIL);
                double high = quantile(cumulated, 1 - TAIL);
                skewed[j] = true;
                mean[j] = standard[j] + unit * (low + high) / 2;
                deviation[j] = unit * (high - low) / (2 * QUANTILE);
            }
        }
        return new SkewedCoefficients(skewed, mean, deviation);
    }

    /** Whether the twin has about the curvature along a direction that the table has. */
    private static boolean isAlike(
            GlmGeometry geometry,
            LearnedCurvature learned,
            TwinRound newest,
            SolverPass mode,
            double[] extra,
            double[] direction) {
        double[] image = newest.curvatureTimes(
                geometry.predictors(mode.theta()), extra, learned.gamma(), geometry.images(direction));
        double twin = Matrices.dot(image, direction);
        double table = Matrices.form(geometry.d, mode.local().curvature(), direction);
        return twin > table / LARGEST_RATIO && twin < table * LARGEST_RATIO;
    }

    /** Writes Σ e_j/sd_j for z-coefficient j = (T θ)_j; sd_j. */
    private static double direction(GlmGeometry geometry, double[] covariance, int all, int j, double[] direction) {
        int d = geometry.d;
        for (int i = 0; i < d; i++) {
            for (int k = 0; k < d; k++) {
                direction[i] += covariance[i * all + k] * geometry.whitening[j * d + k];
            }
        }
        double variance = 0;
        for (int k = 0; k < d; k++) {
            variance += direction[k] * geometry.whitening[j * d + k];
        }
        double deviation = Math.sqrt(variance);
        for (int i = 0; i < d; i++) {
            direction[i] /= deviation;
        }
        return deviation;
    }

    private static double at(int k) {
        return STEP * (k - STEPS);
    }

    private static double quantile(double[] cumulated, double probability) {
        int k = 1;
        while (k < 2 * STEPS && cumulated[k] < probability) {
            k++;
        }
        double share = (probability - cumulated[k - 1]) / (cumulated[k] - cumulated[k - 1]);
        return at(k - 1) + share * (at(k) - at(k - 1));
    }

    /** ℓ along a line through the mode, step by step to both sides. */
    private static final class Profile {
        private final LearnedCurvature learned;
        private final TwinRound newest;
        private final SolverPass mode;
        private final double[] extra;
        private final SolverPass.Prior prior;
        private final double[] direction;
        private final double kept;
        private final double[] eta;
        private final double[] image;
        private final double[] mappedImage;
        private final double[] row;
        private final double priorPrecision;
        private final double distance;
        private final double unit;
        private final double[] weightImage;
        private final double startSampling;
        private final double totalVariance;
        private final double start;

        Profile(
                GlmGeometry geometry,
                LearnedCurvature learned,
                TwinRound newest,
                SolverPass mode,
                double[] extra,
                SolverPass.Prior prior,
                GlmPrior.Standard standardPrior,
                int j,
                double[] direction,
                double kept) {
            int d = direction.length;
            this.learned = learned;
            this.newest = newest;
            this.mode = mode;
            this.extra = extra;
            this.prior = prior;
            this.direction = direction;
            this.kept = kept;
            this.eta = geometry.predictors(mode.theta());
            this.image = geometry.images(direction);
            this.mappedImage = geometry.images(Matrices.times(d, learned.map(), direction));
            this.row = Arrays.copyOfRange(geometry.whitening, j * direction.length, (j + 1) * direction.length);
            this.priorPrecision = standardPrior.precision()[j];
            this.distance = Matrices.dot(row, mode.theta()) - standardPrior.mean()[j];
            this.unit = Matrices.dot(row, direction);
            double[] weight = Matrices.times(
                    d, mode.precisionOfSum(), Matrices.times(d, mode.local().curvature(), direction));
            this.weightImage = geometry.images(Matrices.times(d, learned.map(), weight));
            this.startSampling = newest.samplingAlong(eta, extra, learned.gamma(), weightImage);
            this.totalVariance =
                    Matrices.dot(weight, Matrices.times(d, mode.local().curvature(), direction));
            this.start = distance(eta, mode.theta(), new double[direction.length]);
        }

        boolean isSkewed() {
            int probe = (int) Math.round(PROBE / STEP);
            double gauss = -PROBE * PROBE / 2;
            return Math.abs(side(-1, probe)[probe] - gauss) > TOLERANCE
                    || Math.abs(side(1, probe)[probe] - gauss) > TOLERANCE;
        }

        /** ℓ at 0, STEP, 2 STEP, … to one side. */
        private double[] side(int sign, int steps) {
            int d = direction.length;
            double[] values = new double[steps + 1];
            double[] correction = new double[d];
            double[] slope = excess(eta);
            for (int k = 1; k <= steps; k++) {
                double t = sign * k * STEP;
                double[] there = Matrices.plus(eta, t, image);
                double[] next = excess(there);
                for (int i = 0; i < d; i++) {
                    correction[i] += sign * STEP * (slope[i] + next[i]) / 2;
                }
                slope = next;
                double moved = distance + t * unit;
                double ownPrior = priorPrecision * (moved * moved - distance * distance);
                double risen = distance(there, Matrices.plus(mode.theta(), t, direction), correction) - start;
                double sums = (risen - ownPrior) / variance(there);
                values[k] = -0.5 * (kept * sums + ownPrior);
            }
            return values;
        }

        /** Q + prior, the other coefficients moved to where that is least given this one: one step, which is exact if H is. */
        private double distance(double[] there, double[] theta, double[] correction) {
            int d = theta.length;
            double[] residual = mode.residual(there, correction);
            double[] weighted = Matrices.times(d, mode.precisionOfSum(), residual);
            double[] off = Matrices.times(d, prior.precision(), Matrices.minus(theta, prior.centre()));
            double[] pull = Matrices.minus(Matrices.times(d, mode.local().curvature(), weighted), off);
            double[] move = Matrices.times(d, mode.covariance(), pull);
            double along = Matrices.dot(row, move);
            double gain = Matrices.dot(pull, move) - along * along / Matrices.form(d, mode.covariance(), row);
            return Matrices.dot(residual, weighted) + prior.distance(theta) - gain;
        }

        /** The variance of the sum that tells t, midway between the mode and here, over that at the mode. */
        private double variance(double[] there) {
            double sampling = newest.samplingAlong(there, extra, learned.gamma(), weightImage);
            return 1 + (sampling - startSampling) / 2 / totalVariance;
        }

        /** (A γ H_twin A − γ H_twin) times the direction, at given predictors. */
        private double[] excess(double[] there) {
            double[] mapped = newest.curvatureTimes(there, extra, learned.gamma(), mappedImage);
            double[] twin = newest.curvatureTimes(there, extra, learned.gamma(), image);
            return Matrices.minus(Matrices.times(direction.length, learned.map(), mapped), twin);
        }

        /** The distribution function at the grid, by trapezia. */
        double[] cumulated() {
            double[] left = side(-1, STEPS);
            double[] right = side(1, STEPS);
            double[] values = new double[2 * STEPS + 1];
            double most = 0;
            for (int k = 0; k <= STEPS; k++) {
                values[STEPS - k] = left[k];
                values[STEPS + k] = right[k];
                most = Math.max(most, Math.max(left[k], right[k]));
            }
            double[] cumulated = new double[2 * STEPS + 1];
            for (int k = 1; k <= 2 * STEPS; k++) {
                cumulated[k] = cumulated[k - 1] + Math.exp(values[k - 1] - most) + Math.exp(values[k] - most);
            }
            for (int k = 1; k <= 2 * STEPS; k++) {
                cumulated[k] /= cumulated[2 * STEPS];
            }
            return cumulated;
        }
    }
}
