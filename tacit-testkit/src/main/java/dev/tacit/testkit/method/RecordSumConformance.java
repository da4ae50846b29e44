package dev.tacit.testkit.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.noise.ReplayNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks for a query whose contribution of one row depends on other rows: on those beside it in a block, those before it,
 * or those that were not numbers. The sensitivity of a sum rests on there being none.
 *
 * <pre>
 *   Σ_i s({x_i}) = s({x_1, …, x_n})   exactly, in any order, in blocks of any size, among rows of extreme content
 * </pre>
 *
 * Sums are integers on a grid, so a single last bit that moves is found if it crosses a grid point; many rows are better
 * than few. Absence of evidence is no proof.
 */
public final class RecordSumConformance {
    private static final double[] POISONS = {Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE, -1e200, 1e-200, 0};

    private RecordSumConformance() {}

    /**
     * Fails if the contribution of some row is not its own.
     *
     * @param query the query to look at
     * @param rows example rows, at least two
     * @param labels one label a row, or null
     */
    public static void requireRowsStandAlone(RecordSum query, double[][] rows, double[] labels) {
        double[] together = sum(query, rows, labels, rows.length);
        double[] alone = new double[query.dimension()];
        for (int row = 0; row < rows.length; row++) {
            double[] label = labels == null ? null : new double[] {labels[row]};
            add(alone, sum(query, new double[][] {rows[row]}, label, 1), 1);
        }
        assertThat(together).as("rows in one block against rows alone").containsExactly(alone);
        assertThat(sum(query, rows, labels, 3)).as("blocks of three rows").containsExactly(alone);

        double[][] reversed = new double[rows.length][];
        double[] reversedLabels = labels == null ? null : new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            reversed[row] = rows[rows.length - 1 - row];
            if (labels != null) {
                reversedLabels[row] = labels[rows.length - 1 - row];
            }
        }
        assertThat(sum(query, reversed, reversedLabels, rows.length))
                .as("rows in the opposite order")
                .containsExactly(alone);

        for (double poison : POISONS) {
            double[] bad = new double[rows[0].length];
            Arrays.fill(bad, poison);
            double[][] mixed = new double[2 * rows.length][];
            double[] mixedLabels = labels == null ? null : new double[mixed.length];
            for (int row = 0; row < rows.length; row++) {
                mixed[2 * row] = bad;
                mixed[2 * row + 1] = rows[row];
                if (labels != null) {
                    mixedLabels[2 * row] = poison;
                    mixedLabels[2 * row + 1] = labels[row];
                }
            }
            double[] badLabel = labels == null ? null : new double[] {poison};
            double[] rest = sum(query, mixed, mixedLabels, mixed.length);
            add(rest, sum(query, new double[][] {bad}, badLabel, 1), -rows.length);
            assertThat(rest).as("rows after a row of " + poison).containsExactly(alone);
        }
    }

    private static void add(double[] sums, double[] more, double factor) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += factor * more[i];
        }
    }

    private static double[] sum(RecordSum query, double[][] rows, double[] labels, int blockRows) {
        int columns = rows[0].length;
        List<RecordBlock> blocks = new ArrayList<>();
        for (int from = 0; from < rows.length; from += blockRows) {
            int count = Math.min(blockRows, rows.length - from);
            double[] values = new double[count * columns];
            for (int row = 0; row < count; row++) {
                System.arraycopy(rows[from + row], 0, values, row * columns, columns);
            }
            double[] own = labels == null ? null : Arrays.copyOfRange(labels, from, from + count);
            blocks.add(DenseBlock.of(count, columns, values, own));
        }
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        RecordsInMemory records = new RecordsInMemory(columns, labels != null, blocks, null);
        return LocalSummation.dataset(records, PrivacyUnit.record(Neighbours.ADD_REMOVE), rows.length, 1)
                .openNotPrivate(RunRequest.of("conformance", plan), ReplayNoise.ofSeed(1))
                .release(query, 1)
                .value();
    }
}
