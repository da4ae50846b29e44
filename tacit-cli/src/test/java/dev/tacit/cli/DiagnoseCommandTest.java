package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fits, twins and their noise are seeded, except for the demo's own fit. The bounds on coverage are far apart: they
 * notice twins that are broken, and leave it to the verdict to say whether a method's intervals are too narrow.
 */
class DiagnoseCommandTest {
    private static final int TWINS = 8;

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path fit;

    @BeforeEach
    void fit() {
        tables = new FitTables(folder);
        fit = folder.resolve("fit");
    }

    private void fit(int rows, String... more) {
        Path table = tables.table("loans.csv", FitTables.loans(rows, 1));
        Path schema = tables.write("loans.schema.yaml", FitTables.loansSchema(rows));
        FitTables.run(FitTables.fit(table, schema, fit, more)).succeeded();
    }

    /** The demo's intervals hold what they say; ignoring the noise, they would hold no more. */
    @Test
    void theDemoCanBeDiagnosed() {
        CliRun.of("demo", "--out", folder.toString()).succeeded();
        Map<String, Object> json = CliRun.of("diagnose", fit.toString(), "--twins", "4", "--json")
                .succeeded()
                .json();
        assertThat(json)
                .containsEntry("twins", 4L)
                .containsEntry("records", 32_000L)
                .containsEntry("intervals", 48L)
                .containsEntry("releases", 10L)
                .containsEntry("plannedReleases", 10L);
        assertThat((double) json.get("coverage90")).isBetween(0.7, 1.0);
        assertThat((double) json.get("coverage90WithoutPrivacyNoise"))
                .isLessThanOrEqualTo((double) json.get("coverage90"));
        assertThat((double) json.get("largestNoiseToSignal")).isPositive();
    }

    @Test
    void verdictsAreSentences() {
        fit(2000, "--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "7");
        String said = CliRun.of("diagnose", fit.toString(), "--twins", Integer.toString(TWINS))
                .succeeded()
                .output();
        assertThat(said.replaceAll("\\s+", " "))
                .contains("90% intervals held the truth in", "on 8 simulated twins of 2000 records.")
                .containsPattern("Nothing speaks against|are cautious|are too narrow|lie evenly")
                .contains("Intervals that ignore the privacy noise would have held it in")
                .contains("The noisiest release has noise")
                .contains("All 10 planned releases reached the posterior.")
                .contains("have the means, spreads and correlations that the fit released", "go by this check");
        assertThat(CliRun.of("diagnose", fit.toString(), "--twins", Integer.toString(TWINS))
                        .succeeded()
                        .output())
                .isEqualTo(said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"private-vb", "residual-newton"})
    void coverageIsNotFarFromWhatIntervalsSay(String method) {
        fit(3000, "--method", method, "--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "7");
        Map<String, Object> json = CliRun.of("diagnose", fit.toString(), "--twins", "20", "--json")
                .succeeded()
                .json();
        assertThat((double) json.get("coverage90")).isBetween(0.6, 1.0);
    }

    /** What fit prints, keeps and draws is what diagnose says when it is asked the same. */
    @Test
    void aFitChecksItselfAndDiagnoseSaysTheSame() throws IOException {
        fit(1500, "--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "7", "--twins", "6");
        Map<String, Object> kept = CliRun.object(Json.read(Files.readString(fit.resolve("check.json"))));
        Map<String, Object> json = CliRun.of("diagnose", fit.toString(), "--twins", "6", "--json")
                .succeeded()
                .json();
        assertThat(json).containsAllEntriesOf(kept);
        String sentence = (String) kept.get("sentence");
        assertThat(Files.readString(fit.resolve("report.html"))).contains(sentence);
        CliRun.of("report", fit.toString()).succeeded();
        assertThat(Files.readString(fit.resolve("report.html"))).contains(sentence);
        assertThat(CliRun.of("diagnose", fit.toString(), "--twins", "6")
                        .succeeded()
                        .output()
                        .replaceAll("\\s+", " "))
                .contains(sentence);
    }

    @Test
    void aFitThatWasNotCheckedSaysSo() throws IOException {
        fit(1500, "--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "7", "--no-twins");
        assertThat(fit.resolve("check.json")).doesNotExist();
        assertThat(Files.readString(fit.resolve("report.html"))).contains("Nobody has checked yet");
        Files.writeString(fit.resolve("check.json"), "{\"twins\":1}");
        CliRun.of("report", fit.toString()).failed(ExitCode.BAD_DATA);
    }

    /** What twins ask for is in every place where an interval stands, and moves no estimate and no prediction. */
    @Test
    void widenedIntervalsAreShownEverywhere() throws IOException {
        fit(1500, "--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "7", "--no-twins");
        Path fresh = Files.writeString(fit.resolveSibling("new.csv"), "age,debt,job\n50,500,miner\n");
        Map<String, Object> before = term("debt");
        double[] predicted = prediction(fresh);
        String kept = "{\"twins\":20,\"records\":1500,\"intervals\":80,\"coverage90\":0.6,\"verdict\":\"too-narrow\","
                + "\"sentence\":\"They are shown twice as wide.\",\"widened\":[{\"term\":\"debt\",\"factor\":2.0}]}";
        Files.writeString(fit.resolve("check.json"), kept);
        Map<String, Object> after = term("debt");
        assertThat(after.get("mean")).isEqualTo(before.get("mean"));
        assertThat(width(after)).isCloseTo(2 * width(before), within(1e-9));
        double[] wide = prediction(fresh);
        assertThat(wide[0]).isEqualTo(predicted[0]);
        assertThat(wide[2] - wide[1]).isGreaterThan(1.2 * (predicted[2] - predicted[1]));
        assertThat(CliRun.of("summary", fit.toString()).succeeded().output().replaceAll("\\s+", " "))
                .contains("They are shown twice as wide.");
        CliRun.of("report", fit.toString()).succeeded();
        assertThat(Files.readString(fit.resolve("report.html"))).contains("They are shown twice as wide.");
        assertThat(CliRun.of("compare", fit.toString(), fit.toString(), "--json")
                        .succeeded()
                        .output())
                .contains("\"widthRatio\":1.0");
    }

    private Map<String, Object> term(String name) {
        Map<String, Object> summary =
                CliRun.of("summary", fit.toString(), "--json").succeeded().json();
        return ((List<?>) summary.get("terms"))
                .stream()
                        .map(CliRun::object)
                        .filter(term -> term.get("term").equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    private static double width(Map<String, Object> term) {
        return (double) term.get("upper") - (double) term.get("lower");
    }

    private double[] prediction(Path fresh) {
        String line = CliRun.of("predict", fit.toString(), fresh.toString())
                .succeeded()
                .output()
                .lines()
                .toList()
                .get(1);
        return Stream.of(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
    }

    @Test
    void aFitWithoutNoiseCanBeDiagnosedToo() {
        fit(2000, "--not-private");
        String said = CliRun.of("diagnose", fit.toString(), "--twins", "3")
                .succeeded()
                .output();
        assertThat(said).contains("intervals held the truth").doesNotContain("noisiest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "many", "10001", "1e15"})
    void theNumberOfTwinsIsChecked(String twins) {
        assertThat(CliRun.of("diagnose", fit.toString(), "--twins", twins)
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--twins", "10000");
    }
}
