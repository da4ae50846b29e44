package dev.tacit.experiments.harness;

import dev.tacit.report.plot.LineChart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an experiment found.
 *
 * @param experiment its name
 * @param rows its table
 * @param remarks what one must know to read it
 * @param figures curves, if it draws any
 * @param files other pictures, by the names of their files
 * @param wallSeconds how long it took
 */
public record ExperimentResult(
        String experiment,
        List<ResultRow> rows,
        List<String> remarks,
        List<LineChart> figures,
        Map<String, String> files,
        double wallSeconds) {
    public ExperimentResult {
        rows = List.copyOf(rows);
        remarks = List.copyOf(remarks);
        figures = List.copyOf(figures);
        files = Map.copyOf(files);
    }

    /** Without pictures. */
    public ExperimentResult(String experiment, List<ResultRow> rows, List<String> remarks, double wallSeconds) {
        this(experiment, rows, remarks, List.of(), Map.of(), wallSeconds);
    }

    /** With curves. */
    public ExperimentResult(
            String experiment,
            List<ResultRow> rows,
            List<String> remarks,
            List<LineChart> figures,
            double wallSeconds) {
        this(experiment, rows, remarks, figures, Map.of(), wallSeconds);
    }

    /** With pictures that are files of their own. */
    public ExperimentResult(
            String experiment,
            List<ResultRow> rows,
            List<String> remarks,
            Map<String, String> files,
            double wallSeconds) {
        this(experiment, rows, remarks, List.of(), files, wallSeconds);
    }

    /** With the keys of {@code reproduce --json}. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("experiment", experiment);
        List<Object> table = new ArrayList<>();
        rows.forEach(row -> table.add(row.toJson()));
        json.put("rows", table);
        json.put("remarks", new ArrayList<Object>(remarks));
        json.put("wallSeconds", wallSeconds);
        return json;
    }
}
