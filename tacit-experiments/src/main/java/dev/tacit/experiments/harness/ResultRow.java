package dev.tacit.experiments.harness;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One number of a table.
 *
 * @param method who produced it
 * @param setting under which conditions
 * @param metric what it measures
 * @param paper the published number, if there is one
 * @param ours the mean over seeds
 * @param spread standard deviation over seeds
 * @param seeds how many
 * @param epsilonClaimed what the method says it spends; infinite if it claims nothing
 * @param epsilonHolds an upper bound that holds for the code that ran; infinite if there is none
 */
public record ResultRow(
        String method,
        String setting,
        String metric,
        OptionalDouble paper,
        double ours,
        double spread,
        int seeds,
        double epsilonClaimed,
        double epsilonHolds) {
    /** The same number beside a published one. */
    public ResultRow beside(OptionalDouble published) {
        return new ResultRow(method, setting, metric, published, ours, spread, seeds, epsilonClaimed, epsilonHolds);
    }

    /** With the keys of {@code reproduce --json}. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("method", method);
        json.put("setting", setting);
        json.put("metric", metric);
        paper.ifPresent(value -> json.put("paper", value));
        json.put("ours", ours);
        json.put("spread", spread);
        json.put("seeds", seeds);
        json.put("epsilonClaimed", bounded(epsilonClaimed));
        json.put("epsilonHolds", bounded(epsilonHolds));
        return json;
    }

    private static Object bounded(double epsilon) {
        return Double.isInfinite(epsilon) ? "unbounded" : (Object) epsilon;
    }
}
