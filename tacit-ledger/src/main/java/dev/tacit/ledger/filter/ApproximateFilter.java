package dev.tacit.ledger.filter;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;

/**
 * The (epsilon, delta) filter, for mechanisms without a Rényi curve.
 *
 * <pre>
 *   admit while  √(2 log(1/δ') S) + S/2 ≤ ε  and  Σ_i δ_i ≤ δ − δ',     S = Σ_i ε_i²,  event_i is (ε_i, δ_i)-DP
 * </pre>
 *
 * Whitehouse, Ramdas, Rogers, Wu 2023 (the filter that matches advanced composition); for interleaved runs Haney et al.
 * 2023. Solved for S: √S ≤ √(2 log(1/δ') + 2ε) − √(2 log(1/δ')). The plan accountant gives ε_i at δ_i = entryDelta.
 *
 * @param slack δ', the part of the budget's delta that pays for adaptivity
 * @param entryDelta δ_i of every entry
 */
public record ApproximateFilter(double slack, double entryDelta) implements PrivacyFilter {
    public ApproximateFilter {
        PrivacyBudget.requireDelta(slack);
        PrivacyBudget.requireDelta(entryDelta);
    }

    @Override
    public FilterCost limit(PrivacyBudget budget) {
        double twiceLog = -2 * Math.log(slack);
        double root = 2 * budget.epsilon() / (Math.sqrt(twiceLog + 2 * budget.epsilon()) + Math.sqrt(twiceLog));
        double delta = Math.max(0, Math.nextDown(budget.delta() - slack));
        return new FilterCost(root * root * (1 - 0x1p-46), delta);
    }

    @Override
    public FilterCost cost(PrivacyEvent event, Neighbours neighbours, LedgerAccounting accounting) {
        double epsilon =
                accounting.plans().epsilon(event, entryDelta, neighbours).upper();
        return new FilterCost(Math.nextUp(epsilon * epsilon), entryDelta);
    }
}
