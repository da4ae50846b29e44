package dev.tacit.fit.predict;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.table.Identifiers;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.formula.ExpectedResponse;
import dev.tacit.fit.formula.LevelProbabilities;
import dev.tacit.fit.formula.SurvivalCurve;
import dev.tacit.fit.run.TestTables;
import dev.tacit.fit.twin.Widening;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Predictions or descriptions of records, in their order, from the folder of a fit alone.
 *
 * @param columns what the numbers of a row are called
 * @param namesALevel whether rows name the most probable level
 * @param rows one for each record
 */
public record PredictedTable(List<String> columns, boolean namesALevel, List<PredictedRow> rows) {
    /** What is said about one record, in the order of the columns. */
    @FunctionalInterface
    private interface Line {
        double[] of(RecordBlock block, int row);
    }

    /**
     * Reads the records and predicts them.
     *
     * @param widening by how much intervals are shown wider than the posterior's
     */
    public static PredictedTable of(StoredPosterior fitted, Widening widening, PredictionRequest request) {
        List<RecordBlock> records = TestTables.read(request.file(), fitted.schema(), false);
        StoredPosterior shown = widening.of(fitted);
        double level = request.level().orElse(PredictionRequest.USUAL_LEVEL);
        Optional<ExpectedResponse> expected = ExpectedResponse.of(shown, level);
        Optional<SurvivalCurve> survival = SurvivalCurve.of(shown, request.times(), level);
        Optional<LevelProbabilities> levels = LevelProbabilities.of(shown, level);
        if (request.level().isPresent() && expected.isEmpty() && survival.isEmpty() && levels.isEmpty()) {
            throw FitException.usage("--level asks for intervals, which only fits by a formula have; leave it out.");
        }
        List<String> columns = new ArrayList<>(survival.map(SurvivalCurve::names)
                .orElseGet(() -> levels.map(LevelProbabilities::names).orElseGet(() -> columns(fitted))));
        expected.ifPresent(interval -> columns.addAll(List.of("lower", "upper")));
        Line line;
        if (survival.isPresent()) {
            line = survival.get()::of;
        } else if (levels.isPresent()) {
            line = levels.get()::of;
        } else {
            line = expected.map(interval -> with(line(fitted), interval)).orElseGet(() -> line(fitted));
        }
        Optional<List<String>> identifiers =
                request.identifier().map(column -> identifiers(request.file(), column, fitted, records));
        List<String> names = List.copyOf(columns);
        List<PredictedRow> rows = new ArrayList<>();
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                double[] numbers = line.of(block, row);
                int place = rows.size();
                rows.add(new PredictedRow(
                        identifiers.map(all -> all.get(place)),
                        names,
                        numbers,
                        levels.map(several -> several.mostProbable(numbers))));
            }
        }
        return new PredictedTable(names, levels.isPresent(), List.copyOf(rows));
    }

    private static List<String> identifiers(
            String file, String column, StoredPosterior fitted, List<RecordBlock> records) {
        try {
            List<String> found = Identifiers.read(file, fitted.schema(), column);
            if (found.size() != records.stream().mapToInt(RecordBlock::rows).sum()) {
                throw new FitException(
                        FitException.Kind.BAD_DATA,
                        "the identifiers of " + file + " cannot be matched with its records; take out lines that are no"
                                + " records.");
            }
            return found;
        } catch (DataException e) {
            throw new FitException(FitException.Kind.BAD_DATA, FitException.sentence(e.getMessage()), e);
        }
    }

    private static Line with(Line line, ExpectedResponse expected) {
        return (block, row) -> {
            double[] numbers = line.of(block, row);
            double[] all = Arrays.copyOf(numbers, numbers.length + 2);
            System.arraycopy(expected.interval(block, row), 0, all, numbers.length, 2);
            return all;
        };
    }

    private static List<String> columns(StoredPosterior fitted) {
        if (fitted.use() instanceof DescriptiveModel model) {
            return model.descriptionNames();
        }
        ColumnSchema target = fitted.schema().targetColumn().orElseThrow();
        if (target instanceof ColumnSchema.CategoryColumn category) {
            return category.categories();
        }
        return target instanceof ColumnSchema.BinaryColumn ? List.of("probability") : List.of("mean", "sd");
    }

    private static Line line(StoredPosterior fitted) {
        if (fitted.use() instanceof DescriptiveModel model) {
            DescriptiveModel.Describer describer = model.describer(fitted.posterior());
            int size = model.descriptionNames().size();
            return (block, row) -> {
                double[] description = new double[size];
                describer.describe(block, row, description);
                return description;
            };
        }
        Predictor predictor = ((PredictiveModel) fitted.use()).predictor(fitted.posterior());
        return (block, row) -> {
            Prediction prediction = predictor.predict(block, row);
            if (prediction instanceof Prediction.Classes classes) {
                return classes.probabilities();
            }
            return prediction instanceof Prediction.Numeric number
                    ? new double[] {number.mean(), number.standardDeviation()}
                    : new double[] {((Prediction.Probability) prediction).probability()};
        };
    }
}
