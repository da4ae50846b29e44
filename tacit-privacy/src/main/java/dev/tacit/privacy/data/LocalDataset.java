package dev.tacit.privacy.data;

import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Objects;
import java.util.OptionalDouble;

/** Private records on this machine. */
public final class LocalDataset implements PrivateDataset {
    private final RecordSource records;
    private final PrivacyUnit unit;
    private final long publicSize;
    private final int threads;
    private final OptionalDouble largestRowNorm;

    /**
     * @param records the encoded rows; closed with this data set
     * @param unit who is protected; rows of a person beyond its {@code maxRecords} are not looked at
     * @param publicSize the declared number of units
     * @param threads how many threads compute a release; the result does not depend on it
     */
    public LocalDataset(RecordSource records, PrivacyUnit unit, long publicSize, int threads) {
        this(records, unit, publicSize, threads, OptionalDouble.empty());
    }

    private LocalDataset(
            RecordSource records, PrivacyUnit unit, long publicSize, int threads, OptionalDouble largestRowNorm) {
        this.records = Objects.requireNonNull(records, "records");
        this.unit = Objects.requireNonNull(unit, "unit");
        if (publicSize < 1) {
            throw new IllegalArgumentException("the public size is at least 1");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("a release needs at least one thread");
        }
        this.publicSize = publicSize;
        this.threads = threads;
        this.largestRowNorm = largestRowNorm;
    }

    /** The same records, whose encoder declares that no row is longer than this. */
    public LocalDataset withRowNorm(double largestNorm) {
        return new LocalDataset(records, unit, publicSize, threads, OptionalDouble.of(largestNorm));
    }

    /** With as many threads as the machine has processors. */
    public static LocalDataset of(RecordSource records, PrivacyUnit unit, long publicSize) {
        return new LocalDataset(records, unit, publicSize, Runtime.getRuntime().availableProcessors());
    }

    @Override
    public PrivacyUnit unit() {
        return unit;
    }

    @Override
    public long publicSize() {
        return publicSize;
    }

    @Override
    public int columns() {
        return records.columns();
    }

    @Override
    public OptionalDouble largestRowNorm() {
        return largestRowNorm;
    }

    @Override
    public PrivateSession open(RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        requireSampling(run.plan(), true);
        requireRows(run.plan());
        requireOneRecord(run.plan());
        requireOneParty(run.plan());
        return session(
                ChargedReleases.charge(unit, run, run.plan().event(mechanism), mechanism, ledger, noise, publicSize));
    }

    @Override
    public PrivateSession openNotPrivate(RunRequest run, NoiseSource batches) {
        requireSampling(run.plan(), false);
        requireRows(run.plan());
        requireOneRecord(run.plan());
        return session(new UnprotectedReleases(run, batches, publicSize));
    }

    /**
     * Releases the minimiser of a perturbed objective: charged before the first noise is drawn, once for each call.
     *
     * @param ledger durable if the noise is for release
     */
    public NoisyMinimum minimise(PerturbedMinimum request, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        return new MinimumRelease(request, records).make(unit, publicSize, ledger, noise);
    }

    /**
     * A view whose records are shards: groups of units that a query sees together.
     *
     * @param shards how many; public
     * @param noise assigns each unit to a shard, now and for the life of the view
     */
    public ShardedDataset sharded(int shards, NoiseSource noise) {
        return new ShardedDataset(records, unit, threads, shards, noise);
    }

    private PrivateSession session(Releases releases) {
        return new LocalSession(
                releases,
                new BatchSummation(records, unit.maxRecords(), threads),
                shards -> new ShardSummation(records, unit.maxRecords(), threads, shards.assign(records)),
                this);
    }

    /**
     * Batches of fixed size are drawn from the declared number of units, which is public under replace-one. Under
     * add/remove no accountant bounds them, and the number of units must not decide whether this throws.
     */
    private void requireSampling(ReleasePlan plan, boolean forAccounting) {
        for (ReleasePlan.Phase phase : plan.phases()) {
            if (!(phase.sampling() instanceof FixedSizeSampling fixed)) {
                continue;
            }
            if (forAccounting && unit.neighbours() != Neighbours.REPLACE_ONE) {
                throw new IllegalArgumentException(
                        "batches of fixed size need replace-one neighbours: under add/remove the number of "
                                + "units is private; use Poisson sampling");
            }
            if (fixed.population() != publicSize || records.units() > publicSize) {
                throw new IllegalArgumentException("batches of fixed size are drawn from the declared number of units, "
                        + "which the data set must not exceed; correct the declaration");
            }
        }
    }

    /** Both numbers are declared, so comparing them says nothing about a record. */
    private void requireRows(ReleasePlan plan) {
        if (plan.rowNormBound().isEmpty() || largestRowNorm.isEmpty()) {
            return;
        }
        double assumed = plan.rowNormBound().getAsDouble();
        double declared = largestRowNorm.getAsDouble();
        if (!(declared <= assumed * (1 + 1e-9))) {
            throw new IllegalArgumentException("the model is for rows of norm up to " + assumed
                    + ", and those of the data set reach " + declared + "; give the model the data set's bound");
        }
    }

    /** {@link PartyShards} says why. */
    private void requireOneRecord(ReleasePlan plan) {
        if (plan.shards().isPresent() && unit.maxRecords() != 1) {
            throw new IllegalArgumentException("shards inside parties protect a unit of one record: the records of a"
                    + " person may be in several");
        }
    }

    /** {@link PartyTurns} says why. */
    private void requireOneParty(ReleasePlan plan) {
        if (plan.turns().isPresent() && (unit.neighbours() != Neighbours.ADD_REMOVE || unit.maxRecords() != 1)) {
            throw new IllegalArgumentException("parties that take turns protect a unit of one record that is added or"
                    + " removed; ask them all at the same time (schedule=synchronous)");
        }
    }

    @Override
    public void close() {
        records.close();
    }
}
