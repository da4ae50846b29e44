package dev.tacit.audit.subject;

import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.ReleaseView;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.noise.ReplayNoise;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The exact integers that the units of an invented table sum up to, whatever a plan samples. */
public final class TableSums {
    private static final BatchKey NO_BATCH = ReplayNoise.ofSeed(0).batchKey();

    private final ReleaseView.Sums sums;
    private final boolean zero;
    private final int maxRecords;
    private final AtomicReferenceArray<long[]> kept;

    public TableSums(SyntheticTable table, ReleasePlan plan, PrivacyUnit unit) {
        this(table, plan, unit, 0);
    }

    /**
     * @param sameQueries how many of the first releases are asked the same in every run, so that their sums are needed once
     */
    public TableSums(SyntheticTable table, ReleasePlan plan, PrivacyUnit unit, int sameQueries) {
        this.kept = new AtomicReferenceArray<>(sameQueries);
        Summation records = new LocalSummation(table.records(false, unit.maxRecords() > 1), 1);
        this.sums = plan.view().map(view -> view.over(records)).orElse((release, request) -> records.sum(request));
        this.zero = table.units().isEmpty() && plan.view().isEmpty();
        this.maxRecords = unit.maxRecords();
    }

    /** In steps of a grid. */
    public long[] of(long release, RecordSum query, SumGrid grid) {
        if (release >= kept.length()) {
            return computed(release, query, grid);
        }
        int place = (int) release;
        if (kept.get(place) == null) {
            kept.set(place, computed(release, query, grid));
        }
        return kept.get(place);
    }

    private long[] computed(long release, RecordSum query, SumGrid grid) {
        return zero
                ? new long[grid.dimension()]
                : sums.of(release, new SumRequest(query, grid, new FullPass(), NO_BATCH, maxRecords));
    }
}
