package dev.tacit.cli;

import dev.tacit.model.RecordSimulator;
import dev.tacit.privacy.json.Json;
import dev.tacit.run.ReleaseNote;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
                        + " No private record is read and nothing is spent.")
final class DiagnoseCommand implements Verb {
    private static final long SEED = 1;
    private static final int MOST_TWINS = 10_000;

    @Parameters(paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Option(names = "--twins", paramLabel = "N", description = "how many twins are simulated (the default is 20)")
    private String twins = "20";

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        int count = Numbers.count(Numbers.parseWhole(twins), MOST_TWINS, "--twins", ExitCode.USAGE);
        FitFolder fit = new FitFolder(Path.of(folder));
        FittedModel fitted = fit.fittedModel();
        ReleaseRecord release = fit.releaseRecord();
        if (!TwinCoverage.possible(fitted)) {
            withoutTwins(fitted.model() + " has no target to simulate", release, console);
            return ExitCode.OK;
        }
        if (!fitted.identifiable()) {
            withoutTwins(
                    "units of a " + fitted.model() + " can change places, so weights have no true value",
                    release,
                    console);
            return ExitCode.OK;
        }
        TwinCoverage.Result coverage;
        try (Progress progress = Progress.of("simulating", count)) {
            coverage = new TwinCoverage(fitted, release, SEED).run(count, SEED, progress);
        }
        if (json) {
            console.line(Json.write(object(coverage, release)));
        } else {
            verdicts(coverage, release, assumption(fitted)).forEach(console::line);
        }
        return ExitCode.OK;
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
        lines.forEach(console::line);
    }

    /** Two standard errors over twins, whose intervals are not independent: each twin counts as one trial. */
    private static double margin(TwinCoverage.Result coverage) {
        return 2 * Math.sqrt(0.09 / coverage.twins());
    }

    private static Map<String, Object> object(TwinCoverage.Result coverage, ReleaseRecord release) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("twins", coverage.twins());
        object.put("records", coverage.rows());
        object.put("intervals", coverage.intervals());
        object.put("coverage90", coverage.coverage());
        coverage.coveredWithoutNoise()
                .ifPresent(covered ->
                        object.put("coverage90WithoutPrivacyNoise", (double) covered / coverage.intervals()));
        coverage.scores().put(object);
        putReleases(object, release);
        return object;
    }

    private static void putReleases(Map<String, Object> object, ReleaseRecord release) {
        object.put("largestNoiseToSignal", largestNoise(release));
        object.put("releases", release.notes().size());
        object.put("plannedReleases", release.plan().releases());
    }

    private static double largestNoise(ReleaseRecord release) {
        return release.notes().stream()
                .mapToDouble(ReleaseNote::noiseToSignal)
                .max()
                .orElse(0);
    }

    private static String assumption(FittedModel fitted) {
        return fitted.use() instanceof RecordSimulator
                ? "Simulated records are drawn from the model."
                : "Simulated records are uniform over what the schema allows, not distributed like the real" + " ones.";
    }

    private static List<String> verdicts(TwinCoverage.Result coverage, ReleaseRecord release, String assumption) {
        List<String> lines = new ArrayList<>();
        double share = coverage.coverage();
        String verdict = share < 0.9 - margin(coverage)
                ? "The intervals are too narrow: do not take them at their word."
                : share > 0.9 + margin(coverage)
                        ? "The intervals are cautious: the truth lies in them more often than they say."
                        : "The intervals can be taken at their word.";
        lines.addAll(new Remark(
                        "coverage",
                        "90% intervals held the truth in " + percent(share) + " of " + coverage.intervals()
                                + " cases on " + coverage.twins() + " simulated twins of " + coverage.rows()
                                + " records. " + verdict)
                .lines());
        coverage.coveredWithoutNoise()
                .ifPresent(covered -> lines.addAll(new Remark(
                                "compare",
                                "Intervals that ignore the privacy noise would have held it in "
                                        + percent((double) covered / coverage.intervals()) + ".")
                        .lines()));
        lines.addAll(releases(release));
        if (release.publicSize() > coverage.rows()) {
            lines.addAll(new Remark(
                            "limits", "Twins are smaller than the data, so they are noisier: real coverage may differ.")
                    .lines());
        }
        lines.addAll(new Remark("assumes", assumption).lines());
        lines.add("");
        lines.addAll(coverage.scores().lines());
        return lines;
    }

    private static List<String> releases(ReleaseRecord release) {
        List<String> lines = new ArrayList<>();
        double noise = largestNoise(release);
        if (release.privacy().isPresent()) {
            lines.addAll(new Remark(
                            "noise",
                            "The noisiest release has noise " + FitSummary.decimals(noise)
                                    + " times as long as the sum it is in. "
                                    + (noise < 0.5
                                            ? "The data speak louder than the noise."
                                            : "A larger budget or more records would sharpen the result."))
                    .lines());
        }
        long lost = release.plan().releases() - release.notes().size();
        lines.addAll(new Remark(
                        "run",
                        lost == 0
                                ? "All " + release.plan().releases() + " planned releases reached the posterior."
                                : lost + " of " + release.plan().releases() + " releases were lost to a crash.")
                .lines());
        return lines;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }
}
