package dev.tacit.cli.ledger;

import dev.tacit.cli.account.Events;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.CsvText;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.InputFile;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.EventJson;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerSummary;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.PaidReleases;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit ledger show}: every charge, and the epsilon that holds for all together, beside the limit. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Shows every charge of a ledger and what all cost together; changes nothing.")
final class LedgerShowCommand implements Verb {
    private static final int WIDTH = 100;
    private static final int NARROWEST_LABEL = 12;
    private static final int WIDEST_ANALYST = 12;
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Parameters(paramLabel = "FILE", description = "the ledger")
    private String file;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Option(names = "--csv", description = "print the entries as CSV with all digits")
    private boolean csv;

    @Override
    public ExitCode run(Console console) {
        requireOne(json, csv);
        LedgerView ledger = LedgerView.read(InputFile.existing(file), file);
        if (json) {
            console.line(Json.write(json(ledger)));
        } else if (csv) {
            csv(ledger).forEach(console::line);
        } else {
            console.text(report(ledger));
        }
        return ExitCode.OK;
    }

    static void requireOne(boolean json, boolean csv) {
        if (json && csv) {
            throw CommandFailure.usage("--json and --csv are two forms of the same; give one of them.");
        }
    }

    private static List<String> report(LedgerView ledger) {
        List<String> lines = new ArrayList<>();
        lines.addAll(new Remark("ledger", ledger.name()).lines());
        lines.addAll(new Remark("protects", protects(ledger.terms())).lines());
        lines.addAll(new Remark("limit", ledger.limit()).lines());
        lines.add("");
        lines.addAll(table(ledger));
        lines.add("");
        int entries = ledger.contents().entries().size();
        lines.addAll(new Remark(
                        "together",
                        "epsilon <= " + Rounded.up(ledger.together()) + " at delta "
                                + Rounded.asGiven(ledger.terms().delta())
                                + (entries == 1
                                        ? " for the one entry"
                                        : " for " + (entries == 2 ? "both" : "all " + entries) + " entries")
                                + ", and for nothing that was charged elsewhere")
                .lines());
        if (ledger.terms().limit().isPresent()) {
            lines.addAll(new Remark("left", ledger.left() + " of what the filter allows").lines());
        }
        if (ledger.contents().entries().stream().anyMatch(entry -> !entry.confirmed())) {
            lines.addAll(new Remark("*", "A charge that was interrupted counts as spent.").lines());
        }
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
        return "one " + LedgerView.oneLine(terms.unit().name())
                + (records == 1 ? "" : " with at most " + records + " records")
                + ", " + terms.unit().neighbours().label() + " neighbours";
    }

