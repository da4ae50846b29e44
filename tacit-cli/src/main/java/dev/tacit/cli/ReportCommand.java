package dev.tacit.cli;

import dev.tacit.privacy.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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
final class ReportCommand implements Verb {
    @Parameters(paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Option(names = "--test", paramLabel = "FILE", description = "test records; adds scores and a calibration plot")
    private String test;

    @Option(names = "--out", paramLabel = "HTML", description = "the file to write; report.html in DIR if left out")
    private String out;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        FitFolder fit = new FitFolder(Path.of(folder));
        FitRun.Outcome outcome = fit.outcome();
        Optional<ScoredTable> scored = Optional.ofNullable(test).map(file -> ScoredTable.read(file, outcome.fitted()));
        Path target = out == null ? fit.report() : Path.of(out);
        AtomicFile.write(target, FitWriting.report(outcome, scored).html());
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("report", target.toString());
            scored.ifPresent(table -> object.put("scores", table.json()));
            console.line(Json.write(object));
        } else {
            console.line("wrote " + target);
        }
        return ExitCode.OK;
    }
}
