package dev.tacit.privacy.ledger;

import dev.tacit.privacy.accountant.ExactAccountant;
import dev.tacit.privacy.accountant.PrivacyAccountant;
import dev.tacit.privacy.accountant.RenyiAccountant;
import dev.tacit.privacy.event.EventJson;
import java.util.Objects;

/**
 * The accountants a ledger asks, and how it reads and writes events.
 *
 * @param plans bounds one plan whose parameters are fixed in advance; the exact accountant is best
 * @param renyi what the Rényi filter adds up
 * @param events the catalogue of leaves that may be charged
 */
public record LedgerAccounting(PrivacyAccountant plans, RenyiCurve renyi, EventJson events) {
    public LedgerAccounting {
        Objects.requireNonNull(plans, "plans");
        Objects.requireNonNull(renyi, "renyi");
        Objects.requireNonNull(events, "events");
    }

    /** With the leaves that Tacit ships. */
    public LedgerAccounting(PrivacyAccountant plans, RenyiCurve renyi) {
        this(plans, renyi, EventJson.standard());
    }

    /** The exact accountant for plans, the Rényi accountant for the filter. */
    public static LedgerAccounting standard() {
        return new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence);
    }
}
