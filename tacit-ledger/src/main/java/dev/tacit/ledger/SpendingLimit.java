package dev.tacit.ledger;

import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.ledger.filter.FilterCost;
import dev.tacit.ledger.filter.PrivacyFilter;
import java.util.Objects;

/**
 * What may be spent in all, and the rule that keeps it.
 *
 * @param budget epsilon, and the ledger's delta
 * @param filter the rule, with its parameters
 */
public record SpendingLimit(PrivacyBudget budget, PrivacyFilter filter) {
    public SpendingLimit {
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(filter, "filter");
    }

    /** The largest sum of costs that keeps the budget. */
    FilterCost cost() {
        return filter.limit(budget);
    }
}
