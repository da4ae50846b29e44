package dev.tacit.cli.reproduce;

import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The numbers of an experiment as people read them: a table for each setting, a line for each method, a column for each
 * metric, published numbers on a line of their own below ours.
 */
public final class ResultTables {
    private static final String PUBLISHED = "  published";

    private final Map<String, Map<Method, Map<String, ResultRow>>> settings = new LinkedHashMap<>();

    public ResultTables(List<ResultRow> rows) {
        rows.forEach(this::add);
    }

    /** A number that is there already, of another run of the same name, begins another line. */
    private void add(ResultRow row) {
        Map<Method, Map<String, ResultRow>> methods =
                settings.computeIfAbsent(row.setting(), setting -> new LinkedHashMap<>());
        Method method = new Method(row.method(), row.epsilonClaimed(), row.epsilonHolds(), 0);
        while (methods.computeIfAbsent(method, line -> new LinkedHashMap<>()).putIfAbsent(row.metric(), row) != null) {
            method = method.next();
        }
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        settings.forEach((setting, methods) -> {
            lines.add("  " + setting);
            lines.addAll(table(methods).lines());
            lines.add("");
        });
        return lines;
    }

    private static TextTable table(Map<Method, Map<String, ResultRow>> methods) {
        Set<String> metrics = new LinkedHashSet<>();
        methods.values().forEach(cells -> metrics.addAll(cells.keySet()));
        List<Boolean> rightAligned = new ArrayList<>(List.of(false, true, true));
        metrics.forEach(metric -> rightAligned.add(true));
        TextTable table = new TextTable(rightAligned);
        table.row(line("method", "epsilon claimed", "holds", List.copyOf(metrics)));
        methods.forEach((method, cells) -> {
            table.row(line(
                    method.name(),
                    Rounded.nearest(method.epsilonClaimed()),
                    Rounded.up(method.epsilonHolds()),
                    metrics.stream().map(metric -> ours(cells.get(metric))).toList()));
            if (cells.values().stream().anyMatch(row -> row.paper().isPresent())) {
                table.row(line(
                        PUBLISHED,
                        "",
                        "",
                        metrics.stream().map(metric -> paper(cells.get(metric))).toList()));
            }
        });
        return table;
    }

    private static String[] line(String method, String claimed, String holds, List<String> cells) {
        List<String> line = new ArrayList<>(List.of(method, claimed, holds));
        line.addAll(cells);
        return line.toArray(String[]::new);
    }

    private static String ours(ResultRow row) {
        if (row == null) {
            return "";
        }
        String mean = Rounded.decimals(row.ours());
        if (row.spread() == 0) {
            return mean;
        }
        String spread = Rounded.decimals(row.spread());
        return mean + " +- " + (mean.contains("e") ? spread : String.format(Locale.ROOT, "%.4f", row.spread()));
    }

    private static String paper(ResultRow row) {
        OptionalDouble published = row == null ? OptionalDouble.empty() : row.paper();
        return published.isPresent() ? Rounded.decimals(published.getAsDouble()) : "";
    }

    /** Who produced a line, at which cost. */
    private record Method(String name, double epsilonClaimed, double epsilonHolds, int run) {
        Method next() {
            return new Method(name, epsilonClaimed, epsilonHolds, run + 1);
        }
    }
}
