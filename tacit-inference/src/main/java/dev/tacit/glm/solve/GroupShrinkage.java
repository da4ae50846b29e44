package dev.tacit.glm.solve;

import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.numerics.Matrices;

/**
 * Shrinkage of the released curvature's blocks of groups to the twin's, in which columns and groupings are independent.
 *
 * <pre>
 *   mass of a level                 prior variance (0.15² + v_count) h_g²     (0.3² for slopes);  kept between −0.9 and 9 times h_g
 *   column j and level g            δ² (n_g/N) h_j h_g                        δ a standardised group mean of the column
 *   the same level of two terms     δ² h_g h_g'
 *   a level and the one it is in    (0.15² + v_count) (twin's entry)²
 *   crossed levels g, h             δ² (n_g/N) (n_h/N) h_g h_h
 *   s = v/(v + noise);   outside of masses entries beyond 3 noise deviations keep at least 1 − 9 noise/dev²
 *   δ² of each block by weighted moments, in [0.05², 2];   noise: sd² on the diagonal, sd²/2 elsewhere
 * </pre>
 *
 * Levels of one term are never met together: those entries are zero and known.
 */
final class GroupShrinkage {
    private static final double MASS_CV = 0.15;
    private static final double SLOPE_CV = 0.3;
    private static final double OUTLIER = 3;
    private static final double LEAST_DELTA = 0.05 * 0.05;
    private static final double MOST_DELTA = 2;
    private static final double LEAST_RATIO = -0.9;
    private static final double MOST_RATIO = 9;

    private final GroupLayout layout;
    private final int d;
    private final double[] share;
    private final double[] countVariance;

    GroupShrinkage(GlmGeometry geometry) {
        this.layout = geometry.groups().orElseThrow().layout;
        this.d = geometry.d;
        this.countVariance = geometry.countVariance;
        this.share = new double[d];
        for (int i = layout.columns; i < d; i++) {
            int term = layout.termOf(i);
            double[] counts = geometry.moments.groups().counts()[layout.grouping[term]];
            share[i] = counts[i - layout.coordinate(term, 0)] / geometry.rows;
        }
    }

    /** Relative variances of entries before a curvature was released: blocks of groups of a matrix whose entries are v. */
    double[] unknown(double v) {
        double[] relative = new double[d * d];
        for (int i = 0; i < layout.columns; i++) {
            for (int j = 0; j < layout.columns; j++) {
                relative[i * d + j] = v;
            }
        }
        for (int g = layout.columns; g < d; g++) {
            for (int j = 0; j < layout.columns; j++) {
                set(relative, g, j, v * share[g]);
            }
            relative[g * d + g] = v;
        }
        for (GroupLayout.Pair pair : layout.pairs()) {
            layout.forEachMeeting(pair, (one, other) -> {
                int g = layout.coordinate(pair.first(), one);
                int h = layout.coordinate(pair.second(), other);
                set(relative, g, h, pair.meeting() == GroupLayout.Meeting.CROSSED ? v * share[g] * share[h] : v);
            });
        }
        return relative;
    }

    private void set(double[] matrix, int i, int j, double value) {
        matrix[i * d + j] = value;
        matrix[j * d + i] = value;
    }

    /**
     * Shrinks in place the blocks of groups of a deviation, and writes what remains unknown of them.
     *
     * @param twin the matrix that is shrunk to
     * @param h its diagonal, floored
     * @param noise standard deviation on the diagonal
     */
    void shrink(double[] deviation, double[] variance, double[] twin, double[] h, double noise) {
        double full = noise * noise;
        for (int g = layout.columns; g < d; g++) {
            double cv = layout.terms.get(layout.termOf(g)).slope() == 0 ? MASS_CV : SLOPE_CV;
            keepMass(deviation, variance, g, g, h[g], cv * cv + countVariance[g], full);
        }
        for (int t = 0; t < layout.terms.size(); t++) {
            Block block = new Block(deviation, variance, full / 2);
            for (int g = layout.coordinate(t, 0); g < layout.coordinate(t, 0) + layout.levels(t); g++) {
                for (int j = 0; j < layout.columns; j++) {
                    block.add(g, j, share[g] * h[j] * h[g], h[j] * h[g]);
                }
            }
            block.shrink();
        }
        for (GroupLayout.Pair pair : layout.pairs()) {
            Block block = new Block(deviation, variance, full / 2);
            layout.forEachMeeting(pair, (one, other) -> {
                int g = layout.coordinate(pair.first(), one);
                int k = layout.coordinate(pair.second(), other);
                switch (pair.meeting()) {
                    case INSIDE ->
                        keepMass(
                                deviation,
                                variance,
                                g,
                                k,
                                Math.abs(twin[g * d + k]),
                                MASS_CV * MASS_CV + countVariance[k],
                                full / 2);
                    case SAME -> block.add(g, k, h[g] * h[k], h[g] * h[k]);
                    case CROSSED -> block.add(g, k, share[g] * share[k] * h[g] * h[k], h[g] * h[k]);
                }
            });
            block.shrink();
        }
    }

    private void keepMass(
            double[] deviation, double[] variance, int i, int j, double mass, double relative, double noise) {
        double prior = relative * mass * mass;
        double kept = prior / (prior + noise);
        double least = Math.max(mass, Double.MIN_NORMAL);
        set(deviation, i, j, least * Matrices.clamp(kept * deviation[i * d + j] / least, LEAST_RATIO, MOST_RATIO));
        set(variance, i, j, Math.min(kept * noise, 4 * mass * mass));
    }

    /** Entries that share one δ². */
    private final class Block {
        private final double[] deviation;
        private final double[] variance;
        private final double noise;
        private final java.util.List<double[]> entries = new java.util.ArrayList<>();

        Block(double[] deviation, double[] variance, double noise) {
            this.deviation = deviation;
            this.variance = variance;
            this.noise = noise;
        }

        void add(int i, int j, double base, double most) {
            entries.add(new double[] {i, j, base, most});
        }

        void shrink() {
            if (entries.isEmpty()) {
                return;
            }
            double delta = 0.1;
            for (int pass = 0; pass < 8; pass++) {
                double sum = 0;
                double weights = 0;
                for (double[] entry : entries) {
                    int i = (int) entry[0];
                    int j = (int) entry[1];
                    double dev = deviation[i * d + j];
                    double total = delta * entry[2] + noise;
                    double weight = entry[2] / (total * total);
                    sum += weight * (dev * dev - noise);
                    weights += weight * entry[2];
                }
                delta = weights > 0 ? Matrices.clamp(sum / weights, LEAST_DELTA, MOST_DELTA) : LEAST_DELTA;
            }
            for (double[] entry : entries) {
                int i = (int) entry[0];
                int j = (int) entry[1];
                double dev = deviation[i * d + j];
                double prior = delta * entry[2];
                double kept = prior / (prior + noise);
                kept = Math.max(kept, Math.max(0, 1 - OUTLIER * OUTLIER * noise / Math.max(dev * dev, 1e-300)));
                set(deviation, i, j, kept * dev);
                set(variance, i, j, Math.min(kept * noise, entry[3]));
            }
        }
    }
}
