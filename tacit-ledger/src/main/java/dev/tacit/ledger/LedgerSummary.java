package dev.tacit.ledger;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.door.ledger.LedgerEntry;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A ledger as a report shows it.
 *
 * @param terms what the ledger promises
 * @param lines the entries with their shares
 * @param spentShare share of the filter's limit that is spent; above 1 for a single plan that only its exact bound
 *     admits; empty if there is no limit
 * @param holds the epsilon that holds, at the ledger's delta, for everything in the ledger together
 */
public record LedgerSummary(LedgerTerms terms, List<Line> lines, OptionalDouble spentShare, EpsilonBound holds) {
    public LedgerSummary {
        lines = List.copyOf(lines);
    }

    /**
     * One entry.
     *
     * @param entry the entry
     * @param share its share of the filter's limit; empty if there is none
     * @param cumulativeShare the share of all entries up to this one
     * @param together the epsilon that holds for all entries up to this one
     */
    public record Line(
            LedgerEntry entry, OptionalDouble share, OptionalDouble cumulativeShare, EpsilonBound together) {}
}
