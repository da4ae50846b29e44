package dev.tacit.door.session;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The releases of a plan that was charged.
 *
 * <pre>
 *   draw the batch, clip, sum  →  draw noise  →  noisy value sealed (fsync)  →  ledger: release k happens (fsync)  →  out
 * </pre>
 *
 * The charge is durable before this exists; what is announced here only says how much of it was used. The noise of a
 * release is drawn once: a resumed session hands out what was sealed, bit by bit and without looking at a record, and
 * tells the ledger if it does not know yet. A value that is not sealed was shown to nobody, unless the ledger knows of
 * its release: then somebody took the sealed value away, and the release is lost ({@link #lostReleases}), unless its
 * noise is replayed and it would come out bit by bit the same.
 */
final class ChargedReleases extends DoorSession {
    private final NoiseMechanism mechanism;
    private final PrivacyLedger ledger;
    private final SealedReleases sealed;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile LedgerEntry entry;
    private volatile long released;
    private volatile long lost;

    private ChargedReleases(
            PrivateDataset dataset,
            ReleaseView.Sums sums,
            RunRequest run,
            NoiseMechanism mechanism,
            PrivacyLedger ledger,
            LedgerEntry entry,
            NoiseSource noise,
            long released) {
        super(dataset, sums, run.plan(), noise);
        this.sealed = run.sealed();
        this.mechanism = mechanism;
        this.ledger = ledger;
        this.entry = entry;
        this.released = released;
        passLost();
    }

    /** Passes over releases that the ledger knows of and whose values are gone. */
    private synchronized void passLost() {
        if (noise.forRelease() && released < entry.released()) {
            long next = Math.min(sealed.firstFrom(released).orElse(Long.MAX_VALUE), entry.released());
            lost += next - released;
            released = next;
        }
    }

    /** Charges a plan. */
    static ChargedReleases charge(
            PrivateDataset dataset,
            ReleaseView.Sums sums,
            RunRequest run,
            NoiseMechanism mechanism,
            PrivacyLedger ledger,
            NoiseSource noise)
            throws BudgetExhausted {
        if (!ledger.unit().equals(dataset.unit())) {
            throw new IllegalArgumentException("the ledger protects " + describe(ledger.unit())
                    + ", and the data set declares " + describe(dataset.unit()));
        }
        if (noise.forRelease() && !(mechanism.forRelease() && ledger.durable())) {
            throw new IllegalArgumentException(
                    "a release needs a mechanism that is safe in floating point and a ledger that survives a crash");
        }
        requireSampler(run.plan(), mechanism);
        // Before the charge: a checkpoint that does not fit must not cost anything.
        long released = 0;
        if (run.position().isPresent()) {
            LedgerEntry resumed = ledger.resume(run.position().get());
            if (run.name().isEmpty() || !resumed.run().equals(run.name())) {
                throw new IllegalArgumentException(
                        "the checkpoint belongs to another run: resume it under the name it was charged with");
            }
            released = run.position().get().released();
        }
        LedgerEntry entry = ledger.charge(run.charge(run.plan().event(mechanism)));
        return new ChargedReleases(dataset, sums, run, mechanism, ledger, entry, noise, released);
    }

    /** Noise of so many grid steps that no exact sampler has them is refused while it costs nothing. */
    private static void requireSampler(ReleasePlan plan, NoiseMechanism mechanism) {
        for (ReleasePlan.Phase phase : plan.phases()) {
            NoiseMechanism scaled = mechanism.scaled(phase.relativeNoise());
            double steps = scaled.noiseStandardDeviation(1)
                    / scaled.grid(1, phase.dimension()).granularity();
            // The grid of another bound may be finer by up to a factor 2.
            if (scaled.forRelease() && !(2 * steps <= NoiseSource.LARGEST_STANDARD_DEVIATION)) {
                throw new IllegalArgumentException("the noise multiplier of \"" + phase.label()
                        + "\" is too large for releases of " + phase.dimension()
                        + (phase.dimension() == 1 ? " number" : " numbers") + "; allow more epsilon or delta");
            }
        }
    }

    private static String describe(PrivacyUnit unit) {
        return "one " + unit.name() + " of at most " + unit.maxRecords() + " record"
                + (unit.maxRecords() == 1 ? "" : "s") + " under "
                + unit.neighbours().label();
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        if (!busy.compareAndSet(false, true)) {
            throw new IllegalStateException("a session makes one release at a time, and this one is making one");
        }
        try {
            return next(query, l2Bound);
        } finally {
            busy.set(false);
        }
    }

    private NoisySum next(RecordSum query, double l2Bound) {
        long index = released;
        ReleasePlan.Phase phase = planned(index, query);
        NoiseMechanism scaled = mechanism.scaled(phase.relativeNoise());
        SumGrid grid = scaled.grid(l2Bound, phase.dimension());
        SealedRelease release = sealedBefore(index)
                ? requireSame(sealed.read(index, grid), phase.dimension(), l2Bound, scaled)
                : draw(index, query, scaled, grid);
        if (entry.released() <= index) {
            entry = ledger.advance(entry, index + 1);
        }
        released = index + 1;
        passLost();
        return new NoisySum(
                release.integers(), grid, release.noiseStandardDeviation(), expectedBatchSize(phase), provenance());
    }

    private boolean sealedBefore(long index) {
        return sealed.firstFrom(index).orElse(-1) == index;
    }

    /** Sums, draws the noise and seals the result: the only place where a release's noise is drawn. */
    private SealedRelease draw(long index, RecordSum query, NoiseMechanism scaled, SumGrid grid) {
        long[] noisy = sum(index, query, grid);
        scaled.addNoise(noisy, grid.l2Bound(), noise.fork(index).fork(NOISE));
        SealedRelease release =
                new SealedRelease(index, grid.l2Bound(), scaled.noiseStandardDeviation(grid.l2Bound()), noisy);
        sealed.keep(release);
        return release;
    }

    /** What was sealed is an answer to the question that was asked then. */
    private static SealedRelease requireSame(SealedRelease kept, int dimension, double l2Bound, NoiseMechanism scaled) {
        if (kept.integers().length != dimension
                || kept.l2Bound() != l2Bound
                || kept.noiseStandardDeviation() != scaled.noiseStandardDeviation(l2Bound)) {
            throw new SealedConflict("release " + (kept.index() + 1) + " was sealed with other numbers, bound or noise"
                    + " than are asked for now; go on with the version and on the machine that began the run");
        }
        return kept;
    }

    @Override
    public Provenance provenance() {
        return noise.provenance();
    }

    @Override
    public PrivacyEvent event() {
        return entry.event();
    }

    @Override
    public long released() {
        return released;
    }

    @Override
    public long lostReleases() {
        return lost;
    }

    @Override
    public Optional<RunPosition> position() {
        LedgerEntry now = entry;
        return Optional.of(new RunPosition(now.sequence(), now.hash(), released));
    }
}
