package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import java.util.HashSet;
import java.util.Set;

/**
 * Tries a query on a record of zeros before it sees a private one.
 *
 * <p>Inside the door a query that throws contributes zero without a word, since the word could be about a record. A
 * mistake that has nothing to do with records, such as a piece that lies outside of the contribution, would then make a
 * release of pure noise. This look at a public record shows it: what is thrown here depends on no data. Each class of
 * workers is tried once in a session, on a dense and, if that fails, on a sparse row, as it may know only one kind.
 */
final class QueryCheck {
    private static final double[] LABEL = {0};

    private final int columns;
    private final Set<Class<?>> tried = new HashSet<>();

    QueryCheck(int columns) {
        this.columns = columns;
    }

    void requireWorks(RecordSum query, SumGrid grid) {
        require(query.worker().getClass(), row -> {
            Contribution contribution = new Contribution(grid, new UnitSum(grid));
            RecordSum.Worker worker = query.worker();
            worker.prepare(row);
            contribution.beginRow(row, 0);
            worker.contribute(row, 0, contribution);
        });
    }

    void requireWorks(ShardSum query) {
        require(query.worker().getClass(), row -> query.worker().contribute(row, new double[query.dimension()]));
    }

    private interface Trial {
        void on(RecordBlock row);
    }

    private void require(Class<?> kind, Trial trial) {
        if (tried.contains(kind)) {
            return;
        }
        Throwable onDense = thrown(trial, DenseBlock.of(1, columns, new double[columns], LABEL));
        if (onDense != null
                && thrown(trial, SparseBlock.of(1, columns, new int[2], new int[0], new double[0], LABEL)) != null) {
            throw new IllegalArgumentException(
                    "the query fails on a record of zeros, so it may fail on any: " + onDense, onDense);
        }
        tried.add(kind);
    }

    private static Throwable thrown(Trial trial, RecordBlock row) {
        try {
            trial.on(row);
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }
}
