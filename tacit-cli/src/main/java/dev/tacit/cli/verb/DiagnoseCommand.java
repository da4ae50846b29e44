package dev.tacit.cli.verb;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.run.Diagnosis;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.twin.IntervalCheck;
import dev.tacit.fit.twin.TwinCoverage;
import dev.tacit.fit.twin.TwinVerdict;
import dev.tacit.json.Json;
import dev.tacit.run.ReleaseNote;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit diagnose}: can the intervals of a fit be taken at their word? */
@Command(
        name = "diagnose",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Checks a fit: how much of it is noise, and whether its intervals hold the truth.",
        description =
                "Runs the same method with the same noise on simulated twins of the fit, where the truth is known."
                        + " No private record is read and nothing is spent. What is found on at least as many twins as before is"
                        + " kept in the folder.")
public final class DiagnoseCommand implements Verb {
    private static final int MOST_TWINS = 10_000;

    @Parameters(paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Option(
            names = "--twins",
            paramLabel = "N",
            description = "how many twins are simulated (the default is what fit took: 20, fewer for slow methods)")
    private String twins;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        OptionalInt asked = twins == null ? OptionalInt.empty() : OptionalInt.of(count(twins));
        FitFolder fit = new FitFolder(Path.of(folder));
        FitOutcome outcome = fit.outcome();
        ReleaseRecord release = outcome.release();
        Optional<String> obstacle = Diagnosis.obstacle(outcome.fitted());
        if (obstacle.isPresent()) {
            withoutTwins(obstacle.get(), release, console);
            return ExitCode.OK;
        }
        Diagnosis diagnosis = Diagnosis.of(fit, asked, Progress::of);
        if (json) {
            console.line(Json.write(object(diagnosis.coverage(), release)));
        } else {
            console.text(verdicts(diagnosis.coverage(), release, diagnosis.kept()));
        }
        return ExitCode.OK;
    }

    /** How many twins were asked for. */
    static int count(String given) {
        return Numbers.count(Numbers.parseWhole(given), MOST_TWINS, "--twins", ExitCode.USAGE);
    }

    /** Where there is no true value that an interval could hold: what remains is noise and completeness. */
    private void withoutTwins(String reason, ReleaseRecord release, Console console) {
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            putReleases(object, release);
            console.line(Json.write(object));
            return;
        }
        List<String> lines = new ArrayList<>(new Remark(
                        "coverage",
                        "Not checked: " + reason + ". Score it on records that were kept apart (tacit score).")
                .lines());
        lines.addAll(releases(release));
        console.text(lines);
    }

    private static Map<String, Object> object(TwinCoverage.Result coverage, ReleaseRecord release) {
        Map<String, Object> object =
                new LinkedHashMap<>(IntervalCheck.of(coverage).toJson());
        coverage.scores().put(object);
        putReleases(object, release);
        return object;
    }

    private static void putReleases(Map<String, Object> object, ReleaseRecord release) {
        object.put("largestNoiseToSignal", largestNoise(release));
        object.put("releases", release.posteriorNotes().size());
        object.put("plannedReleases", release.posteriorReleases());
    }

    private static double largestNoise(ReleaseRecord release) {
        return release.posteriorNotes().stream()
                .mapToDouble(ReleaseNote::noiseToSignal)
                .max()
                .orElse(0);
    }

    private static List<String> verdicts(TwinCoverage.Result coverage, ReleaseRecord release, boolean kept) {
        List<String> lines = new ArrayList<>();
        IntervalCheck check = IntervalCheck.of(coverage);
        lines.addAll(new Remark("coverage", check.sentence()).lines());
        coverage.coveredWithoutNoise()
                .ifPresent(covered -> lines.addAll(new Remark(
                                "compare",
                                "Intervals that ignore the privacy noise would have held it in "
                                        + IntervalCheck.percent((double) covered / coverage.intervals()) + ".")
                        .lines()));
        lines.addAll(releases(release));
        if (release.publicSize() > coverage.rows()) {
            lines.addAll(new Remark(
                            "limits", "Twins are smaller than the data, so they are noisier: real coverage may differ.")
                    .lines());
        }
        lines.addAll(new Remark("assumes", coverage.assumption()).lines());
        if (kept) {
            lines.addAll(
                    new Remark("kept", "summary, report and predictions of this folder now go by this check.").lines());
        }
        lines.add("");
        lines.addAll(coverage.scores().lines(coverage.coverage(), TwinVerdict.margin(coverage)));
        return lines;
    }

    private static List<String> releases(ReleaseRecord release) {
        List<String> lines = new ArrayList<>();
        double noise = largestNoise(release);
        if (release.privacy().isPresent()) {
            lines.addAll(new Remark(
                            "noise",
                            "The noisiest release has noise " + Rounded.decimals(noise)
                                    + " times as long as the sum it is in. "
                                    + (noise < 0.5
                                            ? "The data speak louder than the noise."
                                            : "A larger budget or more records would sharpen the result."))
                    .lines());
        }
        long lost = release.posteriorReleases() - release.posteriorNotes().size();
        lines.addAll(new Remark(
                        "run",
                        lost == 0
                                ? "All " + release.posteriorReleases() + " planned releases reached the posterior."
                                : lost + " of " + release.posteriorReleases() + " releases were lost to a crash.")
                .lines());
        return lines;
    }
}
