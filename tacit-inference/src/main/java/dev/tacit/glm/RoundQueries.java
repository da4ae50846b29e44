package dev.tacit.glm;

import dev.tacit.privacy.data.Contribution;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;

/**
 * What a record contributes at a public point: its weighted residual, or its weighted curvature.
 *
 * <pre>
 *   a = min(1, C/(|w| bound), B_H/(slope |w|²))        of x and public numbers only: no look at y
 *   residuals   a ψ w, κ χ          ‖a ψ w‖ ≤ C;   ‖κ χ‖ ≤ r C with κ = r C / chiBound;   together ≤ C √(1 + r²) (C without χ)
 *   curvature   svec(a slope w wᵀ)  ‖·‖ = a slope |w|² ≤ B_H
 * </pre>
 *
 * E[a(x) ψ w] = 0 at the true point whatever a is, because ψ has mean zero given x: weights of Mallows' kind bias nothing.
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
    record Point(double[] point, double[] extra, double residualBound, double curvatureBound) {}

    /** a of a row. */
    static double weight(double length, double bound, double slope, double residualBound, double curvatureBound) {
        double a = Math.min(1, residualBound / (length * bound));
        return Math.min(a, curvatureBound / Math.max(slope * length * length, 1e-12));
    }

    static int residualSize(GlmModel model) {
        return model.design().size() + model.family().extraNames().size();
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

    static RecordSum residuals(GlmGeometry geometry, Point at) {
        int d = geometry.d;
        GlmFamily family = geometry.model.family();
        int extras = family.extraNames().size();
        double kappa = extras == 0 ? 0 : extraWeight(geometry.model, at.residualBound);
        return query(geometry, at, d + extras, (row, y, values) -> {
            double scale = row.weight * family.psi(y, row.reference, 0);
            for (int j = 0; j < d; j++) {
                values[j] = scale * row.w[j];
            }
            if (extras > 0) {
                family.chi(y, row.reference, 0, row.chi);
                for (int k = 0; k < extras; k++) {
                    values[d + k] = kappa * row.chi[k];
                }
            }
        });
    }

    static RecordSum curvature(GlmGeometry geometry, Point at) {
        int d = geometry.d;
        return query(
                geometry,
                at,
                Contribution.squareSize(d),
                (row, y, values) ->
                        SecondMoments.writeSquare(d, row.w, row.weight * row.reference[GlmFamily.SLOPE], values));
    }

    /** A row at the point. */
    private static final class Row {
        final double[] z;
        final double[] w;
        final double[] reference;
        final double[] chi;
        double weight;

        Row(int d, GlmFamily family) {
            z = new double[d];
            w = new double[d];
            reference = new double[family.referenceSize()];
            chi = new double[family.extraNames().size()];
        }
    }

    @FunctionalInterface
    private interface Values {
        void write(Row row, double y, double[] values);
    }

    private static RecordSum query(GlmGeometry geometry, Point at, int dimension, Values values) {
        GlmModel model = geometry.model;
        GlmFamily family = model.family();
        int d = geometry.d;
        int[] numbers = model.design().numbers();
        double[] whitening = geometry.whitening;
        double[] point = at.point.clone();
        double[] extra = at.extra.clone();
        double centre = geometry.targetCentre;
        double spread = geometry.targetSpread;
        double unit = geometry.predictorUnit();
        return new RecordSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                RowReader reader = new RowReader(model.design());
                Row current = new Row(d, family);
                double[] written = new double[dimension];
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
                        family.reference(eta, extra, current.reference, 0);
                        current.weight = RoundQueries.weight(
                                Math.sqrt(squares),
                                current.reference[GlmFamily.BOUND],
                                current.reference[GlmFamily.SLOPE],
                                at.residualBound,
                                at.curvatureBound);
                        values.write(current, family.modelTarget(block.label(index), centre, spread), written);
                        contribution.addAll(0, written, 0, dimension);
                    }
                };
            }
        };
    }
}
