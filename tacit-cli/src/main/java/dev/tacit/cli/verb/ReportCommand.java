package dev.tacit.cli.verb;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.artefact.AuditNote;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.run.ScoredTable;
import dev.tacit.fit.run.TrainingRecords;
import dev.tacit.fit.text.Remark;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit report}: draws the report of a fit again, with test data if there are any. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Writes the report of a fit: one HTML file that loads nothing.")
public final class ReportCommand implements Verb {
    @Parameters(paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Option(names = "--test", paramLabel = "FILE", description = "test records; adds scores and a calibration plot")
    private String test;

    @Option(
            names = "--on-training-data",
            description = "allow --test with the records that the fit came from; the guarantee does not cover that")
    private boolean onTrainingData;

    @Option(
            names = "--out",
            paramLabel = "HTML",
            description = "the file to write; in DIR if left out: report.html, with --test report-test.html")
    private String out;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        FitFolder fit = new FitFolder(Path.of(folder));
        FitOutcome outcome = fit.outcome();
        Path target = target(fit);
        Optional<TrainingRecords> training = Optional.ofNullable(test)
                .map(file -> TrainingRecords.require(fit, outcome.fitted(), file, onTrainingData));
        Optional<ScoredTable> scored = Optional.ofNullable(test).map(file -> ScoredTable.read(file, outcome.fitted()));
        AtomicFile.write(target, FitWriting.report(outcome, scored).html());
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("report", target.toString());
            outcome.audit()
                    .ifPresent(audit -> object.put("audit", audit.refused().orElse("shown")));
            scored.ifPresent(table -> object.put("scores", table.json()));
            training.ifPresent(found -> object.put("trainingRecords", found.words()));
            console.line(Json.write(object));
        } else {
            console.line("wrote " + target);
            outcome.audit()
                    .flatMap(AuditNote::refused)
                    .ifPresent(why -> new Remark("audit", why).lines().forEach(console::line));
            training.ifPresent(found -> {
                console.line(TrainingRecords.NOT_COVERED);
                console.line("The records: " + found.words() + ".");
            });
        }
        return ExitCode.OK;
    }

    /** What test records say stays out of the report that goes with the guarantee. */
    private Path target(FitFolder fit) {
        if (out == null) {
            return test == null ? fit.report() : fit.testReport();
        }
        Path named = Path.of(out);
        if (out.toLowerCase(Locale.ROOT).endsWith(".pdf")) {
            throw CommandFailure.usage(
                    "a report is HTML and not PDF; name a file that ends in .html, and print it from a"
                            + " browser if a PDF is needed.");
        }
        if (test != null
                && named.toAbsolutePath()
                        .normalize()
                        .equals(fit.report().toAbsolutePath().normalize())) {
            throw CommandFailure.usage(
                    named + " is the report of the fit, which its guarantee covers; name another file"
                            + " for what test records say.");
        }
        return named;
    }
}
