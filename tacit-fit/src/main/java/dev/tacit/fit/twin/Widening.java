package dev.tacit.fit.twin;

import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.json.JsonFields;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * By how much intervals are shown wider than those of a posterior, because twins found the latter too narrow.
 *
 * <pre>
 *   Σ shown = F Σ F,   F = diag(f),   f_j ≥ 1, and no standard deviation beyond the prior's
 * </pre>
 *
 * Posteriors that are not Gaussian are stretched around their medians in the same way. What predicts is not touched.
 *
 * @param factors by the names of parameters; 1 for those that are not named
 */
public record Widening(Map<String, Double> factors) {
    /** Nothing is widened. */
    public static final Widening NONE = new Widening(Map.of());

    public Widening {
        factors = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(factors));
    }

    boolean isNone() {
        return factors.isEmpty();
    }

    /** What is shown of a fit. */
    public StoredPosterior of(StoredPosterior fitted) {
        if (isNone()) {
            return fitted;
        }
        double[] by = factors(fitted);
        Optional<Posterior> other = fitted.withoutPrivacyNoise().map(without -> stretched(without, by));
        return fitted.with(stretched(fitted.posterior(), by), other);
    }

    private double[] factors(StoredPosterior fitted) {
        List<String> names = fitted.posterior().parameterNames();
        double[] own = fitted.posterior().standardDeviation();
        Optional<double[]> before = fitted.prior().map(Posterior::standardDeviation);
        double[] by = new double[names.size()];
        for (int i = 0; i < by.length; i++) {
            by[i] = factors.getOrDefault(names.get(i), 1.0);
            if (before.isPresent()) {
                by[i] = Math.min(by[i], Math.max(1, before.get()[i] / own[i]));
            }
        }
        return by;
    }

    private static Posterior stretched(Posterior posterior, double[] by) {
        if (posterior instanceof GroupedPosterior grouped) {
            return grouped.stretched(by);
        }
        if (!(posterior instanceof GaussianPosterior gaussian)) {
            return new StretchedPosterior(posterior, by);
        }
        double[] covariance = gaussian.covariance();
        int n = by.length;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                covariance[i * n + j] *= by[i] * by[j];
            }
        }
        return new GaussianPosterior(gaussian.parameterNames(), gaussian.mean(), covariance);
    }

    public List<Object> toJson() {
        List<Object> entries = new ArrayList<>();
        factors.forEach((name, factor) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("term", name);
            entry.put("factor", factor);
            entries.add(entry);
        });
        return entries;
    }

    /** Reads {@link #toJson} back. */
    public static Widening fromJson(List<?> entries, String name) {
        Map<String, Double> factors = new LinkedHashMap<>();
        for (Object value : entries) {
            JsonFields entry = JsonFields.of(value, name);
            factors.put(entry.text("term"), entry.number("factor"));
            entry.end();
        }
        return new Widening(factors);
    }
}
