package dev.tacit.cli;

import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.Schema;
import dev.tacit.model.Prediction;
import dev.tacit.model.Predictor;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit predict}: predictions for new records, from the folder of a fit alone. */
@Command(
        name = "predict",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Predicts the target of new records, one line each, in their order.",
        description = "The new records are yours: nothing about them is protected here.")
final class PredictCommand implements Verb {
    @Parameters(index = "0", paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Parameters(index = "1", paramLabel = "FILE", description = "records with the schema's columns; no target needed")
    private String file;

    @Option(names = "--out", paramLabel = "CSV", description = "write here instead of to standard output")
    private String out;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        FittedModel fitted = new FitFolder(Path.of(folder)).fittedModel();
        EncodedTable table = TestTables.read(file, fitted.schema(), false);
        Predictor predictor = fitted.predictor();
        List<Object> predictions = new ArrayList<>();
        StringBuilder csv = new StringBuilder(classifies(fitted.schema()) ? "probability\n" : "mean,sd\n");
        for (RecordBlock block : table.blocks()) {
            for (int row = 0; row < block.rows(); row++) {
                Prediction prediction = predictor.predict(block, row);
                if (prediction instanceof Prediction.Probability binary) {
                    csv.append(binary.probability()).append('\n');
                    predictions.add(Map.of("probability", binary.probability()));
                } else if (prediction instanceof Prediction.Numeric number) {
                    csv.append(number.mean())
                            .append(',')
                            .append(number.standardDeviation())
                            .append('\n');
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("mean", number.mean());
                    object.put("sd", number.standardDeviation());
                    predictions.add(object);
                }
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

    private static boolean classifies(Schema schema) {
        return schema.targetColumn().orElseThrow() instanceof ColumnSchema.BinaryColumn;
    }
}
