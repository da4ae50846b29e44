package dev.tacit.glm.twin;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.group.GroupCounts;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.RowColumns;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.query.ColumnProducts;
import dev.tacit.query.ColumnWorker;
import dev.tacit.query.Contribution;
import java.util.Arrays;

/**
 * What rows contribute to the second moments and cross moments of {@link SecondMoments}; memory of one thread.
 *
 * <pre>
 *   a = min(1, B/|z|²):   svec(a z zᵀ),   k₀ a y₁ ⊗ z (without the offset),   and for each grouping ½ B e_g
 * </pre>
 */
final class SecondMomentRows implements ColumnWorker {
    private final GlmFamily family;
    private final Standardisation standard;
    private final GroupLayout layout;
    private final int d;
    private final int[] numbers;
    private final double most;
    private final double crossWeight;
    private final double centre;
    private final double spread;
    private final RowColumns columns;
    private final ColumnProducts products = new ColumnProducts();
    private final double[] target;

    /** Of all rows: |z|², that of the first d columns, a, and k₀ a y₁. */
    private double[] squares = {};

    private double[] ownSquares = {};
    private double[] weights = {};
    private final double[][] cross;

    private final double[] z;
    private final double[] values;
    private final int[] levels;
    private final double[] room = new double[1];

    /**
     * @param most B
     * @param crossWeight k₀
     */
    SecondMomentRows(GlmModel model, Standardisation standard, double most, double crossWeight) {
        this.family = model.family();
        this.standard = standard;
        this.most = most;
        this.crossWeight = crossWeight;
        GlmDesign table = model.design().table();
        layout = new GroupLayout(model.design());
        d = model.design().size();
        numbers = table.numbers();
        int p = standard.centre().length;
        centre = family.standardisesTarget() ? standard.centre()[p - 1] : 0;
        spread = family.standardisesTarget() ? standard.scale()[p - 1] : 1;
        columns = new RowColumns(model.design());
        target = new double[family.predictors()];
        cross = new double[target.length][0];
        z = new double[table.size()];
        values = new double[Contribution.squareSize(z.length) + target.length * d];
        levels = new int[model.design().groups().size()];
    }

    @Override
    public boolean writesColumns() {
        return layout.isEmpty();
    }

    @Override
    public void prepare(RecordBlock block) {
        int rows = block.rows();
        columns.read(block);
        columns.standardise(numbers, standard);
        if (squares.length < rows) {
            squares = new double[rows];
            ownSquares = new double[rows];
            weights = new double[rows];
            RowColumns.grow(cross, rows);
        }
        Arrays.fill(squares, 0, rows, 0);
        ColumnProducts.addSquares(columns.x, 0, d, squares, rows);
        System.arraycopy(squares, 0, ownSquares, 0, rows);
        ColumnProducts.addSquares(columns.x, d, z.length, squares, rows);
        for (int r = 0; r < rows; r++) {
            double a = squares[r] > most ? most / squares[r] : 1;
            weights[r] = a;
            family.startTarget(block.label(r), centre, spread, target);
            for (int k = 0; k < target.length; k++) {
                cross[k][r] = crossWeight * a * target[k];
            }
        }
    }

    @Override
    public void squaredNorms(RecordBlock block, double[] norms) {
        for (int r = 0; r < block.rows(); r++) {
            double length = weights[r] * squares[r];
            double sum = length * length;
            for (double[] each : cross) {
                sum += each[r] * each[r] * ownSquares[r];
            }
            norms[r] = sum;
        }
    }

    @Override
    public void write(RecordBlock block, double[] factors, double[][] sums) {
        int rows = block.rows();
        products.writeSquares(factors, weights, columns.x, sums, 0, rows);
        int next = Contribution.squareSize(z.length);
        for (double[] each : cross) {
            products.writeMultiples(factors, each, d, columns.x, sums, next, rows);
            next += d;
        }
    }

    @Override
    public void contribute(RecordBlock block, int row, Contribution contribution) {
        for (int j = 0; j < z.length; j++) {
            z[j] = columns.x[j][row];
        }
        SecondMoments.writeSquare(z.length, z, weights[row], values);
        int next = Contribution.squareSize(z.length);
        for (double[] each : cross) {
            for (int j = 0; j < d; j++) {
                values[next++] = each[row] * z[j];
            }
        }
        contribution.addAll(0, values, 0, values.length);
        for (int t = 0; t < levels.length; t++) {
            levels[t] = columns.levels[t][row];
        }
        GroupCounts.write(layout, levels, GroupCounts.SHARE * most, values.length, room, contribution);
    }
}
