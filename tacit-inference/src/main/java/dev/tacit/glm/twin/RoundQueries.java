package dev.tacit.glm.twin;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;

/**
 * What a record contributes at a public point: its weighted residual, or its weighted curvature.
 *
 * <pre>
 *   a = min(1, C/(|w| bound), B_H/(slope |w|²))        of x and public numbers only: no look at y
 *   residuals   a ψ w, κ χ          ‖a ψ w‖ ≤ C;   ‖κ χ‖ ≤ r C with κ = r C / chiBound;   together ≤ C √(1 + r²) (C without χ)
 *   curvature   svec(a slope w wᵀ)  ‖·‖ = a slope |w|² ≤ B_H
 * </pre>
 *
 * With several linear predictors ψ is a vector, ψ w the Kronecker product ψ ⊗ w with |ψ ⊗ w| = |ψ| |w|, and slope a matrix, of
 * which the weight takes the Frobenius norm ({@link PredictorRows}).
 *
 * <p>With group effects w is the whole row (w, k s e_g …): its length counts the groups, so that the clip is joint. Of the
 * curvature only what can differ from zero is written ({@link GroupLayout}).
 *
 * <p>E[a(x) ψ w] = 0 at the true point whatever a is, because ψ has mean zero given x: weights of Mallows' kind bias nothing.
 */
public final class RoundQueries {
    private RoundQueries() {}

    /**
     * A public point and its clips.
     *
     * @param point in whitened coordinates
     * @param extra parameters of the family
     * @param residualBound C
     * @param curvatureBound B_H
     */
    public record Point(double[] point, double[] extra, double residualBound, double curvatureBound)
            implements Serializable {}

    /** a of a row. */
    static double weight(double length, double bound, double slope, double residualBound, double curvatureBound) {
        double a = Math.min(1, residualBound / (length * bound));
        return Math.min(a, curvatureBound / Math.max(slope * length * length, 1e-12));
    }

    public static int residualSize(GlmModel model) {
        return model.coordinates() + model.family().extraNames().size();
    }

    public static int curvatureSize(GlmModel model) {
        return Contribution.squareSize(model.family().predictors()) * new GroupLayout(model.design()).curvatureSize();
    }

    /** C √(1 + r²), or C if there is nothing beside the residuals. */
    public static double residualBound(GlmModel model, double residualBound) {
        return model.family().extraNames().isEmpty()
                ? residualBound
                : residualBound * Math.hypot(1, model.family().extraShare());
    }

    /** κ. */
    static double extraWeight(GlmModel model, double residualBound) {
        return model.family().extraShare() * residualBound / model.family().chiBound();
    }

    public static ContributionSum residuals(GlmGeometry geometry, Point at) {
        int d = geometry.columns;
        int width = geometry.width;
        GlmFamily family = geometry.model.family();
        GroupLayout layout = new GroupLayout(geometry.model.design());
        int extras = family.extraNames().size();
        double kappa = extras == 0 ? 0 : extraWeight(geometry.model, at.residualBound);
        return query(geometry, at, geometry.d + extras, (row, y, contribution) -> {
            family.residual(y, row.reference, 0, row.psi);
            double[] values = row.room;
            row.rows.write(row.index, 1, row.w);
            for (int k = 0; k < row.psi.length; k++) {
                double scale = row.weight * row.psi[k];
                for (int j = 0; j < width; j++) {
                    values[k * width + j] = scale * row.w[j];
                }
            }
            if (extras > 0) {
                family.chi(y, row.reference, 0, row.chi);
                for (int k = 0; k < extras; k++) {
                    values[d + k] = kappa * row.chi[k];
                }
            }
            if (layout.isEmpty()) {
                contribution.addAll(0, values, 0, d + extras);
                return;
            }
            contribution.addAll(0, values, 0, d);
            row.rows.writeGroups(row.index, row.levels, row.values);
            for (int t = 0; t < row.levels.length; t++) {
                if (row.levels[t] >= 0) {
                    row.one[0] = row.weight * row.psi[0] * row.values[t];
                    contribution.addAll(layout.coordinate(t, row.levels[t]), row.one, 0, 1);
                }
            }
            contribution.addAll(geometry.d, values, d, extras);
        });
    }

    public static ContributionSum curvature(GlmGeometry geometry, Point at) {
        int d = geometry.width;
        GlmFamily family = geometry.model.family();
        GroupLayout layout = new GroupLayout(geometry.model.design());
        int square = Contribution.squareSize(d);
        return query(geometry, at, curvatureSize(geometry.model), (row, y, contribution) -> {
            family.ownSlopes(row.reference, 0, row.slopes, 0);
            geometry.rowsOf.writeSlope(row.slopes, row.slope);
            row.rows.write(row.index, 1, row.w);
            for (int i = 0; i < row.slope.length; i++) {
                SecondMoments.writeSquare(d, row.w, row.weight * row.slope[i], row.room);
                contribution.addAll(i * square, row.room, 0, square);
            }
            if (!layout.isEmpty()) {
                double scale = row.weight * row.slope[0];
                row.rows.writeGroups(row.index, row.levels, row.values);
                layout.writeCurvature(row.w, row.levels, row.values, scale, row.room, contribution);
            }
        });
    }

    /** A row at the point. */
    private static final class Row {
        final WhitenedRows rows;
        final double[] w;
        final double[] reference;
        final double[] chi;

        /** The linear predictors, and what the family writes about them. */
        final double[] u;

        final double[] psi;
        final double[] slopes;
        final double[] slope;

        /** The level of each term of group effects, and its coordinate k s. */
        final int[] levels;

        final double[] values;
        final double[] room;
        final double[] one = new double[1];
        int index;
        double weight;

        Row(WhitenedRows rows, GlmModel model) {
            int d = model.design().size();
            int terms = model.design().groups().size();
            this.rows = rows;
            w = new double[d];
            GlmFamily family = model.family();
            reference = new double[family.referenceSize()];
            chi = new double[family.extraNames().size()];
            u = new double[family.predictors()];
            psi = new double[u.length];
            slopes = new double[family.directions().length];
            slope = new double[Contribution.squareSize(u.length)];
            levels = new int[terms];
            values = new double[terms];
            room = new double[Math.max(Contribution.squareSize(d), u.length * d + 1 + chi.length)];
        }
    }

    @FunctionalInterface
    private interface Values extends Serializable {
        void write(Row row, double y, Contribution contribution);
    }

    private static ContributionSum query(GlmGeometry geometry, Point at, int dimension, Values values) {
        GlmModel model = geometry.model;
        GlmFamily family = model.family();
        double[] extra = at.extra.clone();
        double centre = geometry.targetCentre;
        double spread = geometry.targetSpread;
        return new ContributionSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                WhitenedRows rows = new WhitenedRows(geometry, at.point);
                Row current = new Row(rows, model);
                return new Worker() {
                    @Override
                    public void prepare(RecordBlock block) {
                        rows.prepare(block);
                    }

                    @Override
                    public void contribute(RecordBlock block, int index, Contribution contribution) {
                        rows.writePredictors(index, current.u);
                        family.reference(current.u, 0, extra, current.reference, 0);
                        current.index = index;
                        current.weight = RoundQueries.weight(
                                rows.length(index),
                                current.reference[GlmFamily.BOUND],
                                current.reference[GlmFamily.SLOPE],
                                at.residualBound,
                                at.curvatureBound);
                        values.write(current, family.modelTarget(block.label(index), centre, spread), contribution);
                    }
                };
            }
        };
    }
}
