package dev.tacit.door.session;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.UnitSum;
import dev.tacit.door.unit.PrivacyUnit;

/**
 * What releases with and without noise have in common: the plan's order, a look at each query, and the sums.
 *
 * <p>A query that throws while it looks at a record contributes zero without a word, since the word could be about a record. A
 * mistake that has nothing to do with records, such as a piece that lies outside of the contribution, would then make a
 * release of pure noise. So every query is tried on a record of zeros, which is public: on a dense and, if that fails, on a
 * sparse row, as it may know only one kind.
 */
abstract class DoorSession implements PrivateSession {
    /** Forks of a release's noise. */
    static final long NOISE = 0;

    private static final long BATCH = 1;
    private static final double[] LABEL = {0};

    final ReleasePlan plan;
    final NoiseSource noise;
    private final PrivateDataset dataset;
    private final ReleaseView.Sums sums;

    DoorSession(PrivateDataset dataset, ReleaseView.Sums sums, ReleasePlan plan, NoiseSource noise) {
        this.dataset = dataset;
        this.plan = plan;
        this.noise = noise;
        this.sums = sums;
    }

    /** The phase of a release, which must be of the planned dimension. */
    final ReleasePlan.Phase planned(long index, RecordSum query) {
        ReleasePlan.Phase phase = plan.phaseOf(index);
        if (query.dimension() != phase.dimension()) {
            throw new IllegalArgumentException("the plan has a release of " + phase.dimension() + " numbers (\""
                    + phase.label() + "\") here, and the query has " + query.dimension());
        }
        return phase;
    }

    /** The exact integers of a release. */
    final long[] sum(long index, RecordSum query, SumGrid grid) {
        if (plan.view().isEmpty() && !query.overUnits()) {
            throw new IllegalArgumentException("the releases of the plan see records, and this query does not");
        }
        requireWorks(query, grid);
        return sums.of(
                index,
                new SumRequest(
                        query,
                        grid,
                        plan.phaseOf(index).sampling(),
                        noise.fork(index).fork(BATCH).batchKey(),
                        unit().maxRecords()));
    }

    /** The public size of a batch. */
    final double expectedBatchSize(ReleasePlan.Phase phase) {
        return phase.sampling().expectedBatchSize(plan.summands(publicSize()));
    }

    private void requireWorks(RecordSum query, SumGrid grid) {
        int columns = dataset.columns();
        Throwable onDense = thrown(query, grid, DenseBlock.of(1, columns, new double[columns], LABEL));
        if (onDense != null
                && thrown(query, grid, SparseBlock.of(1, columns, new int[2], new int[0], new double[0], LABEL))
                        != null) {
            throw new IllegalArgumentException(
                    "the query fails on a record of zeros, so it may fail on any: " + onDense, onDense);
        }
    }

    private static Throwable thrown(RecordSum query, SumGrid grid, RecordBlock row) {
        try {
            UnitSum.Owner sum = new UnitSum.Owner(grid);
            sum.open(1);
            query.summand(grid).addRows(row, sum.units());
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    @Override
    public final ReleasePlan plan() {
        return plan;
    }

    @Override
    public final long publicSize() {
        return dataset.publicSize();
    }

    @Override
    public final PrivacyUnit unit() {
        return dataset.unit();
    }
}
