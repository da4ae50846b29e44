package dev.tacit.query;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.noise.SecureNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** Seeds and records for tests of queries. */
public final class QueryFixtures {
    private QueryFixtures() {}

    /** Fresh at every run; {@code -Dtacit.test.seed=N} repeats one. */
    public static long seed() {
        Long given = Long.getLong("tacit.test.seed");
        return given != null ? given : SecureNoise.create().nextLong() >>> 1;
    }

    public static String because(String what, long seed) {
        return what + ", repeat with -Dtacit.test.seed=" + seed;
    }

    /** Numbers of which about a third are zero. */
    public static double[] row(int columns, UniformRandomProvider random) {
        double[] row = new double[columns];
        Arrays.setAll(row, column -> random.nextInt(3) == 0 ? 0 : 4 * random.nextDouble() - 2);
        return row;
    }

    public static DenseBlock dense(double[] row) {
        return DenseBlock.of(1, row.length, row.clone(), new double[1]);
    }

    public static SparseBlock sparse(double[] row) {
        return OddRecords.sparse(row.length, row, new double[1]);
    }

    /** Rows with about a third of their numbers zero. */
    public static double[][] rows(int count, int columns, UniformRandomProvider random) {
        double[][] rows = new double[count][];
        Arrays.setAll(rows, row -> row(columns, random));
        return rows;
    }

    /** Rows in blocks of a given size. */
    public static RecordsInMemory source(double[][] rows, int blockRows, boolean sparse, long[] unitStarts) {
        int columns = rows[0].length;
        List<RecordBlock> blocks = new ArrayList<>();
        for (int from = 0; from < rows.length; from += blockRows) {
            double[][] part = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + blockRows));
            double[] values =
                    Arrays.stream(part).flatMapToDouble(Arrays::stream).toArray();
            double[] labels = OddRecords.labels(part.length, false);
            blocks.add(
                    sparse
                            ? OddRecords.sparse(columns, values, labels)
                            : DenseBlock.of(part.length, columns, values, labels));
        }
        return new RecordsInMemory(columns, true, blocks, unitStarts);
    }
}
