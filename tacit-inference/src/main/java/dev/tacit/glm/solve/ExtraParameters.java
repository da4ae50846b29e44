package dev.tacit.glm.solve;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.TwinRound;
import dev.tacit.numerics.Matrices;
import java.util.ArrayList;
import java.util.List;

/**
 * The family's extra parameters s (standard deviation, dispersion, spacings of cut points), by Newton steps on their
 * logarithms against the released Σ χ of all rounds.
 *
 * <pre>
 *   expected_i = Σ ω E_S E_{θ,s} χ_i      E_S averages over θ ~ N(θ̂, S): where θ is not known, residuals are larger than s alone makes them
 *   moved_i    = expected_i − Σ ω E_{θ_i,s} χ_i,   shift_i = what E_S adds,   b_i = the gradient in θ,  b that of sums at θ̂ itself
 *   e_i²       = shift_i² + (b_i − b)ᵀ S (b_i − b) + (0.1 (moved_i − shift_i))²
 *                then moved_i and e_i are those of a Gamma distribution cut to what the sum leaves for it   {@link Within}
 *   residual   = X_i − expected_i + moved_i − its mean after the cut
 *   variance   = noise² + (0.05 |slope log(s/s_i)|)² + e_i²
 *   covariance = A⁻¹ (Σ W_i (variance − e_i²) W_iᵀ + (Σ W_i e_i)(Σ W_i e_i)ᵀ) A⁻¹ max(1, mean residual²/variance)
 *                W_i = slope_i/variance,   A = Σ W_i slope_iᵀ + prior
 * </pre>
 *
 * e_i is an error of θ, which all rounds share; what sums at θ̂ itself owe to it is in {@link JointInformation}. shift_i stands for
 * its own standard deviation, which it has if one direction of θ is unknown, and which is more than it has if several are. Without
 * noise θ is known, and nothing is averaged. Slopes and e_i are computed once for a solution: they move little while it is found.
 */
public final class ExtraParameters {
    private static final double STEP = 1.02;
    private static final double DISTANCE_CV = 0.05;
    private static final double MOVED_CV = 0.1;
    private static final double LONGEST_MOVE = 0.5;

    /** Of the logarithm of an extra parameter: a proper prior, wide enough not to matter. */
    public static final double PRIOR_PRECISION = 1.0 / 25;

    /** Of the logarithms around those of the start, in the prior that decides where sums are released. */
    private static final double WORKING_PRECISION = 1;

    private final GlmGeometry geometry;
    private final GlmFamily family;
    private final int q;
    private final double[] values;
    private Local local;

    ExtraParameters(GlmGeometry geometry) {
        this.geometry = geometry;
        this.family = geometry.model.family();
        this.q = family.extraNames().size();
        this.values = geometry.startExtra.clone();
    }

    /** Where they are; not to be written to. */
    double[] values() {
        return values;
    }

    int count() {
        return q;
    }

    /** Another solution begins. */
    void forgetSlopes() {
        local = null;
    }

    /** How the expected sums of a round change with the logarithms, moved less its mean after the cut, and e. */
    private record Slope(double[] slope, double[] less, double[] error) {}

    /** What is computed once for a solution: standard deviations of the twin's predictors, null without noise, and each round's. */
    private record Local(double[] deviations, List<Slope> slopes) {}

    private Local local(List<TwinRound> rounds, double[] theta, double[] covariance) {
        double[] eta = geometry.predictors(theta);
        double[] deviations = geometry.isExact() ? null : LikelihoodSolver.predictorDeviations(geometry, covariance);
        double[][] own =
                deviations == null ? null : gradients(TwinRound.references(geometry, theta, values), eta, deviations);
        List<Slope> all = new ArrayList<>();
        for (TwinRound round : rounds) {
            double[] expected = round.extraField(eta, values, deviations);
            double[] slope = new double[q * q];
            for (int l = 0; l < q; l++) {
                double[] moved = values.clone();
                moved[l] *= STEP;
                double[] other = round.extraField(eta, moved, deviations);
                for (int k = 0; k < q; k++) {
                    slope[k * q + l] = (other[k] - expected[k]) / Math.log(STEP);
                }
            }
            double[] ownEta = geometry.predictors(round.at().point());
            double[] there = round.extraField(ownEta, values, null);
            double[] error = new double[q];
            double[] less = new double[q];
            if (deviations != null) {
                double[] plain = round.extraField(eta, values, null);
                double[][] gradients = gradients(round.references(), eta, deviations);
                for (int k = 0; k < q; k++) {
                    double[] off = Matrices.minus(gradients[k], own[k]);
                    double shift = expected[k] - plain[k];
                    double moved = expected[k] - there[k];
                    double linear = Math.max(Matrices.form(geometry.d, covariance, off), 0);
                    double spread = Math.sqrt(linear + shift * shift + Math.pow(MOVED_CV * (plain[k] - there[k]), 2));
                    Within part = Within.of(Math.abs(moved), spread, room(round, ownEta, k, moved > 0));
                    less[k] = Math.signum(moved) * (Math.abs(moved) - part.mean);
                    error[k] = part.deviation;
                }
            }
            all.add(new Slope(slope, less, error));
        }
        return new Local(deviations, all);
    }

