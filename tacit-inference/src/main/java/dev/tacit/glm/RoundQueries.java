package dev.tacit.glm;

import dev.tacit.query.Contribution;
import dev.tacit.privacy.data.RecordBlock;
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
 * With group effects w is the whole row (w, k s e_g …): its length counts the groups, so that the clip is joint. Of the
 * curvature only what can differ from zero is written ({@link GroupLayout}).
 *
 * <p>E[a(x) ψ w] = 0 at the true point whatever a is, because ψ has mean zero given x: weights of Mallows' kind bias nothing.
 */
final class RoundQueries {
    private RoundQueries() {}

    /**
     * A public point and its clips.
     *
     * @param point in whitened coordinates
     * @param extra parameters of the family
     * @param residualBound C
     * @param curvatureBound B_H
     */
    record Point(double[] point, double[] extra, double residualBound, double curvatureBound) implements Serializable {}

    /** a of a row. */
    static double weight(double length, double bound, double slope, double residualBound, double curvatureBound) {
        double a = Math.min(1, residualBound / (length * bound));
        return Math.min(a, curvatureBound / Math.max(slope * length * length, 1e-12));
    }

    static int residualSize(GlmModel model) {
        return new GroupLayout(model.design()).size()
                + model.family().extraNames().size();
    }

    /** C √(1 + r²), or C if there is nothing beside the residuals. */
    static double residualBound(GlmModel model, double residualBound) {
        return model.family().extraNames().isEmpty()
                ? residualBound
                : residualBound * Math.hypot(1, model.family().extraShare());
    }

    /** κ. */
    static double extraWeight(GlmModel model, double residualBound) {
        return model.family().extraShare() * residualBound / model.family().chiBound();
    }

    static ContributionSum residuals(GlmGeometry geometry, Point at) {
        int d = geometry.columns;
        GlmFamily family = geometry.model.family();
        GroupLayout layout = new GroupLayout(geometry.model.design());
        int extras = family.extraNames().size();
        double kappa = extras == 0 ? 0 : extraWeight(geometry.model, at.residualBound);
        return query(geometry, at, geometry.d + extras, (row, y, contribution) -> {
            double scale = row.weight * family.psi(y, row.reference, 0);
            double[] values = row.room;
            for (int j = 0; j < d; j++) {
                values[j] = scale * row.w[j];
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
            for (int t = 0; t < row.levels.length; t++) {
                if (row.levels[t] >= 0) {
                    row.one[0] = scale * row.values[t];
                    contribution.addAll(layout.coordinate(t, row.levels[t]), row.one, 0, 1);
                }
            }
            contribution.addAll(geometry.d, values, d, extras);
        });
    }

    static ContributionSum curvature(GlmGeometry geometry, Point at) {
        int d = geometry.columns;
        GroupLayout layout = new GroupLayout(geometry.model.design());
        int square = Contribution.squareSize(d);
        return query(geometry, at, layout.curvatureSize(), (row, y, contribution) -> {
            double scale = row.weight * row.reference[GlmFamily.SLOPE];
            SecondMoments.writeSquare(d, row.w, scale, row.room);
            contribution.addAll(0, row.room, 0, square);
            layout.writeCurvature(row.w, row.levels, row.values, scale, row.room, contribution);
        });
    }

    /** A row at the point. */
    private static final class Row {
        final double[] z;
        final double[] w;
        final double[] reference;
        final double[] chi;

        /** The level of each term of group effects, and its coordinate k s. */
        final int[] levels;

        final double[] values;
        final double[] room;
        final double[] one = new double[1];
        double weight;

        Row(int d, GlmFamily family, RowReader reader) {
            z = new double[d];
            w = new double[d];
            reference = new double[family.referenceSize()];
            chi = new double[family.extraNames().size()];
            levels = reader.levels;
            values = new double[levels.length];
            room = new double[Math.max(Contribution.squareSize(d), d + 1 + chi.length)];
        }
    }

    @FunctionalInterface
    private interface Values extends Serializable {
        void write(Row row, double y, Contribution contribution);
    }

    private static ContributionSum query(GlmGeometry geometry, Point at, int dimension, Values values) {
        GlmModel model = geometry.model;
        GlmFamily family = model.family();
        GroupLayout layout = new GroupLayout(model.design());
        double groupWeight =
                geometry.groups().map(coordinates -> coordinates.weight).orElse(0.0);
        int d = geometry.columns;
        int[] numbers = model.design().numbers();
        double[] whitening = Matrices.leading(geometry.d, geometry.whitening, d);
        double[] point = at.point.clone();
        double[] extra = at.extra.clone();
        double centre = geometry.targetCentre;
        double spread = geometry.targetSpread;
        double unit = geometry.predictorUnit();
        return new ContributionSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                RowReader reader = new RowReader(model.design());
                Row current = new Row(d, family, reader);
                return new Worker() {
                    @Override
                    public void contribute(RecordBlock block, int index, Contribution contribution) {
                        reader.read(block, index);
                        geometry.standard.toStandard(numbers, reader.x, current.z);
                        double[] w = current.w;
                        java.util.Arrays.fill(w, 0);
                        for (int i = 0; i < d; i++) {
                            double z = current.z[i];
                            if (z != 0) {
                                int line = i * d;
                                for (int j = 0; j < d; j++) {
                                    w[j] += z * whitening[line + j];
                                }
                            }
                        }
                        double eta = reader.offset() / unit;
                        double squares = 0;
                        for (int j = 0; j < d; j++) {
                            eta += w[j] * point[j];
                            squares += w[j] * w[j];
                        }
                        for (int t = 0; t < current.levels.length; t++) {
                            if (current.levels[t] >= 0) {
                                double value = groupWeight
                                        * current.z[layout.terms.get(t).slope()];
                                current.values[t] = value;
                                eta += value * point[layout.coordinate(t, current.levels[t])];
                                squares += value * value;
                            }
                        }
                        family.reference(eta, extra, current.reference, 0);
                        current.weight = RoundQueries.weight(
                                Math.sqrt(squares),
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
