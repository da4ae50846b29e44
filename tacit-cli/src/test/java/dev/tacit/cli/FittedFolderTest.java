package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.fit.base.CheckedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be done with the folder of a fit, long after the records are gone. */
class FittedFolderTest {
    @TempDir
    private Path folder;

    private FitTables tables;
    private Path fit;
    private Path test;

    @BeforeEach
    void fitAndForgetTheRecords() throws IOException {
        tables = new FitTables(folder);
        fit = folder.resolve("fit");
        fitAndForget(fit);
        test = tables.table("test.csv", FitTables.loans(1000, 2));
    }

    private void fitAndForget(Path out, String... more) throws IOException {
        Path table = tables.table("loans.csv", FitTables.loans(5000, 1));
        Path schema = tables.write("loans.schema.yaml", FitTables.loansSchema(5000));
        List<String> args =
                FitTables.fit(table, schema, out, "--epsilon", "2", "--delta", "1e-5", "--simulate", "--seed", "7");
        args.addAll(List.of(more));
        FitTables.run(args).succeeded();
        Files.delete(table);
        Files.delete(schema);
    }

    @Test
    void predictionsAreOneALineInTheOrderOfTheFile() {
        Path fresh = tables.write("new.csv", "job,debt,age\nminer,1000,20\nbaker,0,80\nminer,500,50\n");
        List<String> lines = CliRun.of("predict", fit.toString(), fresh.toString())
                .succeeded()
                .output()
                .lines()
                .toList();
        assertThat(lines).hasSize(4).startsWith("probability,lower,upper");
        double risky = probability(lines.get(1));
        double safe = probability(lines.get(2));
        double middle = probability(lines.get(3));
        assertThat(risky).isGreaterThan(middle).isBetween(0.9, 1.0);
        assertThat(safe).isLessThan(middle).isBetween(0.0, 0.2);
        Map<String, Object> json = CliRun.of("predict", fit.toString(), fresh.toString(), "--json")
                .succeeded()
                .json();
        assertThat(json).containsEntry("provenance", "simulated, not for release");
        assertThat(((List<?>) json.get("predictions"))
                        .stream().map(one -> CliRun.object(one).get("probability")))
                .isEqualTo(List.of(risky, safe, middle));
    }