    /** How much of a sum of χ_k could be an error of θ: what is beyond the expectation at the end of the parameter's range. */
    private double room(TwinRound round, double[] own, int k, boolean above) {
        double room = round.extraNoise();
        for (double end : new double[] {family.extraLow(k), family.extraHigh(k)}) {
            double[] there = values.clone();
            there[k] = end;
            double beyond = round.extraSum()[k] - round.extraField(own, there, null)[k];
            room = Math.max(room, above ? beyond : -beyond);
        }
        return room;
    }

    /** A Gamma distribution cut to [0, end]: mean and standard deviation. */
    private record Within(double mean, double deviation) {
        private static final int CELLS = 64;
        private static final double FAR = 6;

        /** Before the cut; a mean beyond the end contradicts the sum, and is then no more certain than by what it is beyond. */
        static Within of(double mean, double deviation, double end) {
            if (mean + FAR * deviation < end) {
                return new Within(mean, deviation);
            }
            double wide = deviation + 2 * Math.max(mean - end, 0);
            double shape = Math.max(Math.pow(mean / wide, 2), 1);
            double rate = shape / mean;
            double most = (shape - 1) / rate;
            double weight = 0;
            double first = 0;
            double second = 0;
            for (int i = 0; i < CELLS; i++) {
                double x = end * (i + 0.5) / CELLS;
                double density = Math.exp((shape - 1) * Math.log(x / Math.max(most, end * 1e-9)) - rate * (x - most));
                weight += density;
                first += density * x;
                second += density * x * x;
            }
            double centre = first / weight;
            return new Within(centre, Math.sqrt(Math.max(second / weight - centre * centre, 0)));
        }
    }

    /** The gradients in θ of the expected sums with these references, slopes of a row taken over its predictor's deviation. */
    private double[][] gradients(double[] references, double[] eta, double[] deviations) {
        int n = geometry.twinRows;
        int size = family.referenceSize();
        double[] low = new double[q];
        double[] high = new double[q];
        double[][] slopes = new double[q][n];
        for (int r = 0; r < n; r++) {
            double reach = Math.max(deviations[r], 1e-3);
            family.chiField(eta[r] + reach, values, references, r * size, high);
            family.chiField(eta[r] - reach, values, references, r * size, low);
            for (int k = 0; k < q; k++) {
                slopes[k][r] = geometry.omega[r] * (high[k] - low[k]) / (2 * reach);
            }
        }
        double[][] gradients = new double[q][];
        for (int k = 0; k < q; k++) {
            gradients[k] = geometry.adjoint(slopes[k]);
        }
        return gradients;
    }

    /**
     * One step; the covariance of the logarithms from noise and from what θ leaves open, q × q, empty without extra parameters.
     *
     * @param theta θ̂
     * @param covariance S
     * @param last whether the prior is the one that a posterior has, and not the one that keeps rounds in reach
     */
    double[] step(List<TwinRound> rounds, double[] theta, double[] covariance, boolean last) {
        if (q == 0) {
            return new double[0];
        }
        double[] eta = geometry.predictors(theta);
        if (local == null) {
            local = local(rounds, theta, covariance);
        }
        double[] information = new double[q * q];
        double[] noise = new double[q * q];
        double[] pull = new double[q];
        double[][] shared = new double[q][q];
        double misfit = 0;
        for (int i = 0; i < rounds.size(); i++) {
            TwinRound round = rounds.get(i);
            double[] slope = local.slopes.get(i).slope;
            double[] expected = round.extraField(eta, values, local.deviations);
            for (int k = 0; k < q; k++) {
                double away = 0;
                for (int l = 0; l < q; l++) {
                    away += Math.abs(
                            slope[k * q + l] * Math.log(values[l] / round.at().extra()[l]));
                }
                double own = Math.pow(round.extraNoise(), 2) + Math.pow(DISTANCE_CV * away, 2);
                double error = local.slopes.get(i).error[k];
                double variance = own + error * error;
                double residual = round.extraSum()[k] - expected[k] + local.slopes.get(i).less[k];
                misfit += residual * residual / variance;
                for (int l = 0; l < q; l++) {
                    double weight = slope[k * q + l] / variance;
                    pull[l] += weight * residual;
                    shared[k][l] += weight * error;
                    for (int j = 0; j < q; j++) {
                        information[l * q + j] += weight * slope[k * q + j];
                        noise[l * q + j] += weight * own * slope[k * q + j] / variance;
                    }
                }
            }
        }
        double precision = last ? PRIOR_PRECISION : WORKING_PRECISION;
        for (int l = 0; l < q; l++) {
            double centre = last ? 0 : Math.log(geometry.startExtra[l]);
            pull[l] -= precision * (Math.log(values[l]) - centre);
            information[l * q + l] += precision;
            for (int j = 0; j < q; j++) {
                for (int k = 0; k < q; k++) {
                    noise[l * q + j] += shared[k][l] * shared[k][j];
                }
            }
        }
        double[] inverse = Matrices.inverse(q, information);
        double[] move = Matrices.times(q, inverse, pull);
        for (int k = 0; k < q; k++) {
            values[k] = Matrices.clamp(
                    values[k]
                            * Math.exp(
                                    Double.isNaN(move[k]) ? 0 : Matrices.clamp(move[k], -LONGEST_MOVE, LONGEST_MOVE)),
                    family.extraLow(k),
                    family.extraHigh(k));
        }
        double[] result = Matrices.congruent(q, inverse, noise);
        Matrices.scale(geometry.isExact() ? 1 : Math.max(1, misfit / (q * rounds.size())), result, 0, q * q);
        return result;
    }
}
