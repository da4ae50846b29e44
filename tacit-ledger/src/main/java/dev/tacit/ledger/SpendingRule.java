package dev.tacit.ledger;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.Repeated;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.ledger.filter.FilterCost;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.ledger.filter.PrivacyFilter;
import dev.tacit.ledger.filter.RenyiOdometer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongPredicate;

/**
 * Decides whether a charge keeps the limit, if the ledger has one, and says what all charges cost together.
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
 *
 * <p>Together, one entry costs what the plan accountant shows, because its event was fixed before any output; several
 * cost what the {@link RenyiOdometer} reads, or the limit if that is less and the filter admitted them all.
 */
final class SpendingRule {
    private final LedgerTerms terms;
    private final LedgerAccounting accounting;
    private final Optional<FilterCost> limit;
    private final Map<PrivacyEvent, FilterCost> costs = new HashMap<>();
    private final Map<PrivacyEvent, double[]> odometerCosts = new HashMap<>();
    private FilterCost spent = FilterCost.NONE;
    private int counted;

    SpendingRule(LedgerTerms terms, LedgerAccounting accounting) {
        this.terms = terms;
        this.accounting = accounting;
        this.limit = terms.limit().map(SpendingLimit::cost);
    }

    LedgerTerms terms() {
        return terms;
    }

    /** Refuses an event that would overspend; the entries must begin with those of the last call. */
    void check(List<LedgerEntry> entries, PrivacyEvent event) throws BudgetExhausted {
        if (limit.isEmpty()) {
            return;
        }
        count(entries);
        boolean first = entries.isEmpty();
        if (admits(first, event)) {
            return;
        }
        FilterCost most = limit.get();
        PrivacyEvent unit = event;
        long repetitions = 1;
        while (unit instanceof Repeated repeated) {
            unit = repeated.event();
            repetitions = saturatedProduct(repetitions, repeated.times());
        }
        PrivacyEvent once = unit;
        throw Refusals.of(new BudgetExhausted.Details(
                budget(),
                Math.min(1, spent.shareOf(most)),
                cost(event).shareOf(most),
                first ? OptionalDouble.of(alone(event).upper()) : OptionalDouble.empty(),
                largest(repetitions, times -> admits(first, once.times(times))),
                repetitions,
                refusal(event)));
    }

    LedgerSummary summary(List<LedgerEntry> entries) {
        List<LedgerSummary.Line> lines = new ArrayList<>();
        FilterCost total = FilterCost.NONE;
        double[] sums = new double[terms.odometer().terms().size()];
        EpsilonBound together = new EpsilonBound.AtMost(0, "nothing was charged");
        for (LedgerEntry entry : entries) {
            OptionalDouble share = OptionalDouble.empty();
            OptionalDouble cumulativeShare = OptionalDouble.empty();
            add(sums, entry.event());
            together = new EpsilonBound.AtMost(terms.odometer().epsilon(sums, terms.delta()), "the ledger's odometer");
            if (lines.isEmpty()) {
                together = smaller(alone(entry.event()), together);
            }
            if (limit.isPresent()) {
                FilterCost cost = cost(entry.event());
                total = total.plus(cost);
                share = OptionalDouble.of(cost.shareOf(limit.get()));
                cumulativeShare = OptionalDouble.of(total.shareOf(limit.get()));
                if (total.within(limit.get())) {
                    EpsilonBound kept = new EpsilonBound.AtMost(budget().epsilon(), "the ledger's filter");
                    together = smaller(together, kept);
                }
            }
            if (together.upper() == Double.POSITIVE_INFINITY) {
                together = new EpsilonBound.Unbounded("an entry has no bound that can be added up");
            }
            lines.add(new LedgerSummary.Line(entry, share, cumulativeShare, together));
        }
        OptionalDouble spentShare =
                limit.isPresent() ? OptionalDouble.of(total.shareOf(limit.get())) : OptionalDouble.empty();
        return new LedgerSummary(terms, lines, spentShare, together);
    }

    private static EpsilonBound smaller(EpsilonBound preferred, EpsilonBound other) {
        return preferred.upper() <= other.upper() ? preferred : other;
    }

    /** Adds an event's divergences, rounded up. */
    private void add(double[] sums, PrivacyEvent event) {
        double[] more = odometerCosts.computeIfAbsent(
                event, unknown -> terms.odometer().costs(unknown, neighbours(), accounting.renyi()));
        for (int j = 0; j < sums.length; j++) {
            sums[j] = FilterCost.sumRoundedUp(sums[j], more[j]);
        }
    }

    private boolean admits(boolean first, PrivacyEvent event) {
        return spent.plus(cost(event)).within(limit.orElseThrow())
                || (first && alone(event).upper() <= budget().epsilon());
    }

    private PrivacyBudget budget() {
        return terms.limit().orElseThrow().budget();
    }

    private PrivacyFilter filter() {
        return terms.limit().orElseThrow().filter();
    }

    private EpsilonBound alone(PrivacyEvent event) {
        return accounting.plans().epsilon(event, terms.delta(), neighbours());
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
        return known != null ? known : filter().cost(event, neighbours(), accounting);
    }

    /** Why the filter cannot bound an event; it only answers +∞, so the plan accountant says it. */
    private Optional<String> refusal(PrivacyEvent event) {
        if (filter().cost(event, neighbours(), accounting).loss() < Double.POSITIVE_INFINITY) {
            return Optional.empty();
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
