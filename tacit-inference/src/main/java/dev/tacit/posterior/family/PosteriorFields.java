package dev.tacit.posterior.family;

import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pieces of the written form that families of posteriors share. */
final class PosteriorFields {
    private PosteriorFields() {}

    /** The fields that every posterior begins with. */
    static Map<String, Object> start(Posterior posterior) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("family", posterior.family());
        json.put("parameters", posterior.parameterNames());
        return json;
    }

    /** An array of numbers. */
    static List<Object> list(double[] values) {
        List<Object> list = new ArrayList<>(values.length);
        for (double value : values) {
            list.add(value);
        }
        return list;
    }

    /** The lower triangle of a symmetric matrix, row after row, the diagonal included. */
    static double[] lower(int n, double[] matrix) {
        double[] lower = new double[n * (n + 1) / 2];
        int next = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                lower[next++] = matrix[i * n + j];
            }
        }
        return lower;
    }
}
