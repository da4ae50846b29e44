package dev.tacit.door.session;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sum.RecordSum;
import java.util.Optional;

/**
 * Releases without noise: sums of the same kind, on a finer grid and clipped only where the integers would run out, at
 * {@value #BOUNDS} bounds. Everything handed out is stamped not private.
 */
final class UnprotectedReleases extends DoorSession {
    private static final int BOUNDS = 1024;

    private long released;

    UnprotectedReleases(PrivateDataset dataset, ReleaseView.Sums sums, RunRequest run, NoiseSource batches) {
        super(dataset, sums, run.plan(), batches);
        this.released = run.position().map(RunPosition::released).orElse(0L);
    }

    @Override
    public synchronized NoisySum release(RecordSum query, double l2Bound) {
        ReleasePlan.Phase phase = planned(released, query);
        SumGrid grid = SumGrid.withoutNoise(BOUNDS * l2Bound, phase.dimension(), plan.summands(publicSize()));
        long[] sums = sum(released, query, grid);
        released++;
        return new NoisySum(sums, grid, 0, expectedBatchSize(phase), provenance());
    }

    @Override
    public Provenance provenance() {
        return Provenance.NOT_PRIVATE;
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
}
