package dev.tacit.glm.twin;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.RowColumns;
import dev.tacit.query.ColumnProducts;
import dev.tacit.query.ColumnWorker;
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
        return query(
                geometry, at, geometry.d + geometry.model.family().extraNames().size(), Residuals::new);
    }

    public static ContributionSum curvature(GlmGeometry geometry, Point at) {
        return query(geometry, at, curvatureSize(geometry.model), Curvature::new);
    }

    @FunctionalInterface
    private interface WorkerAt extends Serializable {
        ContributionSum.Worker create(GlmGeometry geometry, Point at);
    }

    private static ContributionSum query(GlmGeometry geometry, Point at, int dimension, WorkerAt worker) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                return worker.create(geometry, at);
            }
        };
    }

    /**
     * Rows at a point, each with its weight and what the family says about it: numbers s with which its coordinates are multiplied.
     * Where rows have groups, what they contribute has places of its own for each, and rows are asked for one by one.
     */
    private abstract static class RowsAtPoint implements ColumnWorker {
        final GlmFamily family;
        final GroupLayout layout;
        final WhitenedRows rows;
        final ColumnProducts products = new ColumnProducts();
        final double[] reference;

        /** w of a row, the level of each term of group effects, and its coordinate k s. */
        final double[] w;

        final int[] levels;
        final double[] values;
        final double[] room;

        /** s of a row, and of all rows: {@code scales[k][row]}. */
        final double[] scale;

        private final double[][] scales;
        private final double[] u;
        private final double[] extra;
        private final double centre;
        private final double spread;
        private final Point at;

        RowsAtPoint(GlmGeometry geometry, Point at, int scaleCount, int room) {
            this.at = at;
            family = geometry.model.family();
            layout = new GroupLayout(geometry.model.design());
            rows = new WhitenedRows(geometry, at.point);
            reference = new double[family.referenceSize()];
            w = new double[geometry.width];
            levels = new int[layout.terms.size()];
            values = new double[levels.length];
            this.room = new double[room];
            scale = new double[scaleCount];
            scales = new double[scaleCount][0];
            u = new double[family.predictors()];
            extra = at.extra.clone();
            centre = geometry.targetCentre;
            spread = geometry.targetSpread;
        }

        /** Writes s of a row from its reference, weight and target. */
        abstract void writeScale(double weight, double y);

        /** The squared norm of what a row with these s contributes. */
        abstract double squaredNorm(double squaredLength);

        @Override
        public boolean writesColumns() {
            return layout.isEmpty();
        }

        @Override
        public void prepare(RecordBlock block) {
            rows.prepare(block);
        }

        /** s of a row. */
        final void scale(RecordBlock block, int row) {
            rows.writePredictors(row, u);
            family.reference(u, 0, extra, reference, 0);
            double weight = RoundQueries.weight(
                    rows.length(row),
                    reference[GlmFamily.BOUND],
                    reference[GlmFamily.SLOPE],
                    at.residualBound,
                    at.curvatureBound);
            writeScale(weight, family.modelTarget(block.label(row), centre, spread));
        }

        @Override
        public void squaredNorms(RecordBlock block, double[] target) {
            int count = block.rows();
            if (scales.length > 0 && scales[0].length < count) {
                RowColumns.grow(scales, count);
            }
            for (int row = 0; row < count; row++) {
                scale(block, row);
                target[row] = squaredNorm(rows.squares[row]);
                for (int k = 0; k < scale.length; k++) {
                    scales[k][row] = scale[k];
                }
            }
        }

        @Override
        public void write(RecordBlock block, double[] factors, double[][] columns) {
            for (int k = 0; k < scale.length; k++) {
                write(k, factors, scales[k], columns, block.rows());
            }
        }

        /** Writes what belongs to one s. */
        abstract void write(int k, double[] factors, double[] ofRows, double[][] columns, int count);
    }

    /** s = a ψ, then κ χ. */
    private static final class Residuals extends RowsAtPoint {
        private final int columns;
        private final int coordinates;
        private final int extras;
        private final double kappa;
        private final double[] psi;
        private final double[] chi;
        private final double[] one = new double[1];

        Residuals(GlmGeometry geometry, Point at) {
            super(
                    geometry,
                    at,
                    geometry.model.family().predictors()
                            + geometry.model.family().extraNames().size(),
                    geometry.columns + geometry.model.family().extraNames().size());
            columns = geometry.columns;
            coordinates = geometry.d;
            extras = family.extraNames().size();
            kappa = extras == 0 ? 0 : extraWeight(geometry.model, at.residualBound);
            psi = new double[family.predictors()];
            chi = new double[extras];
        }

        @Override
        void writeScale(double weight, double y) {
            family.residual(y, reference, 0, psi);
            for (int k = 0; k < psi.length; k++) {
                scale[k] = weight * psi[k];
            }
            if (extras > 0) {
                family.chi(y, reference, 0, chi);
                for (int k = 0; k < extras; k++) {
                    scale[psi.length + k] = kappa * chi[k];
                }
            }
        }

        @Override
        double squaredNorm(double squaredLength) {
            double squares = 0;
            for (int k = 0; k < scale.length; k++) {
                squares += scale[k] * scale[k] * (k < psi.length ? squaredLength : 1);
            }
            return squares;
        }

        @Override
        void write(int k, double[] factors, double[] ofRows, double[][] target, int count) {
            if (k < psi.length) {
                products.writeMultiples(factors, ofRows, w.length, rows.w, target, k * w.length, count);
            } else {
                double[] column = target[columns + k - psi.length];
                for (int row = 0; row < count; row++) {
                    column[row] = factors[row] * ofRows[row];
                }
            }
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            scale(block, row);
            rows.write(row, w);
            for (int k = 0; k < psi.length; k++) {
                for (int j = 0; j < w.length; j++) {
                    room[k * w.length + j] = scale[k] * w[j];
                }
            }
            System.arraycopy(scale, psi.length, room, columns, extras);
            if (layout.isEmpty()) {
                contribution.addAll(0, room, 0, columns + extras);
                return;
            }
            contribution.addAll(0, room, 0, columns);
            rows.writeGroups(row, levels, values);
            for (int t = 0; t < levels.length; t++) {
                if (levels[t] >= 0) {
                    one[0] = scale[0] * values[t];
                    contribution.addAll(layout.coordinate(t, levels[t]), one, 0, 1);
                }
            }
            contribution.addAll(coordinates, room, columns, extras);
        }
    }

    /** s = a svec(slope). */
    private static final class Curvature extends RowsAtPoint {
        private final PredictorRows predictors;
        private final int square;
        private final double[] slopes;

        Curvature(GlmGeometry geometry, Point at) {
            super(
                    geometry,
                    at,
                    Contribution.squareSize(geometry.model.family().predictors()),
                    Math.max(Contribution.squareSize(geometry.width), geometry.width + 1));
            predictors = geometry.rowsOf;
            square = Contribution.squareSize(geometry.width);
            slopes = new double[family.directions().length];
        }

        @Override
        void writeScale(double weight, double y) {
            family.ownSlopes(reference, 0, slopes, 0);
            predictors.writeSlope(slopes, scale);
            for (int i = 0; i < scale.length; i++) {
                scale[i] *= weight;
            }
        }

        @Override
        double squaredNorm(double squaredLength) {
            double squares = 0;
            for (double each : scale) {
                squares += each * squaredLength * each * squaredLength;
            }
            return squares;
        }

        @Override
        void write(int k, double[] factors, double[] ofRows, double[][] columns, int count) {
            products.writeSquares(factors, ofRows, rows.w, columns, k * square, count);
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            scale(block, row);
            rows.write(row, w);
            for (int i = 0; i < scale.length; i++) {
                SecondMoments.writeSquare(w.length, w, scale[i], room);
                contribution.addAll(i * square, room, 0, square);
            }
            if (!layout.isEmpty()) {
                rows.writeGroups(row, levels, values);
                layout.writeCurvature(w, levels, values, scale[0], room, contribution);
            }
        }
    }
}
