package dev.tacit.fit.formula;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.twin.SyntheticRows;
import dev.tacit.query.Rows;
import dev.tacit.report.plot.BandChart;
import dev.tacit.report.section.PredictionsSection;
import dev.tacit.report.section.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a fit by a formula expects for made-up records that differ in one column, all others at their centre: numbers at the value
 * whose columns come closest to the released means, factors at their most frequent level.
 */
public final class MarginalPredictions {
    private static final int POINTS = 41;
    private static final int MOST_CURVES = 12;

    private final StoredPosterior fitted;
    private final Expected expected;
    private final Schema schema;
    private final DesignMatrix design;

    /** Values of each column that can be varied, as they stand in a file. */
    private final Map<ColumnSchema, List<String>> values = new LinkedHashMap<>();

    /** What is expected of a record, in one or several respects. */
    interface Expected {
        /** What they are called; one empty name if there is only one. */
        List<String> outcomes();

        /** For each the lower end, the middle and the upper end. */
        double[] at(RecordBlock block, int record);
    }

    private MarginalPredictions(StoredPosterior fitted, Expected expected) {
        this.fitted = fitted;
        this.expected = expected;
        this.schema = SyntheticRows.schema(fitted.schema());
        this.design = DesignMatrix.of(
                Formula.parse(fitted.schema().encoding().formula().orElseThrow()), fitted.schema());
        for (ColumnSchema column : schema.columns()) {
            List<String> own = values(column);
            if (!own.isEmpty() && !schema.target().equals(Optional.of(column.name()))) {
                values.put(column, own);
            }
        }
    }

    /** The section of a report; empty for fits that have no expected response or do not know where their columns lie. */
    public static Optional<Section> section(FitOutcome outcome, double level) {
        StoredPosterior shown = outcome.shown();
        Optional<Expected> expected = Optional.empty();
        if (!shown.centre().isEmpty()) {
            expected = ExpectedResponse.of(shown, level)
                    .<Expected>map(response -> response)
                    .or(() -> LevelProbabilities.of(shown, level));
        }
        return expected.map(response -> new MarginalPredictions(shown, response).section(level));
    }

    private static List<String> values(ColumnSchema column) {
        if (column instanceof NumberColumn number && number.bounds().isPresent()) {
            Bounds bounds = number.bounds().get();
            List<String> all = new ArrayList<>();
            for (int i = 0; i < POINTS; i++) {
                double value = bounds.lower() + (bounds.upper() - bounds.lower()) * i / (POINTS - 1);
                String text = Double.toString(number.count() ? Math.rint(value) : value);
                if (!all.contains(text)) {
                    all.add(text);
                }
            }
            return all;
        }
        if (column instanceof CategoryColumn category) {
            return category.categories();
        }
        if (column instanceof BinaryColumn binary) {
            return List.of(
                    binary.negative().isEmpty() ? "-" : binary.negative().get(0),
                    binary.positive().get(0));
        }
        return List.of();
    }

    private Section section(double level) {
        Map<ColumnSchema, Integer> centre = centre();
        List<RecordBlock> blocks = encoded(centre);
        List<PredictionsSection.Curve> curves = new ArrayList<>();
        List<PredictionsSection.Level> levels = new ArrayList<>();
        int row = 0;
        for (Map.Entry<ColumnSchema, List<String>> entry : values.entrySet()) {
            List<double[]> found = new ArrayList<>();
            boolean moves = false;
            double[] first = design(blocks, row);
            for (int i = 0; i < entry.getValue().size(); i++) {
                found.add(at(blocks, row));
                moves |= !java.util.Arrays.equals(first, design(blocks, row));
                row++;
            }
            if (!moves) {
                continue;
            }
            for (int k = 0; k < expected.outcomes().size(); k++) {
                String name = expected.outcomes().get(k);
                String of = name.isEmpty() ? "" : ", " + name;
                List<double[]> own = part(found, k);
                if (entry.getKey() instanceof NumberColumn) {
                    curves.add(curve(entry.getKey().name() + of, entry.getValue(), own));
                    continue;
                }
                for (int i = 0; i < own.size(); i++) {
                    levels.add(level(
                            entry.getKey().name() + ": " + entry.getValue().get(i) + of, own.get(i)));
                }
            }
        }
        return new PredictionsSection(
                        List.of(
                                "Made-up records that differ in one column. The others stay at their centre, as far as it was"
                                        + " released: " + centreText(centre) + "."),
                        TermText.percent(level),
                        axis(),
                        curves.subList(
                                0, Math.min(MOST_CURVES * expected.outcomes().size(), curves.size())),
                        levels)
                .section();
    }

    private static List<double[]> part(List<double[]> found, int outcome) {
        return found.stream()
                .map(all -> java.util.Arrays.copyOfRange(all, 3 * outcome, 3 * outcome + 3))
                .toList();
    }

