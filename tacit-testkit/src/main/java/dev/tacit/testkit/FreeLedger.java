package dev.tacit.testkit;

import dev.tacit.privacy.ledger.Charge;
import dev.tacit.privacy.ledger.LedgerEntry;
import dev.tacit.privacy.ledger.LedgerSummary;
import dev.tacit.privacy.ledger.LedgerTerms;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.unit.PrivacyBudget;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.List;
import java.util.Optional;

/** A ledger that admits everything and keeps nothing, so that a test can afford thousands of fits. */
public record FreeLedger(PrivacyUnit unit) implements PrivacyLedger {
    @Override
    public LedgerEntry charge(Charge charge) {
        return new LedgerEntry(1, "", charge.label(), charge.event(), charge.run(), Optional.empty(), true, 0);
    }

    @Override
    public LedgerEntry advance(LedgerEntry entry, long released) {
        return new LedgerEntry(1, "", entry.label(), entry.event(), entry.run(), Optional.empty(), true, released);
    }

    @Override
    public LedgerTerms terms() {
        return LedgerTerms.of(unit, new PrivacyBudget(1, 1e-5));
    }

    @Override
    public List<LedgerEntry> entries() {
        return List.of();
    }

    @Override
    public LedgerSummary summary() {
        throw new UnsupportedOperationException("nothing is kept");
    }

    @Override
    public boolean durable() {
        return false;
    }
}
