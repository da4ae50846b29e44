package dev.tacit.glm.solve;

import dev.tacit.glm.group.GroupDeviations;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.TwinRound;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricMatrix;
import java.util.Arrays;
import java.util.List;

/**
 * One damped Newton step against all residual sums, and what it knew when it was taken.
 *
 * <pre>
 *   field_i(θ) = γ Σ ω a_i E_θ ψ_i w + (H − γ H_twin)(θ − θ_i)
 *   n_i = noise_i² + var_H (θ − θ_i)² + 0.1² h (h·(θ − θ_i)²)/D + (0.3 (field_i − H (θ − θ_i)))², at most 10⁴ noise_i²; without noise at most J's own
 *   ḡ = Σ (g_i − field_i)/n_i / Σ 1/n_i,      V = J + diag(1/Σ 1/n_i)
 *   step = (H V⁻¹ H + Λ)⁻¹ (H V⁻¹ ḡ − Λ (θ − θ_0)), halved while ḡᵀ V⁻¹ ḡ + prior grows; its predictor at most min(1.5, 4 sd)
 * </pre>
 *
 * @param before the point before the step
 * @param local H, J and their uncertainty there
 * @param precisionOfSum V⁻¹
 * @param information H V⁻¹ H
 * @param covariance (H V⁻¹ H + Λ)⁻¹
 * @param residual ḡ
 * @param theta the point after the step
 * @param length of the full step as a predictor's root mean square
 * @param spread of the predictor before the step, as a root mean square
 * @param fields the sums of all rounds, weighed as at the point before the step
 */
