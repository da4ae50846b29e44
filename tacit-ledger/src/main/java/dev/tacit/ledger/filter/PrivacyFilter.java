package dev.tacit.ledger.filter;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;

/**
 * A rule that keeps a budget although every next event is chosen after seeing all earlier outputs.
 *
 * <p>Costs add up; an event is admitted if the sum with it stays within the limit; then everything admitted so far is
 * (epsilon, delta)-DP together, whenever one stops. Adding up loss distributions or trade-off functions is not such a
 * rule (the natural f-DP filter is invalid, arXiv 2602.06756), which is why only the filters of this package exist. A
 * zCDP filter would be dominated: its limit is max over orders of B(order) / order, which {@link
 * RenyiFilter#forBudget} reaches, and a Rényi divergence is never above rho times the order.
 */
public sealed interface PrivacyFilter permits RenyiFilter, ApproximateFilter {
    /** The largest sum that keeps the budget, rounded down. */
    FilterCost limit(PrivacyBudget budget);

    /** What one event adds, rounded up. */
    FilterCost cost(PrivacyEvent event, Neighbours neighbours, LedgerAccounting accounting);
}
