package dev.tacit.cli;

import dev.tacit.privacy.accountant.ExactAccountant;
import dev.tacit.privacy.accountant.RenyiAccountant;
import dev.tacit.privacy.event.EventJson;
import dev.tacit.privacy.json.Json;
import dev.tacit.privacy.ledger.ApproximateFilter;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.Charge;
import dev.tacit.privacy.ledger.InMemoryLedger;
import dev.tacit.privacy.ledger.LedgerAccounting;
import dev.tacit.privacy.ledger.LedgerBroken;
import dev.tacit.privacy.ledger.LedgerEntry;
import dev.tacit.privacy.ledger.LedgerFile;
import dev.tacit.privacy.ledger.LedgerSummary;
import dev.tacit.privacy.ledger.LedgerTerms;
import dev.tacit.privacy.ledger.LedgerUnavailable;
import dev.tacit.privacy.ledger.PrivacyFilter;
import dev.tacit.privacy.ledger.RenyiFilter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code tacit ledger show}: every charge, what share of the budget it took, and the epsilon that holds for all
 * together.
 */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Shows every charge of a ledger and what is left; changes nothing.")
final class LedgerShowCommand implements Verb {
    @Parameters(paramLabel = "FILE", description = "the ledger")
    private String file;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    /** A ledger's file, and its charges added up again. */
    private record Ledger(String name, LedgerFile contents, LedgerSummary summary) {}

    @Override
    public ExitCode run(Console console) {
        Ledger ledger = read(file);
        if (json) {
            console.line(Json.write(json(ledger)));
        } else {
            report(ledger).forEach(console::line);
        }
        return ExitCode.OK;
    }

