package dev.tacit.run.use;

import dev.tacit.json.JsonFields;
import dev.tacit.model.conjugate.BetaBernoulli;
import dev.tacit.model.conjugate.BetaBernoulliScore;
import dev.tacit.model.conjugate.DirichletCategorical;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.GammaExponential;
import dev.tacit.model.conjugate.GammaExponentialDensity;
import dev.tacit.model.conjugate.GammaExponentialScore;
import java.util.List;
import java.util.Map;

/** Conjugate pairs, by their own statistics, their density or their score. */
final class ConjugateForms {
    private static final String SUCCESSES = "priorSuccesses";
    private static final String FAILURES = "priorFailures";
    private static final String CATEGORIES = "categories";
    private static final String CONCENTRATION = "priorConcentration";
    private static final String SHAPE = "priorShape";
    private static final String RATE = "priorRate";
    private static final String UPPER = "upperBound";
    private static final String SIZE = "publicSize";

    static final List<ModelForm<?>> ALL = List.of(
            new ModelForm<>(
                    "beta-bernoulli",
                    BetaBernoulli.class,
                    (model, json) -> beta(json, model.priorSuccesses(), model.priorFailures(), model.publicSize()),
                    json -> new BetaBernoulli(json.number(SUCCESSES), json.number(FAILURES), json.integer(SIZE))),
            new ModelForm<>(
                    "beta-bernoulli-score",
                    BetaBernoulliScore.class,
                    (model, json) -> beta(json, model.priorSuccesses(), model.priorFailures(), model.publicSize()),
                    json -> new BetaBernoulliScore(json.number(SUCCESSES), json.number(FAILURES), json.integer(SIZE))),
            new ModelForm<>(
                    "dirichlet-categorical",
                    DirichletCategorical.class,
                    (model, json) ->
                            dirichlet(json, model.categories(), model.priorConcentration(), model.publicSize()),
                    json -> new DirichletCategorical(
                            ModelForm.texts(json, CATEGORIES), json.number(CONCENTRATION), json.integer(SIZE))),
            new ModelForm<>(
                    "dirichlet-categorical-score",
                    DirichletCategoricalScore.class,
                    (model, json) ->
                            dirichlet(json, model.categories(), model.priorConcentration(), model.publicSize()),
                    json -> new DirichletCategoricalScore(
                            ModelForm.texts(json, CATEGORIES), json.number(CONCENTRATION), json.integer(SIZE))),
            new ModelForm<>(
                    "gamma-exponential",
                    GammaExponential.class,
                    (model, json) -> {
                        gamma(json, model.priorShape(), model.priorRate());
                        json.put(UPPER, model.upperBound());
                        json.put(SIZE, model.publicSize());
                    },
                    json -> new GammaExponential(
                            json.number(SHAPE), json.number(RATE), json.number(UPPER), json.integer(SIZE))),
            new ModelForm<>(
                    "gamma-exponential-density",
                    GammaExponentialDensity.class,
                    (model, json) -> {
                        gamma(json, model.priorShape(), model.priorRate());
                        json.put(UPPER, model.upperBound());
                        json.put("softplus", model.softplus());
                        json.put("columns", model.columns());
                    },
                    json -> new GammaExponentialDensity(
                            json.number(SHAPE),
                            json.number(RATE),
                            json.number(UPPER),
                            truth(json, "softplus"),
                            ModelForm.count(json, "columns"))),
            new ModelForm<>(
                    "gamma-exponential-score",
                    GammaExponentialScore.class,
                    (model, json) -> {
                        gamma(json, model.priorShape(), model.priorRate());
                        json.put("scoreBound", model.scoreBound());
                        json.put(SIZE, model.publicSize());
                    },
                    json -> new GammaExponentialScore(
                            json.number(SHAPE), json.number(RATE), json.number("scoreBound"), json.integer(SIZE))));

    private ConjugateForms() {}

    private static void beta(Map<String, Object> json, double successes, double failures, long size) {
        json.put(SUCCESSES, successes);
        json.put(FAILURES, failures);
        json.put(SIZE, size);
    }

    private static void dirichlet(Map<String, Object> json, List<String> categories, double concentration, long size) {
        json.put(CATEGORIES, categories);
        json.put(CONCENTRATION, concentration);
        json.put(SIZE, size);
    }

    private static void gamma(Map<String, Object> json, double shape, double rate) {
        json.put(SHAPE, shape);
        json.put(RATE, rate);
    }

    private static boolean truth(JsonFields json, String name) {
        return Boolean.TRUE.equals(json.value(name));
    }
}
