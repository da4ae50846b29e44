package dev.tacit.run.use;

import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearRegressionDensity;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.PoissonRegression;
import dev.tacit.model.regression.ProbitRegression;
import dev.tacit.model.regression.SoftmaxRegression;
import java.util.List;
import java.util.Map;

/** Regressions on rows that are scaled to a bounded norm. */
final class RegressionForms {
    private static final String COLUMNS = "columns";
    private static final String ROW_NORM = "rowNormBound";
    private static final String PRECISION = "priorPrecision";
    private static final String LOW = "targetLow";
    private static final String HIGH = "targetHigh";

    static final List<ModelForm<?>> ALL = List.of(
            new ModelForm<>(
                    "logistic",
                    LogisticRegression.class,
                    (model, json) -> rows(json, model.parameterNames(), model.rowNormBound(), model.priorPrecision()),
                    json -> new LogisticRegression(
                            ModelForm.texts(json, COLUMNS), json.number(ROW_NORM), json.number(PRECISION))),
            new ModelForm<>(
                    "probit",
                    ProbitRegression.class,
                    (model, json) -> rows(json, model.parameterNames(), model.rowNormBound(), model.priorPrecision()),
                    json -> new ProbitRegression(
                            ModelForm.texts(json, COLUMNS), json.number(ROW_NORM), json.number(PRECISION))),
            new ModelForm<>(
                    "poisson",
                    PoissonRegression.class,
                    (model, json) -> {
                        rows(json, model.parameterNames(), model.rowNormBound(), model.priorPrecision());
                        json.put(HIGH, model.upperBound());
                    },
                    json -> new PoissonRegression(
                            ModelForm.texts(json, COLUMNS),
                            json.number(ROW_NORM),
                            json.number(PRECISION),
                            json.number(HIGH))),
            new ModelForm<>(
                    "softmax",
                    SoftmaxRegression.class,
                    (model, json) -> {
                        rows(json, model.columnNames(), model.rowNormBound(), model.priorPrecision());
                        json.put("classes", model.classes());
                    },
                    json -> new SoftmaxRegression(
                            ModelForm.texts(json, COLUMNS),
                            ModelForm.texts(json, "classes"),
                            json.number(ROW_NORM),
                            json.number(PRECISION))),
            new ModelForm<>(
                    "linear",
                    LinearRegression.class,
                    (model, json) -> {
                        rows(json, model.parameterNames(), model.rowNormBound(), model.priorPrecision());
                        json.put(LOW, model.targetLow());
                        json.put(HIGH, model.targetHigh());
                        json.put("publicSize", model.publicSize());
                        json.put("squareWeight", model.squareWeight());
                    },
                    json -> new LinearRegression(
                            ModelForm.texts(json, COLUMNS),
                            json.number(ROW_NORM),
                            json.number(PRECISION),
                            json.number(LOW),
                            json.number(HIGH),
                            json.integer("publicSize"),
                            json.number("squareWeight"))),
            new ModelForm<>(
                    "linear-density",
                    LinearRegressionDensity.class,
                    (model, json) -> {
                        rows(json, model.columnNames(), model.rowNormBound(), model.priorPrecision());
                        json.put("noiseShape", model.noiseShape());
                        json.put("noiseRate", model.noiseRate());
                        json.put(LOW, model.targetLow());
                        json.put(HIGH, model.targetHigh());
                    },
                    json -> new LinearRegressionDensity(
                            ModelForm.texts(json, COLUMNS),
                            json.number(ROW_NORM),
                            json.number(PRECISION),
                            json.number("noiseShape"),
                            json.number("noiseRate"),
                            json.number(LOW),
                            json.number(HIGH))));

    private RegressionForms() {}

    private static void rows(Map<String, Object> json, List<String> columns, double rowNorm, double precision) {
        json.put(COLUMNS, columns);
        json.put(ROW_NORM, rowNorm);
        json.put(PRECISION, precision);
    }
}
