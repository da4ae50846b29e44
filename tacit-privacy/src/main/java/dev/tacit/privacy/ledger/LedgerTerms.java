package dev.tacit.privacy.ledger;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.unit.PrivacyBudget;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Objects;

/**
 * What a ledger promises, fixed before its first charge.
 *
 * @param unit who is protected, and against which neighbours
 * @param budget what may be spent in all
 * @param filter the rule that keeps the budget, with its parameters
 */
public record LedgerTerms(PrivacyUnit unit, PrivacyBudget budget, PrivacyFilter filter) {
    public LedgerTerms {
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(filter, "filter");
    }

    /** With the Rényi filter at the order that suits Gaussian-like spending. */
    public static LedgerTerms of(PrivacyUnit unit, PrivacyBudget budget) {
        return new LedgerTerms(unit, budget, RenyiFilter.forBudget(budget));
    }

    /** With the Rényi filter at the order that suits spending of the planned kind. */
    public static LedgerTerms forPlan(PrivacyUnit unit, PrivacyBudget budget, PrivacyEvent plan, RenyiCurve renyi) {
        return new LedgerTerms(unit, budget, RenyiFilter.forPlan(budget, plan, unit.neighbours(), renyi));
    }
}
