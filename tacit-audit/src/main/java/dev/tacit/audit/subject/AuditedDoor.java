package dev.tacit.audit.subject;

import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.PrivacyUnit;

/**
 * How invented records get behind a door and out again; the defaults are those of every run, and a test of the audit replaces
 * one of them by something broken.
 */
public interface AuditedDoor {
    /** The door of every run. */
    AuditedDoor STANDARD = new AuditedDoor() {};

    /** The door of every run, behind which another engine adds up. */
    static AuditedDoor over(Engine engine) {
        return new AuditedDoor() {
            @Override
            public PrivateDataset records(SyntheticTable table, boolean sparse, PrivacyUnit unit) {
                return PrivateDataset.of(
                        engine.over(table.records(sparse, unit.maxRecords() > 1)),
                        unit,
                        table.shape().publicSize());
            }
        };
    }

    /** Whatever adds up records behind a door, on this machine or on others. */
    @FunctionalInterface
    interface Engine {
        /** Takes records in. */
        Summation over(RecordSource records);
    }

    /** Whether a run that is cut off goes on through this door; otherwise that is somebody else's business. */
    default boolean resumes() {
        return true;
    }

    /** Takes records in. */
    default PrivateDataset records(SyntheticTable table, boolean sparse, PrivacyUnit unit) {
        return table.dataset(sparse, unit);
    }

    /** Opens the door for a run. */
    default PrivateSession open(
            PrivateDataset data, RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        return data.open(run, mechanism, ledger, noise);
    }

    /** Opens the door for a run that is charged to nobody. */
    default PrivateSession open(PrivateDataset data, RunRequest run, NoiseMechanism mechanism, NoiseSource noise) {
        try {
            return open(data, run, mechanism, new AuditLedger(data.unit()), noise);
        } catch (BudgetExhausted e) {
            throw new IllegalStateException("a ledger that admits everything refused", e);
        }
    }
}
