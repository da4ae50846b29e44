package dev.tacit.cli.verb;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.ReadingProgress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.predict.PredictedRow;
import dev.tacit.fit.predict.PredictedTable;
import dev.tacit.fit.predict.PredictionRequest;
import dev.tacit.fit.twin.SyntheticRows;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
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

    @Override
    public ExitCode run(Console console) {
        FitFolder fit = new FitFolder(Path.of(folder));
        StoredPosterior fitted = fit.fittedModel();
        PredictedTable table =
                ReadingProgress.during(console, file, () -> PredictedTable.of(fitted, fit.widening(), request()));
        if (out != null) {
            AtomicFile.write(Path.of(out), csv(table));
        }
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("provenance", fitted.provenance().label());
            object.put("predictions", table.rows().stream().map(this::object).toList());
            console.line(Json.write(object));
        } else {
            String text = csv(table);
            console.line(
                    out == null
                            ? text.substring(0, text.length() - 1)
                            : "wrote " + table.rows().size() + " predictions to " + out);
        }
        return ExitCode.OK;
    }

    private PredictionRequest request() {
        return new PredictionRequest(
                file,
                level == null ? OptionalDouble.empty() : OptionalDouble.of(ShownAs.level(level)),
                Optional.ofNullable(id),
                times());
    }

    /** What is not a number is not a time either. */
    private List<Double> times() {
        return at == null
                ? List.of()
                : Arrays.stream(at.split(",", -1))
                        .map(part -> Numbers.parse(part.strip()))
                        .toList();
    }

    private String csv(PredictedTable table) {
        List<String> header = new ArrayList<>(table.columns());
        if (table.namesALevel()) {
            header.add(MOST_PROBABLE);
        }
        if (id != null) {
            header.add(0, id);
        }
        StringBuilder csv = new StringBuilder(line(header));
        for (PredictedRow row : table.rows()) {
            List<String> cells = new ArrayList<>();
            row.identifier().ifPresent(cells::add);
            Arrays.stream(row.numbers()).mapToObj(Double::toString).forEach(cells::add);
            row.mostProbable().ifPresent(cells::add);
            csv.append(line(cells));
        }
        return csv.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream().map(SyntheticRows::quotedIfNeeded).collect(Collectors.joining(",", "", "\n"));
    }

    private Object object(PredictedRow row) {
        Map<String, Object> object = new LinkedHashMap<>();
        row.identifier().ifPresent(identifier -> object.put(id, identifier));
        object.putAll(row.values());
        row.mostProbable().ifPresent(best -> object.put(MOST_PROBABLE, best));
        return object;
    }
}
