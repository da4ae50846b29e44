package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.LedgerEntry;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.DiscreteGaussianSampler;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.unit.PrivacyUnit;
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
final class ChargedReleases implements Releases {
    /** Forks of a release's noise. */
    private static final long NOISE = 0;

    private static final long BATCH = 1;

    private final ReleasePlan plan;
    private final NoiseMechanism mechanism;
    private final PrivacyLedger ledger;
    private final NoiseSource noise;
    private final SealedReleases sealed;
    private final long publicSize;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile LedgerEntry entry;
    private volatile long released;
    private volatile long lost;

    private ChargedReleases(
            RunRequest run,
            NoiseMechanism mechanism,
            PrivacyLedger ledger,
            LedgerEntry entry,
            NoiseSource noise,
            long released,
            long publicSize) {
        this.plan = run.plan();
        this.sealed = run.sealed();
        this.mechanism = mechanism;
        this.ledger = ledger;
        this.entry = entry;
        this.noise = noise;
        this.publicSize = publicSize;
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

    /**
     * Charges an event for a plan.
     *
     * @param unit who the data set says is protected; the ledger must say the same
     * @param event what the plan is to accounting
     * @param publicSize how many summands there are, publicly
     */
    static ChargedReleases charge(
            PrivacyUnit unit,
            RunRequest run,
            PrivacyEvent event,
            NoiseMechanism mechanism,
            PrivacyLedger ledger,
            NoiseSource noise,
            long publicSize)
            throws BudgetExhausted {
        if (!ledger.unit().equals(unit)) {
            throw new IllegalArgumentException(
                    "the ledger protects " + describe(ledger.unit()) + ", and the data set declares " + describe(unit));
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
        LedgerEntry entry = ledger.charge(run.charge(event));
        return new ChargedReleases(run, mechanism, ledger, entry, noise, released, publicSize);
    }

    /** Noise of so many grid steps that no exact sampler has them is refused while it costs nothing. */
    private static void requireSampler(ReleasePlan plan, NoiseMechanism mechanism) {
        for (ReleasePlan.Phase phase : plan.phases()) {
            NoiseMechanism scaled = mechanism.scaled(phase.relativeNoise());
            double steps = scaled.noiseStandardDeviation(1)
                    / scaled.grid(1, phase.dimension()).granularity();
            // The grid of another bound may be finer by up to a factor 2.
            if (scaled.forRelease() && !(2 * steps <= DiscreteGaussianSampler.LARGEST_STANDARD_DEVIATION)) {
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
    public NoisySum release(int dimension, double l2Bound, Summation summation) {
        if (!busy.compareAndSet(false, true)) {
            throw new IllegalStateException("a session makes one release at a time, and this one is making one");
        }
        try {
            return next(dimension, l2Bound, summation);
        } finally {
            busy.set(false);
        }
    }

    private NoisySum next(int dimension, double l2Bound, Summation summation) {
        long index = released;
        ReleasePlan.Phase phase = plan.phaseOf(index);
        Releases.requirePlanned(dimension, phase);
        NoiseMechanism scaled = mechanism.scaled(phase.relativeNoise());
        SealedRelease release = sealedBefore(index)
                ? requireSame(sealed.read(index), dimension, l2Bound, scaled)
                : draw(index, phase, scaled, dimension, l2Bound, summation);
        if (entry.released() <= index) {
            entry = ledger.advance(entry, index + 1);
        }
        released = index + 1;
        passLost();
        return new NoisySum(
                release.value(),
                release.noiseStandardDeviation(),
                phase.sampling().expectedBatchSize(publicSize),
                provenance());
    }

    private boolean sealedBefore(long index) {
        return sealed.firstFrom(index).orElse(-1) == index;
    }

    /** Sums, draws the noise and seals the result: the only place where a release's noise is drawn. */
    private SealedRelease draw(
            long index,
            ReleasePlan.Phase phase,
            NoiseMechanism scaled,
            int dimension,
            double l2Bound,
            Summation summation) {
        SumGrid grid = scaled.grid(l2Bound, dimension);
        long[] sums =
                summation.sum(grid, phase.sampling(), () -> noise.fork(index).fork(BATCH));
        double[] noisy = scaled.release(sums, l2Bound, noise.fork(index).fork(NOISE));
        SealedRelease release = new SealedRelease(index, l2Bound, scaled.noiseStandardDeviation(l2Bound), noisy);
        sealed.keep(release);
        return release;
    }

    /** What was sealed is an answer to the question that was asked then. */
    private static SealedRelease requireSame(SealedRelease kept, int dimension, double l2Bound, NoiseMechanism scaled) {
        if (kept.value().length != dimension
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
    public ReleasePlan plan() {
        return plan;
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
