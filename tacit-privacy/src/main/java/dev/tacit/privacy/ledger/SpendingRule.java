package dev.tacit.privacy.ledger;

import dev.tacit.privacy.accountant.EpsilonBound;
import dev.tacit.privacy.accountant.UnsupportedEventException;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.event.PrivacyEvent.Repeated;
import dev.tacit.privacy.unit.Neighbours;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongPredicate;

/**
 * Decides whether a charge keeps the budget.
 *
 * <pre>
 *   first entry    admitted if the plan accountant shows epsilon(event, δ) ≤ ε,  or  the filter admits it
 *   later entries  admitted if the filter admits the sum of all entries, the first included
 * </pre>
 *
 * Why this keeps (ε, δ) although everything after the first entry is chosen adaptively: the first event is chosen
 * before any output exists, so it does not depend on the data, and neither does which of two cases we are in. (1) Its
 * cost alone is above the filter's limit. Costs are never negative, so no later entry is ever admitted; the ledger
 * holds one plan whose parameters were fixed in advance, and the plan accountant's bound holds for it. (2) Its cost
 * is within the limit. Then every entry, the first included, was admitted by the filter, and the filter's theorem
 * holds for all of them. Both cases are (ε, δ)-DP, hence so is the whole, even if the first event was random.
 */
final class SpendingRule {
    private final LedgerTerms terms;
    private final LedgerAccounting accounting;
    private final FilterCost limit;
    private final Map<PrivacyEvent, FilterCost> costs = new HashMap<>();
    private FilterCost spent = FilterCost.NONE;
    private int counted;

    SpendingRule(LedgerTerms terms, LedgerAccounting accounting) {
        this.terms = terms;
        this.accounting = accounting;
        this.limit = terms.filter().limit(terms.budget());
    }

    LedgerTerms terms() {
        return terms;
    }

    /** Refuses an event that would overspend; the entries must begin with those of the last call. */
    void check(List<LedgerEntry> entries, PrivacyEvent event) throws BudgetExhausted {
        count(entries);
        boolean first = entries.isEmpty();
        if (admits(first, event)) {
            return;
        }
        PrivacyEvent unit = event;
        long repetitions = 1;
        while (unit instanceof Repeated repeated) {
            unit = repeated.event();
            repetitions = saturatedProduct(repetitions, repeated.times());
        }
        PrivacyEvent once = unit;
        throw new BudgetExhausted(new BudgetExhausted.Details(
                terms.budget(),
                Math.min(1, spent.shareOf(limit)),
                cost(event).shareOf(limit),
                first ? OptionalDouble.of(alone(event).upper()) : OptionalDouble.empty(),
                largest(repetitions, times -> admits(first, once.times(times))),
                repetitions,
                refusal(event)));
    }

    LedgerSummary summary(List<LedgerEntry> entries) {
        count(entries);
        List<LedgerSummary.Line> lines = new ArrayList<>();
        FilterCost total = FilterCost.NONE;
        for (LedgerEntry entry : entries) {
            FilterCost cost = cost(entry.event());
            total = total.plus(cost);
            lines.add(new LedgerSummary.Line(entry, cost.shareOf(limit), total.shareOf(limit)));
        }
        return new LedgerSummary(terms, lines, total.shareOf(limit), holds(entries, total));
    }

    private EpsilonBound holds(List<LedgerEntry> entries, FilterCost total) {
        if (entries.isEmpty()) {
            return new EpsilonBound.AtMost(0, "nothing was charged");
        }
        EpsilonBound filtered = total.within(limit)
                ? new EpsilonBound.AtMost(terms.budget().epsilon(), "the ledger's filter")
                : new EpsilonBound.Unbounded("the entries exceed what the ledger's filter allows");
        if (entries.size() > 1) {
            return filtered;
        }
        EpsilonBound alone = alone(entries.get(0).event());
        return alone.upper() <= filtered.upper() ? alone : filtered;
    }

    private boolean admits(boolean first, PrivacyEvent event) {
        return spent.plus(cost(event)).within(limit)
                || (first && alone(event).upper() <= terms.budget().epsilon());
    }

    private EpsilonBound alone(PrivacyEvent event) {
        return accounting.plans().epsilon(event, terms.budget().delta(), neighbours());
    }

    private void count(List<LedgerEntry> entries) {
        for (; counted < entries.size(); counted++) {
            PrivacyEvent event = entries.get(counted).event();
            FilterCost cost = cost(event);
            costs.put(event, cost);
            spent = spent.plus(cost);
        }
    }

    private FilterCost cost(PrivacyEvent event) {
        FilterCost known = costs.get(event);
        if (known != null) {
            return known;
        }
        try {
            return terms.filter().cost(event, neighbours(), accounting);
        } catch (UnsupportedEventException e) {
            return FilterCost.UNBOUNDED;
        }
    }

    /** Why the filter cannot bound an event; an accountant that only answers +∞ leaves the reason to the other one. */
    private Optional<String> refusal(PrivacyEvent event) {
        try {
            if (terms.filter().cost(event, neighbours(), accounting).loss() < Double.POSITIVE_INFINITY) {
                return Optional.empty();
            }
        } catch (UnsupportedEventException e) {
            return Optional.of(e.getMessage());
        }
        EpsilonBound alone = alone(event);
        if (alone instanceof EpsilonBound.Unsupported unsupported) {
            return Optional.of(unsupported.reason());
        }
        return alone instanceof EpsilonBound.Unbounded unbounded ? Optional.of(unbounded.reason()) : Optional.empty();
    }

    private Neighbours neighbours() {
        return terms.unit().neighbours();
    }

    /** The largest count below an excluded one that still fits, by bisection: more repetitions never cost less. */
    private static long largest(long excluded, LongPredicate fits) {
        long low = 0;
        long high = excluded;
        while (high - low > 1) {
            long middle = low + (high - low) / 2;
            if (fits.test(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static long saturatedProduct(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }
}
