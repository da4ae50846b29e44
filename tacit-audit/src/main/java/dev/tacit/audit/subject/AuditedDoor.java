package dev.tacit.audit.subject;

import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.PrivacyUnit;

/**
 * How invented records get behind a door and out again; the defaults are those of every run, and a test of the audit replaces
 * one of them by something broken.
 */
public interface AuditedDoor {
    /** The door of every run. */
    AuditedDoor STANDARD = new AuditedDoor() {};

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
