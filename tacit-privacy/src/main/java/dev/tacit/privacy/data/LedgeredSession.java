package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.LedgerEntry;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Optional;

/**
 * The door for a plan that was charged.
 *
 * <pre>
 *   draw the batch, clip, sum  →  ledger: release k may happen (fsync)  →  draw noise  →  out
 * </pre>
 *
 * The charge is durable before the session exists; what is announced here only says how much of it was used. A release
 * that was announced before a crash is never drawn again with fresh noise: a resumed session skips it
 * ({@link #lostReleases}), unless its noise is replayed and the release would come out bit by bit the same.
 */
final class LedgeredSession implements PrivateSession {
    private final BatchSummation summation;
    private final ReleasePlan plan;
    private final NoiseMechanism mechanism;
    private final PrivacyLedger ledger;
    private final NoiseSource noise;
    private LedgerEntry entry;
    private long released;
    private final long lost;

    LedgeredSession(
            BatchSummation summation,
            ReleasePlan plan,
            NoiseMechanism mechanism,
            PrivacyLedger ledger,
            LedgerEntry entry,
            NoiseSource noise,
            long released) {
        this.summation = summation;
        this.plan = plan;
        this.mechanism = mechanism;
        this.ledger = ledger;
        this.entry = entry;
        this.noise = noise;
        this.lost = noise.forRelease() ? entry.released() - released : 0;
        this.released = released + lost;
    }

    @Override
    public synchronized NoisySum release(RecordSum query, double l2Bound) {
        ReleasePlan.Phase phase = plan.phaseOf(released);
        UnprotectedSession.requirePlanned(query, phase);
        NoiseMechanism scaled = mechanism.scaled(phase.relativeNoise());
        SumGrid grid = scaled.grid(l2Bound, query.dimension());
        long[] sums = summation.sum(query, grid, phase.sampling(), released);
        if (entry.released() <= released) {
            entry = ledger.advance(entry, released + 1);
        }
        double[] noisy = scaled.release(sums, l2Bound, noise.fork(released).fork(0));
        released++;
        return new NoisySum(
                noisy,
                scaled.noiseStandardDeviation(l2Bound),
                phase.sampling().expectedBatchSize(summation.publicSize()),
                provenance());
    }

    @Override
    public Provenance provenance() {
        return noise.provenance();
    }

    @Override
    public ReleasePlan plan() {
        return plan;
    }

    @Override
    public PrivacyEvent event() {
        return entry.event();
    }

    @Override
    public synchronized long released() {
        return released;
    }

    @Override
    public long lostReleases() {
        return lost;
    }

    @Override
    public synchronized Optional<RunPosition> position() {
        return Optional.of(new RunPosition(entry.sequence(), entry.hash(), released));
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