    /** A probability between the ends of its interval. */
    private static double probability(String line) {
        double[] numbers =
                Stream.of(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
        assertThat(numbers).hasSize(3);
        assertThat(numbers[0]).isBetween(numbers[1], numbers[2]);
        return numbers[0];
    }

    @Test
    void predictionsGoToAFileOrNowhere() {
        Path nobody = tables.write("new.csv", "job,debt,age\n");
        Path out = folder.resolve("predicted.csv");
        assertThat(CliRun.of("predict", fit.toString(), nobody.toString(), "--out", out.toString())
                        .succeeded()
                        .output())
                .contains("0 predictions");
        assertThat(out).hasContent("probability,lower,upper\n");
        assertThat(CliRun.of("predict", fit.toString(), nobody.toString())
                        .succeeded()
                        .output())
                .isEqualTo("probability,lower,upper\n");
        CliRun.of(
                        "predict",
                        fit.toString(),
                        nobody.toString(),
                        "--out",
                        folder.resolve("no/such").toString())
                .failed(ExitCode.CONFIG);
    }

    @Test
    void scoresHaveStableNames() {
        Map<String, Object> scores = CliRun.of("score", fit.toString(), test.toString(), "--json")
                .succeeded()
                .json();
        assertThat(scores)
                .containsOnlyKeys("accuracy", "auc", "logLikelihood", "brier", "ece", "records", "trainingRecords")
                .containsEntry("records", 1000L);
        assertThat((double) scores.get("auc")).isBetween(0.8, 0.95);
        assertThat((double) scores.get("accuracy")).isBetween(0.75, 0.9);
        assertThat((double) scores.get("logLikelihood")).isBetween(-0.5, -0.3);
        assertThat((double) scores.get("ece")).isBetween(0.0, 0.1);
        assertThat(CliRun.of("score", fit.toString(), test.toString())
                        .succeeded()
                        .output())
                .contains("1000 records", "accuracy", "auc", "brier");
    }

    /** There is no ranking of one class; everything else still has a value. */
    @Test
    void oneClassHasNoAuc() {
        Path one = tables.write("one.csv", FitTables.HEADER + "\n50,500,miner,yes\n");
        assertThat(CliRun.of("score", fit.toString(), one.toString(), "--json")
                        .succeeded()
                        .json())
                .containsOnlyKeys("accuracy", "logLikelihood", "brier", "ece", "records", "trainingRecords");
        CliRun.of("report", fit.toString(), "--test", one.toString()).succeeded();
    }

    @Test
    void theReportIsDrawnAgainWithTestRecords() throws IOException {
        Path report = fit.resolve("report.html");
        String before = Files.readString(report);
        CliRun.of("report", fit.toString()).succeeded();
        assertThat(Files.readString(report)).isEqualTo(before);
        Path out = folder.resolve("tested.html");
        Map<String, Object> json = CliRun.of(
                        "report", fit.toString(), "--test", test.toString(), "--out", out.toString(), "--json")
                .succeeded()
                .json();
        assertThat(json).containsEntry("report", out.toString());
        assertThat(CliRun.object(json.get("scores"))).containsKey("auc");
        assertThat(Files.readString(out)).contains("1000 records of", "auc").doesNotContain("<script");
        assertThat(Files.readString(report)).isEqualTo(before);
        CliRun.of("report", fit.toString(), "--out", folder.toString()).failed(ExitCode.CONFIG);
    }

    /** Test records are not private here, so what is wrong with them is said, but not what stands in them. */
    @Test
    void aBadTestTableIsOneSentence() {
        for (String bad : List.of(
                "",
                "age,debt,job\n50,4711,miner\n",
                FitTables.HEADER + "\n50,4711x,miner,yes\n",
                FitTables.HEADER + "\n50,500,miner,4711\n",
                "4711,1,2,3\n")) {
            Path file = tables.write("bad.csv", bad);
            CliRun run = CliRun.of("score", fit.toString(), file.toString()).failed(ExitCode.BAD_DATA);
            assertThat(run.errors()).contains("bad.csv").doesNotContain("4711");
            CliRun.of("report", fit.toString(), "--test", file.toString()).failed(ExitCode.BAD_DATA);
        }
        Path empty = tables.table("empty.csv", List.of());
        CliRun.of("score", fit.toString(), empty.toString()).failed(ExitCode.BAD_DATA);
        CliRun.of(
                        "predict",
                        fit.toString(),
                        tables.write("bad.csv", "age,debt\n1,2\n").toString())
                .failed(ExitCode.BAD_DATA);
        CliRun.of("predict", fit.toString(), folder.resolve("none.csv").toString())
                .failed(ExitCode.NO_INPUT);
    }

    private List<CliRun> allVerbs(Path dir) {
        List<CliRun> runs = new ArrayList<>();
        runs.add(CliRun.of("predict", dir.toString(), test.toString()));
        runs.add(CliRun.of("score", dir.toString(), test.toString()));
        runs.add(CliRun.of("report", dir.toString()));
        runs.add(CliRun.of("diagnose", dir.toString(), "--twins", "1"));
        return runs;
    }

    @Test
    void aFolderThatIsNoFitIsNoInput() {
        for (Path dir : List.of(folder.resolve("none"), folder, test)) {
            allVerbs(dir).forEach(run -> run.failed(ExitCode.NO_INPUT));
        }
    }

    static Stream<List<String>> damages() {
        return Stream.of(
                List.of("\"format\":\"tacit-posterior/1\"", "\"format\":\"tacit-posterior/9\""),
                List.of("\"mean\":[", "\"mean\":[1,"),
                List.of("\"mean\":[", "\"mean\":[\"4711\","),
                List.of("\"family\":\"gaussian\"", "\"family\":\"poisson\""),
                List.of("\"model\":\"logistic-regression\"", "\"model\":\"crystal-ball\""),
                List.of("\"model\":\"logistic-regression\"", "\"model\":\"linear-regression\""),
                List.of("\"target\":\"late\"", "\"target\":\"early\""),
                List.of("\"age\":{\"type\":\"number\"", "\"age\":{\"type\":\"colour\""),
                List.of("\"provenance\":\"simulated, not for release\"", "\"provenance\":\"fine\""));
    }

    @ParameterizedTest
    @MethodSource("damages")
    void aDamagedPosteriorIsBadData(List<String> damage) throws IOException {
        Path file = fit.resolve("posterior.json");
        String text = Files.readString(file);
        assertThat(text).contains(damage.get(0));
        String damaged = CheckedText.open(text, "posterior.json").replace(damage.get(0), damage.get(1));
        Files.writeString(file, CheckedText.seal(damaged) + "\n");
        for (CliRun run : allVerbs(fit)) {
            assertThat(run.failed(ExitCode.BAD_DATA).errors())
                    .contains("posterior.json")
                    .doesNotContain("4711");
        }
    }

    /** A later version may know neither the settings nor the method; what the model says about records stays. */
    @ParameterizedTest
    @MethodSource("laterVersions")
    void predictionDoesNotDependOnTheMethod(List<String> change) throws IOException {
        fit = folder.resolve("encoded");
        fitAndForget(fit, "--method", "residual-newton");
        String before = CliRun.of("predict", fit.toString(), test.toString())
                .succeeded()
                .output();
        Path file = fit.resolve("posterior.json");
        String text = CheckedText.open(Files.readString(file), "posterior.json");
        assertThat(text).contains(change.get(0));
        Files.writeString(file, CheckedText.seal(text.replace(change.get(0), change.get(1))) + "\n");
        assertThat(CliRun.of("predict", fit.toString(), test.toString())
                        .succeeded()
                        .output())
                .isEqualTo(before);
        CliRun.of("report", fit.toString()).succeeded();
        assertThat(CliRun.of("diagnose", fit.toString(), "--twins", "1")
                        .failed(ExitCode.BAD_DATA)
                        .errors())
                .contains("does not have");
    }

    static Stream<List<String>> laterVersions() {
        return Stream.of(
                List.of("\"rounds\":8", "\"rounds\":-8"),
                List.of("\"rounds\":8", "\"laps\":8"),
                List.of("\"rounds\":8", "\"rounds\":\"many\""),
                List.of("\"method\":\"residual-newton\"", "\"method\":\"crystal-ball\""));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 0.5, 0.99})
    void aTruncatedPosteriorIsBadData(double kept) throws IOException {
        Path file = fit.resolve("posterior.json");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, (int) (kept * text.length())));
        allVerbs(fit).forEach(run -> run.failed(ExitCode.BAD_DATA));
    }

    /** A changed number, a lost digit, bytes that are no text: none of them passes for what was written. */
    @Test
    void aChangedFileIsNoticed() throws IOException {
        for (String name : List.of("posterior.json", "release.json")) {
            Path file = fit.resolve(name);
            String text = Files.readString(file);
            for (String change : List.of("1", "0.", "7")) {
                int at = text.indexOf(change, text.length() / 3);
                Files.writeString(file, text.substring(0, at) + "3" + text.substring(at + 1));
                assertThat(CliRun.of("report", fit.toString())
                                .failed(ExitCode.BAD_DATA)
                                .errors())
                        .contains(name, "was changed");
            }
            Files.write(file, new byte[] {'{', (byte) 0xff, (byte) 0xfe});
            assertThat(CliRun.of("report", fit.toString())
                            .failed(ExitCode.BAD_DATA)
                            .errors())
                    .contains(name, "not text");
            Files.writeString(file, text);
            CliRun.of("report", fit.toString()).succeeded();
        }
    }

    /** The table that was fitted, whole or in part, is refused where the holder can tell, and only there. */
    @Test
    void theTrainingTableIsNoTestTable() throws IOException {
        List<String> rows = FitTables.loans(5000, 1);
        Path whole = tables.table("again.csv", rows);
        Path mostly = tables.table(
                "mostly.csv",
                Stream.concat(rows.stream().limit(700), FitTables.loans(400, 9).stream())
                        .toList());
        Path report = fit.resolve("report.html");
        String before = Files.readString(report);
        for (Path table : List.of(whole, mostly)) {
            for (CliRun run : List.of(
                    CliRun.of("score", fit.toString(), table.toString()),
                    CliRun.of("report", fit.toString(), "--test", table.toString()))) {
                assertThat(run.failed(ExitCode.BAD_DATA).errors())
                        .contains("that the fit came from", "--on-training-data");
                assertThat(run.output()).isEmpty();
            }
            assertThat(fit.resolve("report-test.html")).doesNotExist();
        }
        assertThat(CliRun.of("score", fit.toString(), whole.toString(), "--on-training-data")
                        .succeeded()
                        .output())
                .contains("does not cover them");
        assertThat(CliRun.of("score", fit.toString(), test.toString())
                        .succeeded()
                        .output())
                .contains("does not cover them", "at most half");
        CliRun.of("report", fit.toString(), "--test", test.toString()).succeeded();
        assertThat(fit.resolve("report-test.html")).isNotEmptyFile();
        assertThat(Files.readString(report)).isEqualTo(before);
        CliRun.of("report", fit.toString(), "--test", test.toString(), "--out", report.toString())
                .failed(ExitCode.USAGE);
        Files.delete(fit.resolve("sealed/records.json"));
        assertThat(CliRun.of("score", fit.toString(), whole.toString())
                        .succeeded()
                        .output())
                .contains("could not be compared");
    }

    /** Where everybody is like somebody else, new records are no sign of the old table; the table itself is. */
    @Test
    void recordsThatRepeatEachOtherAreNotTakenForTheTrainingTable() {
        Path schema = tables.write("coins.schema.yaml", FitTables.loansSchema(200));
        List<String> sides = List.of("50,500,miner,yes", "30,100,baker,no", "30,100,miner,no");
        Path table = tables.table(
                "coins.csv",
                Stream.generate(() -> sides).limit(70).flatMap(List::stream).toList());
        Path coins = folder.resolve("coins");
        FitTables.run(FitTables.fit(table, schema, coins, "--epsilon", "1", "--delta", "1e-5", "--simulate"))
                .succeeded();
        Path others = tables.table("others.csv", List.of(sides.get(1), sides.get(0), sides.get(0)));
        assertThat(CliRun.of("score", coins.toString(), others.toString())
                        .succeeded()
                        .output())
                .contains("repeat each other");
        CliRun.of("score", coins.toString(), table.toString()).failed(ExitCode.BAD_DATA);
    }

    @Test
    void predictionNeedsThePosteriorOnly() throws IOException {
        Files.writeString(fit.resolve("release.json"), "{");
        CliRun.of("predict", fit.toString(), test.toString()).succeeded();
        CliRun.of("score", fit.toString(), test.toString()).succeeded();
        CliRun.of("report", fit.toString()).failed(ExitCode.BAD_DATA);
        Files.delete(fit.resolve("release.json"));
        CliRun.of("diagnose", fit.toString()).failed(ExitCode.NO_INPUT);
    }
}
