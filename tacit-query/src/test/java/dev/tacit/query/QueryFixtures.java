package dev.tacit.query;

import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.SparseBlock;
import dev.tacit.privacy.noise.SecureNoise;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/** Seeds and records for tests of queries. */
final class QueryFixtures {
    private QueryFixtures() {}

    /** Fresh at every run; {@code -Dtacit.test.seed=N} repeats one. */
    static long seed() {
        Long given = Long.getLong("tacit.test.seed");
        return given != null ? given : SecureNoise.create().nextLong() >>> 1;
    }

    static String because(String what, long seed) {
        return what + ", repeat with -Dtacit.test.seed=" + seed;
    }

    /** Numbers of which about a third are zero. */
    static double[] row(int columns, UniformRandomProvider random) {
        double[] row = new double[columns];
        Arrays.setAll(row, column -> random.nextInt(3) == 0 ? 0 : 4 * random.nextDouble() - 2);
        return row;
    }

    static DenseBlock dense(double[] row) {
        return DenseBlock.of(1, row.length, row.clone(), new double[1]);
    }

    static SparseBlock sparse(double[] row) {
        return OddRecords.sparse(row.length, row, new double[1]);
    }
}
