package dev.tacit.ledger;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.filter.LedgerAccounting;
import java.util.List;
import java.util.Optional;

/** A ledger that is forgotten with the process: for tests and simulations only, and {@link #durable} says so. */
public final class InMemoryLedger implements AskedLedger {
    private final LedgerHistory history;
    private final SpendingRule rule;

    public InMemoryLedger(LedgerTerms terms, LedgerAccounting accounting) {
        history = new LedgerHistory(accounting.events());
        history.accept(LedgerHistory.headerLine(terms));
        rule = new SpendingRule(terms, accounting);
    }

    @Override
    public synchronized LedgerEntry charge(Charge charge) throws BudgetExhausted {
        Optional<LedgerEntry> known = history.known(charge);
        if (known.isPresent()) {
            return known.get();
        }
        rule.check(history.entries(), charge.event());
        history.accept(history.chargeLine(charge));
        history.accept(history.chargedLine(history.lastEntry().sequence()));
        return history.lastEntry();
    }

    @Override
    public synchronized void require(Charge charge) throws BudgetExhausted {
        if (history.known(charge).isEmpty()) {
            rule.check(history.entries(), charge.event());
        }
    }

    @Override
    public synchronized LedgerEntry advance(LedgerEntry entry, long released) {
        LedgerEntry advanced = history.advancing(entry, released);
        history.accept(history.releasedLine(entry.sequence(), released));
        return advanced;
    }

    @Override
    public PrivacyUnit unit() {
        return history.terms().unit();
    }

    /** What this ledger promises. */
    public LedgerTerms terms() {
        return history.terms();
    }

    @Override
    public synchronized List<LedgerEntry> entries() {
        return List.copyOf(history.entries());
    }

    /** The entries with their shares, for reports. */
    public synchronized LedgerSummary summary() {
        return rule.summary(history.entries());
    }

    @Override
    public boolean durable() {
        return false;
    }
}
