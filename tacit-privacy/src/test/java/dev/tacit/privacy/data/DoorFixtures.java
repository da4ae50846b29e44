package dev.tacit.privacy.data;

import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** Records for tests of the door. */
final class DoorFixtures {
    static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private DoorFixtures() {}

    static PrivacyUnit person(int maxRecords) {
        return new PrivacyUnit("person", maxRecords, Neighbours.ADD_REMOVE);
    }

    /** Rows with about a third of their numbers zero. */
    static double[][] rows(int count, int columns, UniformRandomProvider random) {
        double[][] rows = new double[count][columns];
        for (double[] row : rows) {
            for (int column = 0; column < columns; column++) {
                row[column] = random.nextInt(3) == 0 ? 0 : 4 * random.nextDouble() - 2;
            }
        }
        return rows;
    }

    static DenseBlock dense(double[]... rows) {
        int columns = rows[0].length;
        double[] values = new double[rows.length * columns];
        double[] labels = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            System.arraycopy(rows[row], 0, values, row * columns, columns);
            labels[row] = row % 2;
        }
        return DenseBlock.of(rows.length, columns, values, labels);
    }

    static SparseBlock sparse(double[]... rows) {
        int[] starts = new int[rows.length + 1];
        List<Integer> columns = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        double[] labels = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < rows[row].length; column++) {
                if (rows[row][column] != 0) {
                    columns.add(column);
                    values.add(rows[row][column]);
                }
            }
            starts[row + 1] = columns.size();
            labels[row] = row % 2;
        }
        return SparseBlock.of(
                rows.length,
                rows[0].length,
                starts,
                columns.stream().mapToInt(Integer::intValue).toArray(),
                values.stream().mapToDouble(Double::doubleValue).toArray(),
                labels);
    }

    /** Rows in blocks of a given size. */
    static RecordsInMemory source(double[][] rows, int blockRows, boolean sparse, long[] unitStarts) {
        List<RecordBlock> blocks = new ArrayList<>();
        for (int from = 0; from < rows.length; from += blockRows) {
            double[][] part = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + blockRows));
            blocks.add(sparse ? sparse(part) : dense(part));
        }
        return new RecordsInMemory(rows[0].length, true, blocks, unitStarts);
    }

    static LocalDataset dataset(double[][] rows, boolean sparse, int threads) {
        return new LocalDataset(source(rows, 64, sparse, null), RECORD, rows.length, threads);
    }
}
