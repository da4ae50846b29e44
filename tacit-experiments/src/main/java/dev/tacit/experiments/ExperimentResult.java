package dev.tacit.experiments;

import dev.tacit.report.plot.Chart;
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
 * @param figures drawn from the table
 * @param wallSeconds how long it took
 */
public record ExperimentResult(
        String experiment, List<ResultRow> rows, List<String> remarks, List<Chart> figures, double wallSeconds) {
    /** Without figures. */
    public ExperimentResult(String experiment, List<ResultRow> rows, List<String> remarks, double wallSeconds) {
        this(experiment, rows, remarks, List.of(), wallSeconds);
    }

    public ExperimentResult {
        figures = List.copyOf(figures);
        rows = List.copyOf(rows);
        remarks = List.copyOf(remarks);
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
