package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.Charge;
import dev.tacit.privacy.ledger.LedgerEntry;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Objects;

/** Private records on this machine. */
public final class LocalDataset implements PrivateDataset {
    private final RecordSource records;
    private final PrivacyUnit unit;
    private final long publicSize;
    private final int threads;

    /**
     * @param records the encoded rows; closed with this data set
     * @param unit who is protected; rows of a person beyond its {@code maxRecords} are not looked at
     * @param publicSize the declared number of units
     * @param threads how many threads compute a release; the result does not depend on it
     */
    public LocalDataset(RecordSource records, PrivacyUnit unit, long publicSize, int threads) {
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
    public PrivateSession open(RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        if (!ledger.terms().unit().equals(unit)) {
            throw new IllegalArgumentException("the ledger protects "
                    + describe(ledger.terms().unit()) + ", and the data set declares " + describe(unit));
        }
        if (noise.forRelease() && !(mechanism.forRelease() && ledger.durable())) {
            throw new IllegalArgumentException(
                    "a release needs a mechanism that is safe in floating point and a ledger that survives a crash");
        }
        PrivacyEvent event = run.plan().event(mechanism);
        Charge charge = Charge.of(run.label(), event);
        LedgerEntry entry = ledger.charge(run.name().map(charge::forRun).orElse(charge));
        long released = 0;
        if (run.position().isPresent()) {
            LedgerEntry resumed = ledger.resume(run.position().get());
            if (resumed.sequence() != entry.sequence()) {
                throw new IllegalArgumentException("the checkpoint belongs to another run of this ledger");
            }
            released = run.position().get().released();
        }
        return new LedgeredSession(summation(noise), run.plan(), mechanism, ledger, entry, noise, released);
    }

    @Override
    public PrivateSession openNotPrivate(RunRequest run, NoiseSource batches) {
        return new UnprotectedSession(
                summation(batches),
                run.plan(),
                run.position().map(position -> position.released()).orElse(0L));
    }

    private BatchSummation summation(NoiseSource noise) {
        return new BatchSummation(records, unit, publicSize, threads, noise);
    }

    private static String describe(PrivacyUnit unit) {
        return "one " + unit.name() + " of at most " + unit.maxRecords() + " record"
                + (unit.maxRecords() == 1 ? "" : "s") + " under "
                + unit.neighbours().label();
    }

    @Override
    public void close() {
        records.close();
    }
}
