package dev.tacit.experiments;

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
 * @param files figures by the names of their files
 * @param wallSeconds how long it took
 */
public record ExperimentResult(
        String experiment, List<ResultRow> rows, List<String> remarks, Map<String, String> files, double wallSeconds) {
    public ExperimentResult {
        rows = List.copyOf(rows);
        remarks = List.copyOf(remarks);
        files = Map.copyOf(files);
    }

    /** Without figures. */
    public ExperimentResult(String experiment, List<ResultRow> rows, List<String> remarks, double wallSeconds) {
        this(experiment, rows, remarks, Map.of(), wallSeconds);
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
