package dev.tacit.ledger.filter;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.json.EventJson;
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
}
