package dev.tacit.audit.subject;

import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.List;
import java.util.Optional;

/** A ledger of one simulated run, which admits everything and knows how far that run got. */
public final class AuditLedger implements PrivacyLedger {
    private final PrivacyUnit unit;
    private LedgerEntry entry;

    public AuditLedger(PrivacyUnit unit) {
        this.unit = unit;
    }

    @Override
    public LedgerEntry charge(Charge charge) {
        if (entry == null || charge.run().isEmpty()) {
            entry = entry(charge, 0);
        }
        return entry;
    }

    private static LedgerEntry entry(Charge charge, long released) {
        return new LedgerEntry(
                1,
                "",
                charge.label(),
                charge.event(),
                charge.run(),
                Optional.empty(),
                Optional.empty(),
                true,
                released,
                Optional.empty());
    }

    @Override
    public LedgerEntry advance(LedgerEntry before, long released) {
        entry = new LedgerEntry(
                1,
                "",
                before.label(),
                before.event(),
                before.run(),
                Optional.empty(),
                Optional.empty(),
                true,
                released,
                Optional.empty());
        return entry;
    }

    @Override
    public PrivacyUnit unit() {
        return unit;
    }

    @Override
    public List<LedgerEntry> entries() {
        return entry == null ? List.of() : List.of(entry);
    }

    @Override
    public boolean durable() {
        return false;
    }
}