    private String axis() {
        String response = design.response().label();
        if (expected.outcomes().size() > 1) {
            return "Probability of a level of " + response;
        }
        return Family.ofModel(fitted.model()).orElseThrow() == Family.BERNOULLI
                ? "Probability of " + response
                : "Expected " + response;
    }

    private static PredictionsSection.Curve curve(String name, List<String> at, List<double[]> found) {
        List<BandChart.Point> points = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            double[] three = found.get(i);
            points.add(new BandChart.Point(Double.parseDouble(at.get(i)), three[0], three[1], three[2]));
        }
        return new PredictionsSection.Curve(name, points);
    }

    private static PredictionsSection.Level level(String name, double[] three) {
        double size = Math.max(1e-12, (three[2] - three[0]) / 2);
        return new PredictionsSection.Level(
                name,
                three[0],
                three[1],
                three[2],
                List.of(
                        TermText.number(three[1], size),
                        TermText.number(three[0], size),
                        TermText.number(three[2], size)));
    }

    private String centreText(Map<ColumnSchema, Integer> centre) {
        List<String> parts = new ArrayList<>();
        centre.forEach((column, place) -> {
            String value = values.get(column).get(place);
            parts.add(column.name() + " "
                    + (column instanceof NumberColumn
                            ? String.format(Locale.ROOT, "%.4g", Double.parseDouble(value))
                            : value));
        });
        return String.join(", ", parts);
    }

    /** For each column the value whose own columns of the design are closest to the released means. */
    private Map<ColumnSchema, Integer> centre() {
        Map<ColumnSchema, Integer> middle = new LinkedHashMap<>();
        values.forEach((column, own) -> middle.put(column, column instanceof NumberColumn ? own.size() / 2 : 0));
        List<RecordBlock> blocks = encoded(middle);
        Map<ColumnSchema, Integer> centre = new LinkedHashMap<>();
        int row = 0;
        for (Map.Entry<ColumnSchema, List<String>> entry : values.entrySet()) {
            int count = entry.getValue().size();
            OptionalInt found = closest(blocks, row, count);
            if (found.isPresent()) {
                centre.put(entry.getKey(), found.getAsInt());
            }
            row += count;
        }
        return centre;
    }

    /** Empty if no column of the design moves with it alone. */
    private OptionalInt closest(List<RecordBlock> blocks, int firstRow, int count) {
        double[] distance = new double[count];
        boolean moves = false;
        for (int j = 0; j < design.columns().size(); j++) {
            DesignColumn column = design.columns().get(j);
            double width = column.upper() - column.lower();
            if (column.term().contains(":") || !(width > 0)) {
                continue;
            }
            double mean = fitted.centre().getOrDefault(column.name(), 0.0);
            double before = design(blocks, firstRow)[j];
            for (int i = 0; i < count; i++) {
                double value = design(blocks, firstRow + i)[j];
                moves |= value != before;
                distance[i] += Math.pow((value - mean) / width, 2);
            }
        }
        int best = 0;
        for (int i = 1; i < count; i++) {
            best = distance[i] < distance[best] ? i : best;
        }
        return moves ? OptionalInt.of(best) : OptionalInt.empty();
    }

    private double[] at(List<RecordBlock> blocks, int row) {
        int left = row;
        for (RecordBlock block : blocks) {
            if (left < block.rows()) {
                return expected.at(block, left);
            }
            left -= block.rows();
        }
        throw new IllegalStateException("a made-up record was not read");
    }

    private double[] design(List<RecordBlock> blocks, int row) {
        int left = row;
        for (RecordBlock block : blocks) {
            if (left < block.rows()) {
                double[] numbers = new double[block.columns()];
                Rows.addTo(block, left, 1, numbers, 0);
                return numbers;
            }
            left -= block.rows();
        }
        throw new IllegalStateException("a made-up record was not read");
    }

    /** One record for each value of each column, the others as they are said to be. */
    private List<RecordBlock> encoded(Map<ColumnSchema, Integer> others) {
        StringBuilder csv = new StringBuilder();
        csv.append(String.join(
                        ",",
                        schema.columns().stream()
                                .map(column -> SyntheticRows.quoted(column.name()))
                                .toList()))
                .append('\n');
        values.forEach((varied, own) -> own.forEach(value -> csv.append(String.join(
                        ",",
                        schema.columns().stream()
                                .map(column ->
                                        SyntheticRows.quoted(column.equals(varied) ? value : cell(column, others)))
                                .toList()))
                .append('\n')));
        try {
            Path file = Files.createTempFile("tacit-marginal", ".csv");
            try {
                Files.writeString(file, csv);
                return EncodedTable.read(file.toString(), schema, false).blocks();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION, "cannot write a temporary file; check that the disk has room.", e);
        }
    }

    private String cell(ColumnSchema column, Map<ColumnSchema, Integer> others) {
        List<String> own = values.getOrDefault(column, List.of("0"));
        return own.get(others.getOrDefault(column, 0));
    }
}
