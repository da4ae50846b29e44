package dev.tacit.cli.verb;

import dev.tacit.cli.artefact.FittedModel;
import dev.tacit.cli.fit.TestTables;
import dev.tacit.cli.folder.FitFolder;
import dev.tacit.cli.formula.ExpectedResponse;
import dev.tacit.cli.formula.LevelProbabilities;
import dev.tacit.cli.formula.ShownAs;
import dev.tacit.cli.formula.SurvivalCurve;
import dev.tacit.cli.shell.AtomicFile;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.ReadingProgress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.cli.twin.SyntheticRows;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.table.Identifiers;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.json.Json;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit predict}: predictions or descriptions of new records, from the folder of a fit alone. */
@Command(
        name = "predict",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Predicts the target of new records, or describes them if there is none; one line each, in order.",
        description = "The new records are yours: nothing about them is protected here.")
public final class PredictCommand implements Verb {
    @Parameters(index = "0", paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Parameters(index = "1", paramLabel = "FILE", description = "records with the schema's columns; no target needed")
    private String file;

    @Option(
            names = "--id",
            paramLabel = "COLUMN",
            description = "a column of FILE to stand before each prediction; it need not be in the schema")
    private String id;

    @Option(
            names = "--level",
            paramLabel = "P",
            description = "the probability that the interval of the expected response holds; 0.95 if left out, for fits"
                    + " by a formula")
    private String level;

    @Option(
            names = "--at",
            paramLabel = "TIMES",
            description = "of survival: the times at which it is predicted, separated by commas; the cut points and the"
                    + " largest time if left out")
    private String at;

    @Option(names = "--out", paramLabel = "CSV", description = "write here instead of to standard output")
    private String out;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    /** The column that names a level. */
    private static final String MOST_PROBABLE = "most_probable";

    /** What is written about one record, in the order of the columns. */
    @FunctionalInterface
    private interface Line {
        double[] of(RecordBlock block, int row);
    }

    @Override
    public ExitCode run(Console console) {
        FitFolder fit = new FitFolder(Path.of(folder));
        FittedModel fitted = fit.fittedModel();
        List<RecordBlock> records =
                ReadingProgress.during(console, file, () -> TestTables.read(file, fitted.schema(), false));
        FittedModel shown = fit.widening().of(fitted);
        Optional<ExpectedResponse> expected = ExpectedResponse.of(shown, ShownAs.level(level));
        Optional<SurvivalCurve> survival = SurvivalCurve.of(shown, at, ShownAs.level(level));
        Optional<LevelProbabilities> levels = LevelProbabilities.of(shown, ShownAs.level(level));
        if (level != null && expected.isEmpty() && survival.isEmpty() && levels.isEmpty()) {
            throw CommandFailure.usage("--level asks for intervals, which only fits by a formula have; leave it out.");
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
        List<String> identifiers = identifiers(fitted, records);
        List<Object> predictions = new ArrayList<>();
        List<String> header = new ArrayList<>(columns);
        if (levels.isPresent()) {
            header.add(MOST_PROBABLE);
        }
        if (id != null) {
            header.add(0, id);
        }
        StringBuilder csv = new StringBuilder(String.join(
                        ",", header.stream().map(SyntheticRows::quotedIfNeeded).toList()))
                .append('\n');
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                double[] numbers = line.of(block, row);
                Map<String, Object> object = new LinkedHashMap<>();
                if (id != null) {
                    String identifier = identifiers.get(predictions.size());
                    csv.append(SyntheticRows.quotedIfNeeded(identifier)).append(',');
                    object.put(id, identifier);
                }
                for (int i = 0; i < numbers.length; i++) {
                    csv.append(i == 0 ? "" : ",").append(numbers[i]);
                    object.put(columns.get(i), numbers[i]);
                }
                if (levels.isPresent()) {
                    String best = levels.get().mostProbable(numbers);
                    csv.append(',').append(SyntheticRows.quotedIfNeeded(best));
                    object.put(MOST_PROBABLE, best);
                }
                csv.append('\n');
                predictions.add(object);
            }
        }
        if (out != null) {
            AtomicFile.write(Path.of(out), csv.toString());
        }
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("provenance", fitted.provenance().label());
            object.put("predictions", predictions);
            console.line(Json.write(object));
        } else {
            console.line(
                    out == null
                            ? csv.substring(0, csv.length() - 1)
                            : "wrote " + predictions.size() + " predictions to " + out);
        }
        return ExitCode.OK;
    }

    private List<String> identifiers(FittedModel fitted, List<RecordBlock> records) {
        if (id == null) {
            return List.of();
        }
        try {
            List<String> found = Identifiers.read(file, fitted.schema(), id);
            if (found.size() != records.stream().mapToInt(RecordBlock::rows).sum()) {
                throw new CommandFailure(
                        ExitCode.BAD_DATA,
                        "the identifiers of " + file + " cannot be matched with its records; take out lines that are no"
                                + " records.");
            }
            return found;
        } catch (DataException e) {
            throw new CommandFailure(ExitCode.BAD_DATA, CommandFailure.sentence(e.getMessage()), e);
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

    private static List<String> columns(FittedModel fitted) {
        if (fitted.use() instanceof DescriptiveModel model) {
            return model.descriptionNames();
        }
        ColumnSchema target = fitted.schema().targetColumn().orElseThrow();
        if (target instanceof ColumnSchema.CategoryColumn category) {
            return category.categories();
        }
        return target instanceof ColumnSchema.BinaryColumn ? List.of("probability") : List.of("mean", "sd");
    }

    private static Line line(FittedModel fitted) {
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
