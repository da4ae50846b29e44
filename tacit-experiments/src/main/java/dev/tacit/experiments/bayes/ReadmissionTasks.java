package dev.tacit.experiments.bayes;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.UnitSchema;
import dev.tacit.experiments.bayes.VipsHistoricalComposition.Recipe;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Palette;
import dev.tacit.report.plot.Series;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables that stand in for the closed stroke records of the paper on private variational Bayes.
 *
 * <p>Diabetes-130: readmission within 30 days, diagnoses by group, rows of length 1. Patients have several encounters; with
 * all of them the guarantee is for one encounter or, with at most {@value #ENCOUNTERS} each, for one patient.
 */
final class ReadmissionTasks {
    static final double DELTA = 1e-5;

    /** Encounters of a patient that are looked at where the patient is the unit. */
    private static final int ENCOUNTERS = 2;

    /** Published encounters that do not end in death or hospice care, of which four fifths train. */
    private static final long TRAINING_ENCOUNTERS = Math.round(0.8 * (101_766 - 2_423));

    /** The tables. */
    enum Source {
        ADULT("adult", "adult", "", true),
        FIRST_ENCOUNTERS("first encounters", "diabetes130", "first", true),
        ALL_ENCOUNTERS("all encounters, unit encounter", "diabetes130", "all", true),
        PATIENTS("all encounters, unit patient", "diabetes130", "all", false);

        private final String label;
        private final String dataset;
        private final String encounters;
        private final boolean recordIsUnit;

        Source(String label, String dataset, String encounters, boolean recordIsUnit) {
            this.label = label;
            this.dataset = dataset;
            this.encounters = encounters;
            this.recordIsUnit = recordIsUnit;
        }

        String label() {
            return label;
        }

        boolean recordIsUnit() {
            return recordIsUnit;
        }
    }

    private ReadmissionTasks() {}

    static String label(Recipe recipe) {
        return switch (recipe) {
            case ZERO_CONCENTRATED -> "zCDP recipe";
            case ADVANCED -> "advanced recipe";
            case LINEAR -> "linear recipe";
        };
    }

    static LogisticTask open(Source source, ExperimentOptions options) {
        Path folder = options.workDirectory().resolve(source.name());
        Map<String, String> choices = source.encounters.isEmpty() ? Map.of() : Map.of("encounters", source.encounters);
        try {
            Catalogue.find(source.dataset).prepare(options.dataDirectory(), folder, choices);
        } catch (DatasetException e) {
            throw new MissingDataException(e.getMessage(), e);
        }
        Schema schema = VipsLogisticAdult.schema(folder.resolve("schema.yaml"));
        if (source == Source.ALL_ENCOUNTERS) {
            schema = withUnit(schema, UnitSchema.record(), TRAINING_ENCOUNTERS);
        } else if (source == Source.PATIENTS) {
            String person = schema.unit().idColumn().orElseThrow();
            schema = withUnit(schema, UnitSchema.person(person, ENCOUNTERS), schema.size());
        }
        return new LogisticTask(source.label, folder, schema, DELTA, options.threads());
    }

    private static Schema withUnit(Schema schema, UnitSchema unit, long size) {
        return new Schema(
                unit, schema.neighbours(), size, schema.target(), schema.format(), schema.encoding(), schema.columns());
    }

    /** A metric against the epsilon that was asked for, one chart for each table. */
    static List<LineChart> charts(List<ResultRow> rows, String metric) {
        Map<String, Map<String, List<Series.Point>>> lines = new LinkedHashMap<>();
        Map<String, Double> notPrivate = new LinkedHashMap<>();
        for (ResultRow row : rows) {
            if (!row.metric().equals(metric)) {
                continue;
            }
            int end = row.setting().indexOf(", epsilon");
            if (end < 0) {
                notPrivate.put(row.setting(), row.ours());
            } else {
                lines.computeIfAbsent(row.setting().substring(0, end), unused -> new LinkedHashMap<>())
                        .computeIfAbsent(row.method(), unused -> new ArrayList<>())
                        .add(new Series.Point(row.epsilonClaimed(), row.ours()));
            }
        }
        List<LineChart> charts = new ArrayList<>();
        lines.forEach((table, methods) -> {
            if (methods.values().iterator().next().size() > 1) {
                charts.add(chart(table, metric, methods, notPrivate.getOrDefault(table, Double.NaN)));
            }
        });
        return charts;
    }

    private static LineChart chart(
            String table, String metric, Map<String, List<Series.Point>> methods, double notPrivate) {
        List<Series> series = new ArrayList<>();
        double least = notPrivate;
        for (Map.Entry<String, List<Series.Point>> method : methods.entrySet()) {
            series.add(new Series(
                    method.getKey(),
                    series.size() % Palette.COLOURS,
                    method.getKey().contains("recipe"),
                    method.getValue()));
            for (Series.Point point : method.getValue()) {
                least = Math.min(least, point.y());
            }
        }
        List<Series.Point> first = methods.values().iterator().next();
        double low = first.get(0).x();
        double high = first.get(first.size() - 1).x();
        series.add(new Series(
                "not private",
                series.size() % Palette.COLOURS,
                true,
                List.of(new Series.Point(low, notPrivate), new Series.Point(high, notPrivate))));
        return new LineChart(
                table, new Axis("epsilon", low, high, true), Axis.around(metric, least, notPrivate), series, null);
    }
}
