package dev.tacit.testkit.method;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.List;
import java.util.Optional;

/** A ledger that admits everything and keeps nothing, so that a test can afford thousands of fits. */
public record FreeLedger(PrivacyUnit unit) implements PrivacyLedger {
    @Override
    public LedgerEntry charge(Charge charge) {
        return entry(charge.label(), charge.event(), charge.run(), 0);
    }

    @Override
    public LedgerEntry advance(LedgerEntry entry, long released) {
        return entry(entry.label(), entry.event(), entry.run(), released);
    }

    private static LedgerEntry entry(String label, PrivacyEvent event, Optional<String> run, long released) {
        return new LedgerEntry(
                1, "", label, event, run, Optional.empty(), Optional.empty(), true, released, Optional.empty());
    }

    @Override
    public List<LedgerEntry> entries() {
        return List.of();
    }

    @Override
    public boolean durable() {
        return false;
    }
}
