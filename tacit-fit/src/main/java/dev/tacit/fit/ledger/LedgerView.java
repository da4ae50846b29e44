package dev.tacit.fit.ledger;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.text.Rounded;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerBroken;
import dev.tacit.ledger.LedgerFile;
import dev.tacit.ledger.LedgerSummary;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.LedgerUnavailable;
import dev.tacit.ledger.filter.ApproximateFilter;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.ledger.filter.PrivacyFilter;
import dev.tacit.ledger.filter.RenyiFilter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A ledger's file, and its charges added up again under its own rule, in memory, so that the file is only read.
 *
 * @param name how the file is called
 * @param contents what stands in it
 * @param summary what its charges cost
 */
public record LedgerView(String name, LedgerFile contents, LedgerSummary summary) {
    /** The accountants that every ledger of the command line asks. */
    public static LedgerAccounting accounting() {
        return new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence);
    }

    /** Reads a ledger, or says in one sentence why not. */
    public static LedgerView read(Path path, String name) {
        try {
            LedgerFile contents = LedgerFile.read(path);
            InMemoryLedger replay = new InMemoryLedger(contents.terms(), accounting());
            for (LedgerEntry entry : contents.entries()) {
                replay.charge(Charge.of(entry.label(), entry.event()));
            }
            return new LedgerView(name, contents, replay.summary());
        } catch (LedgerBroken e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA, name + " is not a whole ledger: " + e.getMessage() + ".", e);
        } catch (LedgerUnavailable e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, e.getMessage() + "; check who may read it.", e);
        } catch (BudgetExhausted e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    name + " holds charges that its limit does not allow, so no epsilon holds for it.",
                    e);
        }
    }

    public LedgerTerms terms() {
        return contents.terms();
    }

    /** The epsilon that holds for everything together. */
    public double together() {
        return summary.holds().upper();
    }

    /** The epsilon of each event alone, at the ledger's delta. */
    public Map<PrivacyEvent, Double> alone() {
        Map<PrivacyEvent, Double> alone = new HashMap<>();
        for (LedgerEntry entry : contents.entries()) {
            alone.computeIfAbsent(
                    entry.event(),
                    event -> accounting()
                            .plans()
                            .epsilon(event, terms().delta(), terms().unit().neighbours())
                            .upper());
        }
        return alone;
    }

    /** What may be spent, in words. */
    public String limit() {
        return terms().limit()
                .map(limit -> "epsilon " + Rounded.asGiven(limit.budget().epsilon()) + " at delta "
                        + Rounded.asGiven(terms().delta()) + ", kept by " + filter(limit.filter()))
                .orElse("no limit: nothing is refused");
    }

    public static String filter(PrivacyFilter filter) {
        if (filter instanceof RenyiFilter renyi) {
            return "the Renyi filter of order " + Rounded.asGiven(renyi.order());
        }
        return "the (epsilon, delta) filter with slack " + Rounded.asGiven(((ApproximateFilter) filter).slack());
    }

    /** What of the limit is left, rounded down. */
    public String left() {
        if (summary.spentShare().isEmpty()) {
            return "-";
        }
        double share = Math.max(0, 1 - summary.spentShare().getAsDouble());
        return share <= 0 ? "nothing" : Rounded.down(Math.floor(share * 1e4) / 100) + "%";
    }

    /** Infinity is no number of JSON. */
    public static Object finite(double value) {
        return Double.isInfinite(value) ? "unbounded" : (Object) value;
    }

    /** Labels come from a file; one that breaks lines must not forge a row. */
    public static String oneLine(String label) {
        return label.replaceAll("\\p{Cntrl}", " ");
    }

    /** A text that fits a column. */
    public static String shortened(String text, int width) {
        String line = oneLine(text);
        return line.length() <= width ? line : line.substring(0, width - 2) + "..";
    }
}
