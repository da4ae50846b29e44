package dev.tacit.fit.formula;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.text.Rounded;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a fit says about its terms, in natural units, on the scale of the link.
 *
 * <p>Computed from the folder of a fit alone. Intervals are central ones of the posterior; a contrast is a weighted sum of
 * coordinates, exact for a Gaussian and otherwise from draws.
 */
public final class TermTable {
    private static final int DRAWS = 20_000;
    private static final String ENCODED = "encoded";

    /** Parameters of a baseline, which is shown as hazards of its intervals, and of censoring, which is nobody's question. */
    private static final List<String> NOT_SHOWN = List.of("log(hazard[", "log(censoring[");

    private final StoredPosterior fitted;
    private final double level;
    private final Optional<DesignMatrix> design;

    private TermTable(StoredPosterior fitted, double level) {
        this.fitted = fitted;
        this.level = level;
        this.design = fitted.schema()
                .encoding()
                .formula()
                .map(formula -> DesignMatrix.of(Formula.parse(formula), fitted.schema()));
    }

    /** Of what is shown of a fit. */
    public static TermTable of(StoredPosterior fitted, double level) {
        return new TermTable(fitted, level);
    }

    public double level() {
        return level;
    }

    /** The design, if the fit has a formula. */
    Optional<DesignMatrix> design() {
        return design;
    }

    /** One line for each parameter, in the order of the formula. */
    public List<TermRow> rows() {
        Posterior posterior = fitted.posterior();
        Map<String, String> units = new LinkedHashMap<>();
        design.ifPresent(matrix ->
                CoefficientColumns.of(fitted, matrix).forEach((name, column) -> units.put(name, column.unit())));
        if (posterior instanceof GroupedPosterior grouped) {
            int first = grouped.deviations().stream()
                    .mapToInt(GroupedPosterior.Deviation::firstEffect)
                    .min()
                    .orElseThrow();
            List<String> names = posterior.parameterNames();
            names.subList(first, grouped.effects()).forEach(name -> units.put(name, TermRow.GROUP));
            names.subList(grouped.effects(), names.size()).forEach(name -> units.put(name, TermRow.BETWEEN_GROUPS));
        }
        List<TermRow> rows = new ArrayList<>();
        for (int i = 0; i < posterior.dimension(); i++) {
            String name = posterior.parameterNames().get(i);
            if (NOT_SHOWN.stream().anyMatch(name::startsWith)) {
                continue;
            }
            double[] weights = new double[posterior.dimension()];
            weights[i] = 1;
            boolean positive = design.isPresent() && !units.containsKey(name) && TermText.isLogarithm(name);
            rows.add(row(name, units.getOrDefault(name, design.isPresent() ? "" : ENCODED), positive, weights));
        }
        rows.addAll(baseline());
        return rows;
    }

    /** Log hazards of the intervals of a fit of times to an event: the intercept and what each has over the mean of all. */
    private List<TermRow> baseline() {
        double[] ends = SurvivalCurve.ends(fitted);
        List<TermRow> rows = new ArrayList<>();
        int first = design.map(DesignMatrix::width).orElse(0);
        double start = 0;
        for (int j = 0; j < ends.length; j++) {
            double[] weights = new double[fitted.posterior().dimension()];
            weights[0] = 1;
            for (int k = 1; k < ends.length; k++) {
                weights[first + k - 1] = (k == j ? 1 : 0) - 1.0 / ends.length;
            }
            rows.add(row(
                    "baseline[" + Rounded.brief(start) + " to " + Rounded.brief(ends[j]) + "]",
                    "hazard at 0",
                    false,
                    weights));
            start = ends[j];
        }
        return rows;
    }

    /** The line of a contrast. */
    public TermRow contrast(String text) {
        List<String> names = fitted.posterior().parameterNames();
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            places.put(names.get(i), i);
        }
        design.ifPresent(
                matrix -> CoefficientColumns.references(fitted, matrix).forEach(name -> places.putIfAbsent(name, -1)));
        return row(
                text.strip(),
                "contrast",
                false,
                Contrast.parse(text, places, names.size()).weights());
    }

    private TermRow row(String name, String unit, boolean positive, double[] weights) {
        Summary found = summary(fitted.posterior(), weights);
        Optional<Summary> prior = fitted.prior().map(before -> summary(before, weights));
        OptionalDouble share = fitted.withoutPrivacyNoise()
                .filter(without -> !unit.equals(TermRow.BETWEEN_GROUPS))
                .map(without -> summary(without, weights))
                .map(without -> OptionalDouble.of(
                        Math.max(0, 1 - (without.upper() - without.lower()) / (found.upper() - found.lower()))))
                .orElse(OptionalDouble.empty());
        return new TermRow(
                name,
                unit,
                positive,
                found.mean(),
                found.sd(),
                found.lower(),
                found.upper(),
                prior.map(before -> new TermRow.Prior(before.sd(), before.lower(), before.upper())),
                share);
    }

    private record Summary(double mean, double sd, double lower, double upper) {}

    private Summary summary(Posterior posterior, double[] weights) {
        double tail = (1 - level) / 2;
        if (linear(posterior, weights) instanceof GaussianPosterior gaussian) {
            double[] mean = gaussian.mean();
            double[] covariance = gaussian.covariance();
            double sum = 0;
            double variance = 0;
            for (int i = 0; i < weights.length; i++) {
                sum += weights[i] * mean[i];
                for (int j = 0; j < weights.length && weights[i] != 0; j++) {
                    variance += weights[i] * weights[j] * covariance[i * weights.length + j];
                }
            }
            double sd = Math.sqrt(Math.max(0, variance));
            double reach = -SpecialFunctions.normalQuantile(tail) * sd;
            return new Summary(sum, sd, sum - reach, sum + reach);
        }
        int only = only(weights);
        if (only >= 0) {
            return new Summary(
                    posterior.mean()[only],
                    posterior.standardDeviation()[only],
                    posterior.quantile(only, tail),
                    posterior.quantile(only, 1 - tail));
        }
        return ofDraws(posterior, weights, tail);
    }

    /** What a sum of effects is computed from: a posterior with groups is Gaussian but for standard deviations. */
    private static Posterior linear(Posterior posterior, double[] weights) {
        if (posterior instanceof GroupedPosterior grouped) {
            for (int i = grouped.effects(); i < weights.length; i++) {
                if (weights[i] != 0) {
                    return posterior;
                }
            }
            return grouped.linear();
        }
        return posterior;
    }

    /** The one coordinate with weight 1, or −1 if it is a contrast. */
    private static int only(double[] weights) {
        int place = -1;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] != 0) {
                if (weights[i] != 1 || place >= 0) {
                    return -1;
                }
                place = i;
            }
        }
        return place;
    }

    private static Summary ofDraws(Posterior posterior, double[] weights, double tail) {
        RandomStream random = RandomStream.ofSeed(1);
        double[] draw = new double[weights.length];
        double[] sums = new double[DRAWS];
        for (int k = 0; k < DRAWS; k++) {
            posterior.sample(random, draw);
            for (int i = 0; i < weights.length; i++) {
                sums[k] += weights[i] == 0 ? 0 : weights[i] * draw[i];
            }
        }
        double mean = Arrays.stream(sums).average().orElseThrow();
        double squares =
                Arrays.stream(sums).map(sum -> (sum - mean) * (sum - mean)).sum();
        Arrays.sort(sums);
        return new Summary(
                mean,
                Math.sqrt(squares / (DRAWS - 1)),
                sums[(int) (tail * (DRAWS - 1))],
                sums[(int) Math.ceil((1 - tail) * (DRAWS - 1))]);
    }
}
