package dev.tacit.door.ledger;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.List;

/**
 * The record of everything that was spent on one data set; a release may happen only after its charge has returned.
 *
 * <p>A run charges its whole plan once, before its first release. To be resumable it gives the charge a run name
 * ({@link Charge#forRun}): charging the same name and event again spends nothing and returns the entry that is there.
 * So that a resumed run never draws fresh noise for a release it has already made, it announces its releases with
 * {@link #advance} before making them and starts after the {@link LedgerEntry#released} count it finds.
 */
public interface PrivacyLedger {
    /** Spends an event, or refuses; when this returns, the entry survives a crash if the ledger is durable. */
    LedgerEntry charge(Charge charge) throws BudgetExhausted;

    /** Spends an event of a run that is never resumed. */
    default LedgerEntry charge(String label, PrivacyEvent event) throws BudgetExhausted {
        return charge(Charge.of(label, event));
    }

    /**
     * Announces, before they happen, that the entry's releases up to this count may happen; returns the entry as it is
     * now. Refused beyond the number of releases that the charge paid for, and if the ledger's count is not the one in the given entry:
     * somebody else continued the run.
     */
    LedgerEntry advance(LedgerEntry entry, long released);

    /** The entry of a checkpoint's position; refused if this ledger does not hold it, that is, if it is behind. */
    default LedgerEntry resume(RunPosition position) {
        for (LedgerEntry entry : entries()) {
            if (entry.sequence() == position.sequence() && entry.hash().equals(position.hash())) {
                if (entry.released() < position.released()) {
                    throw new LedgerConflict("the ledger is behind the checkpoint: it has seen fewer releases");
                }
                return entry;
            }
        }
        throw new LedgerConflict("the ledger does not hold the checkpoint's entry: it is behind, or another ledger");
    }

    /** Whom this ledger protects, and against which neighbours. */
    PrivacyUnit unit();

    /** Everything charged, in order. */
    List<LedgerEntry> entries();

    /** Whether a charge survives a crash; if not, only simulations may use it. */
    boolean durable();
}