record SolverPass(
        double[] before,
        LearnedCurvature.Local local,
        double[] precisionOfSum,
        double[] information,
        double[] covariance,
        double[] residual,
        double[] theta,
        double length,
        double spread,
        Fields fields) {
    private static final double DISTANCE_CV = 0.1;
    private static final double NONLINEAR = 0.3;
    private static final double LARGEST_NOISE_RATIO = 1e4;
    private static final double TRUST = 1.5;
    private static final double TRUST_DEVIATIONS = 4;
    private static final int HALVINGS = 5;

    /**
     * A Gaussian prior in whitened coordinates.
     *
     * @param precision Λ
     * @param centre θ_0
     */
    record Prior(double[] precision, double[] centre) {
        /** @param deviations of the effects of each group term; empty without groups */
        static Prior of(GlmGeometry geometry, GlmPrior.Standard prior, double[] deviations) {
            int d = geometry.d;
            double[] diagonal = Matrices.diagonal(Arrays.copyOf(prior.precision(), d));
            double[] precision = Matrices.congruent(d, geometry.whitening, diagonal);
            geometry.groups()
                    .ifPresent(coordinates -> GroupDeviations.addPrecision(coordinates, deviations, d, precision));
            return new Prior(precision, Matrices.times(d, geometry.unwhitening, Arrays.copyOf(prior.mean(), d)));
        }

        double distance(double[] theta) {
            return Matrices.form(centre.length, precision, Matrices.minus(theta, centre));
        }
    }

    /**
     * A step from a point.
     *
     * @param deviations of the twin's predictors, over which expectations are averaged; or null
     */
    static SolverPass from(
            double[] theta,
            GlmGeometry geometry,
            LearnedCurvature learned,
            List<TwinRound> rounds,
            double[] extra,
            Prior prior,
            double[] deviations) {
        int d = geometry.d;
        double[] eta = geometry.predictors(theta);
        TwinRound newest = rounds.get(rounds.size() - 1);
        LearnedCurvature.Local local = learned.of(newest.moments(eta, extra, learned.gamma(), deviations));
        double[] curvature = local.curvature();
        Fields fields = new Fields(d, learned.gamma(), local, rounds, extra.clone(), deviations, geometry.isExact());
        double[] residual = fields.weigh(theta, eta);
        double[] total = local.sampling().clone();
        for (int j = 0; j < d; j++) {
            total[j * d + j] += 1 / fields.inverseSum[j];
        }
        double[] inverse = Matrices.inverse(d, total);
        double[] gain = Matrices.product(d, curvature, inverse);
        double[] information = Matrices.product(d, gain, curvature);
        SymmetricMatrix.symmetrise(d, information);
        double[] covariance = Matrices.inverse(d, Matrices.plus(information, 1, prior.precision));
        double before = Matrices.form(d, inverse, residual) + prior.distance(theta);
        double[] pull = Matrices.times(d, gain, residual);
        double[] off = Matrices.minus(theta, prior.centre);
        double[] move = Matrices.times(d, covariance, Matrices.minus(pull, Matrices.times(d, prior.precision, off)));
        double length = Math.sqrt(Math.max(Matrices.form(d, geometry.secondMoments, move) / geometry.rows, 0));
        double spread = Math.sqrt(Matrices.dot(covariance, geometry.secondMoments) / geometry.rows);
        double trust = rounds.size() == 1 ? TRUST : Math.min(TRUST, TRUST_DEVIATIONS * spread);
        double share = Math.min(1, trust / Math.max(length, 1e-9));
        for (int attempt = 0; attempt < HALVINGS; attempt++) {
            double[] next = Matrices.plus(theta, share, move);
            double[] left = fields.residual(next, geometry.predictors(next), deviations, new double[d]);
            double after = Matrices.form(d, inverse, left) + prior.distance(next);
            if (after <= before + 1e-6 * Math.abs(before)) {
                break;
            }
            share /= 2;
        }
        return new SolverPass(
                theta,
                local,
                inverse,
                information,
                covariance,
                residual,
                Matrices.plus(theta, share, move),
                length,
                spread,
                fields);
    }

    /**
     * ḡ at other predictors, sums weighed as in this pass.
     *
     * @param correction what is to be added to the twin's field there
     */
    double[] residual(double[] eta, double[] correction) {
        return fields.residual(theta, eta, null, correction);
    }

    /** What all sums say, linear around the point before the step: H V⁻¹ H and H V⁻¹ (ḡ + H θ), with the columns' prior. */
    GroupDeviations.Evidence evidence(Prior columns) {
        int d = before.length;
        double[] shifted = Matrices.plus(Matrices.times(d, local.curvature(), before), 1, residual);
        double[] pull = Matrices.times(d, local.curvature(), Matrices.times(d, precisionOfSum, shifted));
        return new GroupDeviations.Evidence(
                Matrices.plus(information, 1, columns.precision),
                Matrices.plus(pull, 1, Matrices.times(d, columns.precision, columns.centre)));
    }

    /** The fields of all rounds, and the noise with which their sums count. */
    static final class Fields {
        private final int d;
        private final double gamma;
        private final LearnedCurvature.Local local;
        private final List<TwinRound> rounds;
        private final double[] extra;
        private final double[] deviations;
        private final boolean exact;
        private final double[][] noise;
        private final double[] inverseSum;

        Fields(
                int d,
                double gamma,
                LearnedCurvature.Local local,
                List<TwinRound> rounds,
                double[] extra,
                double[] deviations,
                boolean exact) {
            this.d = d;
            this.gamma = gamma;
            this.local = local;
            this.rounds = rounds;
            this.extra = extra;
            this.deviations = deviations;
            this.exact = exact;
            this.noise = new double[rounds.size()][d];
            this.inverseSum = new double[d];
        }

        private double[] field(TwinRound round, double[] eta, double[] off, double[] spread) {
            return Matrices.plus(round.field(eta, extra, gamma, spread), 1, Matrices.times(d, local.deviation(), off));
        }

        /** Sets n_i and 1/Σ 1/n_i for a point; its ḡ. */
        double[] weigh(double[] theta, double[] eta) {
            double[] h = local.scale();
            double[] residual = new double[d];
            for (int i = 0; i < noise.length; i++) {
                TwinRound round = rounds.get(i);
                double[] off = Matrices.minus(theta, round.at().point());
                double[] field = field(round, eta, off, deviations);
                double[] linear = Matrices.times(d, local.curvature(), off);
                double[] squares = new double[d];
                double weighted = 0;
                for (int j = 0; j < d; j++) {
                    squares[j] = off[j] * off[j];
                    weighted += h[j] * squares[j];
                }
                double[] unknown = Matrices.times(d, local.entryVariance(), squares);
                double base = round.noise() * round.noise();
                for (int j = 0; j < d; j++) {
                    double bent = NONLINEAR * (field[j] - linear[j]);
                    double total = base + unknown[j] + DISTANCE_CV * DISTANCE_CV * h[j] * weighted / d + bent * bent;
                    double most = exact ? local.sampling()[j * d + j] : LARGEST_NOISE_RATIO * base;
                    noise[i][j] = Math.min(total, most);
                    inverseSum[j] += 1 / noise[i][j];
                    residual[j] += (round.sum()[j] - field[j]) / noise[i][j];
                }
            }
            for (int j = 0; j < d; j++) {
                residual[j] /= inverseSum[j];
            }
            return residual;
        }

        /** ḡ elsewhere, with the same n_i: predictors eta, H − γ H_twin up to theta, and a correction of all fields. */
        double[] residual(double[] theta, double[] eta, double[] spread, double[] correction) {
            double[] left = new double[d];
            for (int i = 0; i < noise.length; i++) {
                TwinRound round = rounds.get(i);
                double[] field =
                        field(round, eta, Matrices.minus(theta, round.at().point()), spread);
                for (int j = 0; j < d; j++) {
                    left[j] += (round.sum()[j] - field[j] - correction[j]) / noise[i][j];
                }
            }
            for (int j = 0; j < d; j++) {
                left[j] /= inverseSum[j];
            }
            return left;
        }
    }
}
