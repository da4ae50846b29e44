package dev.tacit.ledger;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.PrivacyLedger;

/** A ledger that can be asked whether it would take a charge, for whoever charges several of them or none. */
public interface AskedLedger extends PrivacyLedger {
    /** Refuses what {@link #charge} would refuse now, and writes nothing. */
    void require(Charge charge) throws BudgetExhausted;
}
