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
 *   X_i − Σ ω E_{θ,s} χ_i,    variance = noise² + (0.05 |slope log(s/s_i)|)² + (0.1 change of the expected sum by θ − θ_i)²
 * </pre>
 *
 * Slopes are differences on the twin. They are computed once for a solution: they move little while it is found.
 */
public final class ExtraParameters {
    private static final double STEP = 1.02;
    private static final double DISTANCE_CV = 0.05;
    private static final double MOVED_CV = 0.1;
    private static final double LONGEST_MOVE = 0.5;

    /** Of the logarithm of an extra parameter: a proper prior, wide enough not to matter. */
    public static final double PRIOR_PRECISION = 1.0 / 25;

    private final GlmGeometry geometry;
    private final GlmFamily family;
    private final int q;
    private final double[] values;
    private List<Slope> slopes = List.of();

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
        slopes = List.of();
    }

    /** How the expected sums of a round change with the logarithms, and what they are at its own point. */
    private record Slope(double[] slope, double[] there) {}

    private List<Slope> slopes(List<TwinRound> rounds, double[] eta) {
        List<Slope> all = new ArrayList<>();
        for (TwinRound round : rounds) {
            double[] expected = round.extraField(eta, values);
            double[] slope = new double[q * q];
            for (int l = 0; l < q; l++) {
                double[] moved = values.clone();
                moved[l] *= STEP;
                double[] other = round.extraField(eta, moved);
                for (int k = 0; k < q; k++) {
                    slope[k * q + l] = (other[k] - expected[k]) / Math.log(STEP);
                }
            }
            all.add(new Slope(
                    slope, round.extraField(geometry.predictors(round.at().point()), values)));
        }
        return all;
    }

    /** One step; the inverse of the information from noise, q × q, empty without extra parameters. */
    double[] step(List<TwinRound> rounds, double[] theta) {
        if (q == 0) {
            return new double[0];
        }
        double[] eta = geometry.predictors(theta);
        if (slopes.isEmpty()) {
            slopes = slopes(rounds, eta);
        }
        double[] information = new double[q * q];
        double[] pull = new double[q];
        for (int i = 0; i < rounds.size(); i++) {
            TwinRound round = rounds.get(i);
            double[] slope = slopes.get(i).slope;
            double[] there = slopes.get(i).there;
            double[] expected = round.extraField(eta, values);
            for (int k = 0; k < q; k++) {
                double away = 0;
                for (int l = 0; l < q; l++) {
                    away += Math.abs(
                            slope[k * q + l] * Math.log(values[l] / round.at().extra()[l]));
                }
                double variance = Math.pow(round.extraNoise(), 2)
                        + Math.pow(DISTANCE_CV * away, 2)
                        + Math.pow(MOVED_CV * (expected[k] - there[k]), 2);
                double residual = round.extraSum()[k] - expected[k];
                for (int l = 0; l < q; l++) {
                    pull[l] += slope[k * q + l] * residual / variance;
                    for (int j = 0; j < q; j++) {
                        information[l * q + j] += slope[k * q + l] * slope[k * q + j] / variance;
                    }
                }
            }
        }
        double[] covariance = Matrices.inverse(q, information);
        double[] move = Matrices.times(q, covariance, pull);
        for (int k = 0; k < q; k++) {
            values[k] = Matrices.clamp(
                    values[k]
                            * Math.exp(
                                    Double.isNaN(move[k]) ? 0 : Matrices.clamp(move[k], -LONGEST_MOVE, LONGEST_MOVE)),
                    family.extraLow(k),
                    family.extraHigh(k));
        }
        return covariance;
    }
}