    private static List<String> table(LedgerView ledger) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"entry", "when (UTC)", "who", "alone", "together", "releases"});
        Map<PrivacyEvent, Double> alone = ledger.alone();
        List<LedgerEntry> entries = ledger.contents().entries();
        for (int i = 0; i < entries.size(); i++) {
            LedgerEntry entry = entries.get(i);
            rows.add(new String[] {
                (entry.confirmed() ? "" : "*") + (i + 1),
                entry.time().map(LedgerShowCommand::minute).orElse("-"),
                LedgerView.shortened(entry.analyst().orElse("-"), WIDEST_ANALYST),
                Rounded.up(alone.get(entry.event())),
                Rounded.up(ledger.summary().lines().get(i).together().upper()),
                entry.released() + "/" + PaidReleases.of(entry.event())
            });
        }
        int others = 0;
        for (int column = 0; column < rows.get(0).length; column++) {
            int index = column;
            others +=
                    2 + rows.stream().mapToInt(row -> row[index].length()).max().orElse(0);
        }
        int width = Math.max(NARROWEST_LABEL, WIDTH - others - 2);
        TextTable table = new TextTable(List.of(true, false, false, false, true, true, true));
        for (int i = 0; i < rows.size(); i++) {
            String[] row = rows.get(i);
            String label =
                    i == 0 ? "label" : LedgerView.shortened(entries.get(i - 1).label(), width);
            table.row(row[0], row[1], row[2], label, row[3], row[4], row[5]);
        }
        return table.lines();
    }

    static String minute(Instant time) {
        return MINUTE.format(time);
    }

    private static Map<String, Object> json(LedgerView ledger) {
        LedgerTerms terms = ledger.terms();
        Map<String, Object> object = new LinkedHashMap<>();
        terms.id().ifPresent(id -> object.put("id", id));
        object.put("unit", terms.unit().name());
        object.put("maxRecords", terms.unit().maxRecords());
        object.put("neighbours", terms.unit().neighbours().label());
        object.put("epsilon", LedgerView.finite(ledger.together()));
        object.put("delta", terms.delta());
        terms.limit().ifPresent(limit -> {
            Map<String, Object> most = new LinkedHashMap<>();
            most.put("epsilon", limit.budget().epsilon());
            most.put("filter", LedgerView.filter(limit.filter()));
            most.put(
                    "spentShare",
                    LedgerView.finite(ledger.summary().spentShare().getAsDouble()));
            object.put("limit", most);
        });
        object.put("entries", entries(ledger));
        object.put("head", ledger.contents().head());
        object.put("lines", ledger.contents().lines());
        object.put("tornBytes", ledger.contents().tornBytes());
        return object;
    }

    private static List<Object> entries(LedgerView ledger) {
        List<Object> entries = new ArrayList<>();
        Map<PrivacyEvent, Double> alone = ledger.alone();
        for (int i = 0; i < ledger.contents().entries().size(); i++) {
            LedgerEntry entry = ledger.contents().entries().get(i);
            LedgerSummary.Line line = ledger.summary().lines().get(i);
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("entry", i + 1L);
            object.put("line", entry.sequence());
            entry.time().ifPresent(time -> object.put("time", time.toString()));
            entry.analyst().ifPresent(analyst -> object.put("analyst", analyst));
            object.put("label", entry.label());
            object.put("event", EventJson.standard().toValue(entry.event()));
            object.put("epsilonAlone", LedgerView.finite(alone.get(entry.event())));
            object.put("epsilonTogether", LedgerView.finite(line.together().upper()));
            line.share().ifPresent(share -> object.put("share", LedgerView.finite(share)));
            line.cumulativeShare().ifPresent(share -> object.put("cumulativeShare", LedgerView.finite(share)));
            object.put("released", entry.released());
            object.put("releases", PaidReleases.of(entry.event()));
            object.put("confirmed", entry.confirmed());
            entry.run().ifPresent(run -> object.put("run", run));
            entry.statement().ifPresent(hash -> object.put("statement", hash));
            entries.add(object);
        }
        return entries;
    }

    private static List<String> csv(LedgerView ledger) {
        List<String> lines = new ArrayList<>();
        lines.add("entry,time,analyst,label,what,epsilonAlone,epsilonTogether,delta,cumulativeShare,released,releases,"
                + "confirmed,statement");
        Map<PrivacyEvent, Double> alone = ledger.alone();
        for (int i = 0; i < ledger.contents().entries().size(); i++) {
            LedgerEntry entry = ledger.contents().entries().get(i);
            LedgerSummary.Line line = ledger.summary().lines().get(i);
            lines.add(CsvText.line(List.of(
                    Integer.toString(i + 1),
                    text(entry.time().map(Instant::toString)),
                    text(entry.analyst()),
                    entry.label(),
                    Events.describe(entry.event()),
                    number(alone.get(entry.event())),
                    number(line.together().upper()),
                    Double.toString(ledger.terms().delta()),
                    number(line.cumulativeShare()),
                    Long.toString(entry.released()),
                    Long.toString(PaidReleases.of(entry.event())),
                    Boolean.toString(entry.confirmed()),
                    text(entry.statement()))));
        }
        return lines;
    }

    static String text(Optional<String> text) {
        return text.orElse("");
    }

    static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "";
    }

    static String number(double value) {
        return LedgerView.finite(value).toString();
    }
}
