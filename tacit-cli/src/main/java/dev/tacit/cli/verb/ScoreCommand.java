package dev.tacit.cli.verb;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.ReadingProgress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.run.ScoredTable;
import dev.tacit.fit.run.TrainingRecords;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit score}: how well a fit predicts records that somebody hands in. */
@Command(
        name = "score",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Scores a fit on test records.",
        description = "Scores are exact functions of the test records, which are not protected here: do not publish"
                + " scores on records about people who were not asked. The records that the fit came from are refused.")
public final class ScoreCommand implements Verb {
    @Parameters(index = "0", paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Parameters(index = "1", paramLabel = "FILE", description = "test records, with their target if there is one")
    private String file;

    @Option(
            names = "--on-training-data",
            description = "score on the records that the fit came from; such scores are not covered by its guarantee")
    private boolean onTrainingData;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        FitFolder fit = new FitFolder(Path.of(folder));
        StoredPosterior fitted = fit.fittedModel();
        TrainingRecords training = TrainingRecords.require(fit, fitted, file, onTrainingData);
        ScoredTable scored = ReadingProgress.during(console, file, () -> ScoredTable.read(file, fitted));
        if (json) {
            Map<String, Object> object = scored.json();
            object.put("records", scored.rows());
            object.put("trainingRecords", training.words());
            console.line(Json.write(object));
            return ExitCode.OK;
        }
        TextTable table = new TextTable(List.of(false, true));
        scored.scores().forEach((name, value) -> table.row(name, Rounded.decimals(value)));
        console.line(scored.rows() + " records of " + file);
        console.line("");
        table.lines().forEach(console::line);
        console.line("");
        console.line(TrainingRecords.NOT_COVERED);
        console.line("The records: " + training.words() + ".");
        return ExitCode.OK;
    }
}
