package dev.tacit.cli.verb;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FitHeader;
import dev.tacit.fit.formula.TermRow;
import dev.tacit.fit.formula.TermTable;
import dev.tacit.fit.formula.TermText;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tacit compare}: two fits side by side, term by term. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Shows two fits side by side: the terms, their intervals, and how much wider one is than the other.",
        description = "Costs nothing. Fits of the same records are not independent: overlapping or disjoint intervals"
                + " are no test of a difference.",
        footer = {"", "Example:", "  tacit compare fit-epsilon-1 fit-epsilon-4 --exp"})
public final class CompareCommand implements Verb {
    @Parameters(index = "0", paramLabel = "DIR", description = "the folder of a fit")
    private String first;

    @Parameters(index = "1", paramLabel = "DIR2", description = "the folder of another")
    private String second;

    @Mixin
    private ShownAs shownAs = new ShownAs();

    @Override
    public ExitCode run(Console console) {
        FitOutcome a = SummaryCommand.outcome(first);
        FitOutcome b = SummaryCommand.outcome(second);
        double held = shownAs.level();
        String ratio = shownAs.ratio(a.fitted());
        if (!ratio.equals(shownAs.ratio(b.fitted()))) {
            throw CommandFailure.usage("the two fits have ratios of different kinds; leave out --exp.");
        }
        Map<String, TermRow> left = byTerm(a, held);
        Map<String, TermRow> right = byTerm(b, held);
        Set<String> terms = new LinkedHashSet<>(left.keySet());
        terms.addAll(right.keySet());
        if (shownAs.json()) {
            console.line(Json.write(object(terms, left, right, held, ratio)));
        } else {
            console.line(first);
            console.text(FitHeader.lines(a));
            console.line(second);
            console.text(FitHeader.lines(b));
            console.line("");
            console.text(table(terms, left, right, held, ratio));
        }
        return ExitCode.OK;
    }

    private static Map<String, TermRow> byTerm(FitOutcome outcome, double level) {
        Map<String, TermRow> rows = new LinkedHashMap<>();
        TermTable.of(outcome.shown(), level).rows().forEach(row -> rows.put(TermText.name(row), row));
        return rows;
    }

    private List<String> table(
            Set<String> terms, Map<String, TermRow> left, Map<String, TermRow> right, double held, String ratio) {
        TextTable table = new TextTable(List.of(false, true, true, true, true, true));
        String interval = TermText.percent(held) + " interval";
        table.row("term", first, interval, second, interval, "times as wide");
        for (String term : terms) {
            TermRow a = left.get(term);
            TermRow b = right.get(term);
            table.row(
                    TermText.shown(term),
                    a == null ? "-" : TermText.estimate(a, ratio),
                    a == null ? "" : TermText.interval(a, ratio),
                    b == null ? "-" : TermText.estimate(b, ratio),
                    b == null ? "" : TermText.interval(b, ratio),
                    a == null || b == null ? "" : String.format(java.util.Locale.ROOT, "%.2f", wider(a, b)));
        }
        return table.lines();
    }

    /** The second interval over the first, on the scale of the link. */
    private static double wider(TermRow a, TermRow b) {
        return (b.upper() - b.lower()) / (a.upper() - a.lower());
    }

    private static Map<String, Object> object(
            Set<String> terms, Map<String, TermRow> left, Map<String, TermRow> right, double held, String ratio) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("level", held);
        json.put("scale", ratio.isEmpty() ? "link" : ratio);
        List<Object> objects = new ArrayList<>();
        for (String term : terms) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("term", term);
            TermRow a = left.get(term);
            TermRow b = right.get(term);
            if (a != null) {
                object.put("first", TermText.object(a, ratio));
            }
            if (b != null) {
                object.put("second", TermText.object(b, ratio));
            }
            if (a != null && b != null) {
                object.put("widthRatio", wider(a, b));
            }
            objects.add(object);
        }
        json.put("terms", objects);
        return json;
    }
}
