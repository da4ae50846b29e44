package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.noise.Provenance;
import java.util.Optional;

/**
 * Releases without noise: sums of the same kind, on a finer grid and clipped only where the integers would run out, at
 * {@value #BOUNDS} bounds. Everything handed out is stamped not private.
 */
final class UnprotectedReleases implements Releases {
    private static final int BOUNDS = 1024;

    private static final long BATCH = 1;

    private final ReleasePlan plan;
    private final NoiseSource batches;
    private final long publicSize;
    private long released;

    UnprotectedReleases(RunRequest run, NoiseSource batches, long publicSize) {
        this.plan = run.plan();
        this.batches = batches;
        this.publicSize = publicSize;
        this.released = run.position().map(RunPosition::released).orElse(0L);
    }

    @Override
    public synchronized NoisySum release(int dimension, double l2Bound, Sums summation) {
        long index = released;
        ReleasePlan.Phase phase = plan.phaseOf(index);
        Releases.requirePlanned(dimension, phase);
        SumGrid grid = SumGrid.withoutNoise(BOUNDS * l2Bound, dimension, publicSize);
        long[] sums =
                summation.sum(grid, phase.sampling(), batches.fork(index).fork(BATCH).batchKey());
        released = index + 1;
        return new NoisySum(
                sums, grid.granularity(), 0, phase.sampling().expectedBatchSize(publicSize), provenance());
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
}
