package dev.tacit.experiments.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Collects the scores of one method and setting over seeds. */
public final class ScoreTable {
    private final Map<String, List<Double>> scores = new LinkedHashMap<>();

    public void add(Map<String, Double> ofOneSeed) {
        ofOneSeed.forEach((metric, value) ->
                scores.computeIfAbsent(metric, unused -> new ArrayList<>()).add(value));
    }

    /** One row for each metric. */
    public List<ResultRow> rows(String method, String setting, double epsilonClaimed, double epsilonHolds) {
        List<ResultRow> rows = new ArrayList<>();
        scores.forEach((metric, values) -> rows.add(new ResultRow(
                method,
                setting,
                metric,
                OptionalDouble.empty(),
                mean(values),
                deviation(values),
                values.size(),
                epsilonClaimed,
                epsilonHolds)));
        return rows;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    /** With n − 1 below; 0 for a single value. */
    private static double deviation(List<Double> values) {
        if (values.size() < 2) {
            return 0;
        }
        double mean = mean(values);
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        return Math.sqrt(squares / (values.size() - 1));
    }
}