    /** The accountants that every ledger of the command line asks. */
    static LedgerAccounting accounting() {
        return new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence);
    }

    private static Ledger read(String name) {
        Path path = InputFile.existing(name);
        try {
            LedgerFile contents = LedgerFile.read(path);
            return new Ledger(name, contents, replayed(contents));
        } catch (LedgerBroken e) {
            throw new CommandFailure(ExitCode.BAD_DATA, name + " is not a whole ledger: " + e.getMessage() + ".", e);
        } catch (LedgerUnavailable e) {
            throw new CommandFailure(ExitCode.NO_INPUT, e.getMessage() + "; check who may read it.", e);
        } catch (BudgetExhausted e) {
            throw new CommandFailure(
                    ExitCode.BAD_DATA,
                    name + " holds charges that its budget does not allow, so no epsilon holds for it.",
                    e);
        }
    }

    /** Adds up the charges under the ledger's own rule, in memory, so that the file is only read. */
    private static LedgerSummary replayed(LedgerFile contents) throws BudgetExhausted {
        InMemoryLedger replay = new InMemoryLedger(contents.terms(), accounting());
        for (LedgerEntry entry : contents.entries()) {
            replay.charge(Charge.of(entry.label(), entry.event()));
        }
        return replay.summary();
    }

    private static List<String> report(Ledger ledger) {
        LedgerTerms terms = ledger.contents().terms();
        List<String> lines = new ArrayList<>();
        lines.addAll(new Remark("ledger", ledger.name()).lines());
        lines.addAll(new Remark("protects", protects(terms)).lines());
        lines.addAll(new Remark("budget", budget(terms) + "; kept by " + filter(terms.filter())).lines());
        lines.add("");
        lines.addAll(table(ledger));
        lines.add("");
        lines.addAll(new Remark("holds", holds(ledger)).lines());
        double left = Math.max(0, 1 - ledger.summary().spentShare());
        lines.addAll(new Remark("left", percentDown(left) + " of what the filter allows").lines());
        if (ledger.contents().tornBytes() > 0) {
            lines.addAll(new Remark("torn", "A crash cut off the last line; the next charge repairs it.").lines());
        }
        lines.addAll(new Remark("head", ledger.contents().head()).lines());
        lines.addAll(
                new Remark("", "Keep this hash elsewhere: ledger verify --head shows later that nothing was cut off.")
                        .lines());
        return lines;
    }

    private static String protects(LedgerTerms terms) {
        int records = terms.unit().maxRecords();
        return "one " + oneLine(terms.unit().name()) + (records == 1 ? "" : " with at most " + records + " records")
                + ", " + terms.unit().neighbours().label() + " neighbours";
    }

    private static String budget(LedgerTerms terms) {
        return "epsilon " + Rounded.asGiven(terms.budget().epsilon()) + " at delta "
                + Rounded.asGiven(terms.budget().delta());
    }

    private static String filter(PrivacyFilter filter) {
        if (filter instanceof RenyiFilter renyi) {
            return "the Renyi filter of order " + Rounded.asGiven(renyi.order());
        }
        return "the (epsilon, delta) filter with slack " + Rounded.asGiven(((ApproximateFilter) filter).slack());
    }

    private static List<String> table(Ledger ledger) {
        Table table = new Table(List.of(true, false, false, true, true, true, false));
        table.row("entry", "label", "what", "share", "so far", "releases", "when");
        for (int i = 0; i < ledger.contents().entries().size(); i++) {
            LedgerEntry entry = ledger.contents().entries().get(i);
            LedgerSummary.Line line = ledger.summary().lines().get(i);
            table.row(
                    Long.toString(entry.sequence()),
                    oneLine(entry.label()),
                    Events.describe(entry.event()),
                    percentUp(line.share()),
                    percentUp(line.cumulativeShare()),
                    entry.released() == 0 ? "-" : Long.toString(entry.released()),
                    entry.time().map(Object::toString).orElse("-")
                            + (entry.confirmed() ? "" : " (interrupted, counts as spent)"));
        }
        return table.lines();
    }

    private static String holds(Ledger ledger) {
        return "epsilon <= " + Rounded.up(ledger.summary().holds().upper()) + " at delta "
                + Rounded.asGiven(ledger.contents().terms().budget().delta())
                + ", for everything in this ledger together";
    }

    /**
     * A single plan that only the exact accountant admits takes more than the filter's whole limit; nothing else fits
     * then.
     */
    private static String percentUp(double share) {
        return share >= 1 ? "all" : Rounded.up(Math.ceil(share * 1e4) / 100) + "%";
    }

    private static String percentDown(double share) {
        return share <= 0 ? "nothing" : Rounded.down(Math.floor(share * 1e4) / 100) + "%";
    }

    /** Labels come from a file; one that breaks lines must not forge a row. */
    private static String oneLine(String label) {
        return label.replaceAll("\\p{Cntrl}", " ");
    }

    private static Map<String, Object> json(Ledger ledger) {
        LedgerFile contents = ledger.contents();
        LedgerTerms terms = contents.terms();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put(
                "budget",
                Map.of(
                        "epsilon",
                        terms.budget().epsilon(),
                        "delta",
                        terms.budget().delta()));
        object.put("unit", terms.unit().name());
        object.put("maxRecords", terms.unit().maxRecords());
        object.put("neighbours", terms.unit().neighbours().label());
        object.put("filter", filter(terms.filter()));
        object.put("entries", entries(ledger));
        object.put("spentShare", finite(ledger.summary().spentShare()));
        object.put("epsilon", finite(ledger.summary().holds().upper()));
        object.put("delta", terms.budget().delta());
        object.put("head", contents.head());
        object.put("lines", contents.lines());
        object.put("tornBytes", contents.tornBytes());
        return object;
    }

    private static List<Object> entries(Ledger ledger) {
        List<Object> entries = new ArrayList<>();
        for (int i = 0; i < ledger.contents().entries().size(); i++) {
            LedgerEntry entry = ledger.contents().entries().get(i);
            LedgerSummary.Line line = ledger.summary().lines().get(i);
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("sequence", entry.sequence());
            object.put("label", entry.label());
            object.put("event", EventJson.standard().toValue(entry.event()));
            object.put("share", finite(line.share()));
            object.put("cumulativeShare", finite(line.cumulativeShare()));
            object.put("released", entry.released());
            object.put("confirmed", entry.confirmed());
            entry.run().ifPresent(run -> object.put("run", run));
            entry.time().ifPresent(time -> object.put("time", time.toString()));
            entries.add(object);
        }
        return entries;
    }

    private static Object finite(double value) {
        return Double.isInfinite(value) ? "unbounded" : (Object) value;
    }
}
