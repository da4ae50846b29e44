package dev.tacit.cli.engine;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.plan.EngineCost;
import dev.tacit.fit.text.Rounded;
import dev.tacit.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit engine cost}: how long a fit would take, here and on clusters. */
@Command(
        name = "cost",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Says about how long a fit would take on one machine and on clusters, from measured constants.",
        footer = {"", "Example:", "  tacit engine cost --rows 1e9 --columns 21 --releases 9"})
public final class EngineCostCommand implements Verb {
    private static final List<Integer> CLUSTERS = List.of(16, 64, 256);

    @Option(names = "--rows", paramLabel = "N", required = true, description = "how many records, up to 1e12")
    private String rows;

    @Option(
            names = "--columns",
            paramLabel = "N",
            defaultValue = "21",
            description = "encoded numbers of a record (21)")
    private String columns;

    @Option(names = "--releases", paramLabel = "N", defaultValue = "10", description = "how many releases (10)")
    private String releases;

    @Option(
            names = "--rate",
            paramLabel = "Q",
            defaultValue = "1",
            description = "share of the records a release sees (1)")
    private String rate;

    @Option(
            names = "--dimension",
            paramLabel = "N",
            description = "numbers of a release; as many as columns if left out")
    private String dimension;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        EngineCost.Work work = new EngineCost.Work(
                number(rows, "--rows", 1e12),
                number(columns, "--columns", 1e7),
                number(releases, "--releases", 1e7),
                number(rate, "--rate", 1),
                number(dimension == null ? columns : dimension, "--dimension", 1e8));
        int here = Runtime.getRuntime().availableProcessors();
        Map<String, EngineCost> costs = new LinkedHashMap<>();
        costs.put("this machine, " + here + " cores", EngineCost.local(work, here));
        CLUSTERS.forEach(cores -> costs.put("a cluster of " + cores + " cores", EngineCost.cluster(work, cores)));
        if (json) {
            List<Object> all = new ArrayList<>();
            costs.forEach((name, cost) -> all.add(object(name, cost)));
            console.line(Json.write(all));
            return ExitCode.OK;
        }
        costs.forEach((name, cost) -> console.line(name + ": reading " + time(cost.loadSeconds()) + ", a release "
                + time(cost.releaseSeconds()) + ", all of it " + time(cost.wholeSeconds()) + "; "
                + Rounded.brief(cost.keptBytes() / 1e9) + " GB of memory"));
        console.line(
                "From measured constants, good for a factor of two; docs/notes/spark.md says how they were measured.");
        return ExitCode.OK;
    }

    private static Map<String, Object> object(String name, EngineCost cost) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("where", name);
        object.put("loadSeconds", cost.loadSeconds());
        object.put("releaseSeconds", cost.releaseSeconds());
        object.put("wholeSeconds", cost.wholeSeconds());
        object.put("keptBytes", cost.keptBytes());
        object.put("movedBytes", cost.movedBytes());
        return object;
    }

    private static String time(double seconds) {
        return seconds < 120
                ? Rounded.brief(seconds) + " s"
                : seconds < 7200 ? Rounded.brief(seconds / 60) + " min" : Rounded.brief(seconds / 3600) + " h";
    }

    private static double number(String text, String option, double most) {
        double value = Numbers.parse(text);
        if (!(value > 0 && value <= most)) {
            throw CommandFailure.usage(option + " is a number above 0, up to " + Rounded.brief(most) + ".");
        }
        return value;
    }
}
