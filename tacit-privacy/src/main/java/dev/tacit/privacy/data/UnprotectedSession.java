package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Optional;

/**
 * The door without noise: sums of the same kind, on a finer grid and clipped only where the integers would run out, at
 * {@value #BOUNDS} bounds. Everything it hands out is stamped not private.
 */
final class UnprotectedSession implements PrivateSession {
    private static final int BOUNDS = 1024;

    private final BatchSummation summation;
    private final ReleasePlan plan;
    private long released;

    UnprotectedSession(BatchSummation summation, ReleasePlan plan, long released) {
        this.summation = summation;
        this.plan = plan;
        this.released = released;
    }

    static void requirePlanned(RecordSum query, ReleasePlan.Phase phase) {
        if (query.dimension() != phase.dimension()) {
            throw new IllegalArgumentException("the plan has a release of " + phase.dimension() + " numbers (\""
                    + phase.label() + "\") here, and the query has " + query.dimension());
        }
    }

    @Override
    public synchronized NoisySum release(RecordSum query, double l2Bound) {
        ReleasePlan.Phase phase = plan.phaseOf(released);
        requirePlanned(query, phase);
        SumGrid grid = SumGrid.withoutNoise(BOUNDS * l2Bound, query.dimension());
        long[] sums = summation.sum(query, grid, phase.sampling(), released);
        released++;
        double[] value = new double[sums.length];
        for (int index = 0; index < value.length; index++) {
            value[index] = sums[index] * grid.granularity();
        }
        return new NoisySum(value, 0, phase.sampling().expectedBatchSize(summation.publicSize()), provenance());
    }

    @Override
    public Provenance provenance() {
        return Provenance.NOT_PRIVATE;
    }

    @Override
    public ReleasePlan plan() {
        return plan;
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.NotPrivate("no noise was added");
    }

    @Override
    public synchronized long released() {
        return released;
    }

    @Override
    public long lostReleases() {
        return 0;
    }

    @Override
    public Optional<RunPosition> position() {
        return Optional.empty();
    }

    @Override
    public long publicSize() {
        return summation.publicSize();
    }

    @Override
    public PrivacyUnit unit() {
        return summation.unit();
    }
}
