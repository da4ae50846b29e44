package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds that nobody declared are bought by the first release of the run that needs them. */
class FitBoundsTest {
    private static final int SIZE = 4000;
    private static final String OPEN =
            FitTables.loansSchema(SIZE).replace("[20, 80]", "PRIVATE").replace("[0, 1000]", "PRIVATE");

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path table;
    private Path schema;

    @BeforeEach
    void write() {
        tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(SIZE, 3));
        schema = tables.write("open.schema.yaml", OPEN);
    }

    private CliRun fit(String name, String... more) {
        List<String> args = FitTables.fit(
                table,
                schema,
                folder.resolve(name),
                "--epsilon",
                "4",
                "--delta",
                "1e-5",
                "--simulate",
                "--seed",
                "5",
                "--spend-on-bounds",
                "0.1");
        args.addAll(List.of(more));
        return FitTables.run(args);
    }

    private Map<String, Object> read(String name, String file) throws Exception {
        return CliRun.object(Json.read(Files.readString(folder.resolve(name).resolve(file))));
    }

    @Test
    void boundsAreBoughtOnceAndCoverTheValues() throws Exception {
        assertThat(fit("fit").succeeded().output())
                .contains("  bought    the bounds age [16, 128], debt [8, 1024].")
                .doesNotContain("resumes");
        Object inJson = CliRun.object(fit("again", "--json").succeeded().json().get("boughtBounds"))
                .get("age");
        assertThat(((List<?>) inJson).stream().map(bound -> ((Number) bound).doubleValue()))
                .isEqualTo(List.of(16.0, 128.0));
        Map<String, Object> columns = CliRun.object(
                CliRun.object(read("fit", "posterior.json").get("schema")).get("columns"));
        List<?> age = (List<?>) CliRun.object(columns.get("age")).get("bounds");
        assertThat(((Number) age.get(0)).doubleValue()).isEqualTo(16);
        assertThat(((Number) age.get(1)).doubleValue()).isEqualTo(128);
        List<?> debt = (List<?>) CliRun.object(columns.get("debt")).get("bounds");
        assertThat(((Number) debt.get(1)).doubleValue()).isEqualTo(1024);

        Map<String, Object> release = read("fit", "release.json");
        assertThat(release).containsEntry("boundsReleases", 1L);
        assertThat((List<?>) release.get("notes")).hasSize(12);
        assertThat((double) release.get("epsilon")).isBetween(3.99, 4.0);
        LedgerFile ledger = LedgerFile.read(folder.resolve("fit/sealed/simulation.ledger"));
        assertThat(ledger.entries()).hasSize(1);
        assertThat(ledger.entries().get(0).released()).isEqualTo(12);
    }

    @Test
    void aRunThatWasInterruptedAfterItBoughtBoundsDoesNotBuyThemAgain() throws Exception {
        fit("whole").succeeded();
        fit("cut").succeeded();
        Path cut = folder.resolve("cut");
        for (String file : List.of("posterior.json", "release.json", "privacy-statement.txt", "report.html")) {
            Files.delete(cut.resolve(file));
        }
        Files.delete(cut.resolve("sealed/checkpoint.json"));
        fit("cut", "--resume").succeeded();
        assertThat(cut.resolve("posterior.json"))
                .hasSameBinaryContentAs(folder.resolve("whole").resolve("posterior.json"));
        assertThat(LedgerFile.read(cut.resolve("sealed/simulation.ledger")).entries())
                .hasSize(1);
    }

    /** Columns of a named model are kept as a formula, and a formula that somebody writes down may not have bounds to be bought. */
    @Test
    void theFolderAloneIsEnoughToGoOnWithBoughtBounds() throws Exception {
        for (String name : List.of("whole", "cut", "again")) {
            CliRun.of(
                            "fit",
                            table.toString(),
                            "--schema",
                            schema.toString(),
                            "--model",
                            "logistic-regression",
                            "--epsilon",
                            "4",
                            "--delta",
                            "1e-5",
                            "--simulate",
                            "--seed",
                            "5",
                            "--spend-on-bounds",
                            "0.1",
                            "--no-twins",
                            "--out",
                            folder.resolve(name).toString())
                    .succeeded();
        }
        for (String name : List.of("cut", "again")) {
            Path cut = folder.resolve(name);
            for (String file : List.of("posterior.json", "release.json", "privacy-statement.txt", "report.html")) {
                Files.delete(cut.resolve(file));
            }
            List<String> resume = new ArrayList<>(List.of("fit", "--resume", "--no-twins", "--out", cut.toString()));
            if (name.equals("again")) {
                resume.addAll(List.of("--schema", schema.toString()));
            }
            CliRun.of(resume.toArray(String[]::new)).succeeded();
            assertThat(cut.resolve("posterior.json"))
                    .hasSameBinaryContentAs(folder.resolve("whole").resolve("posterior.json"));
        }
    }

    @Test
    void aFitWithBoughtBoundsIsReportedAndDiagnosed() {
        fit("fit").succeeded();
        CliRun.of("report", folder.resolve("fit").toString()).succeeded();
        CliRun.of("diagnose", folder.resolve("fit").toString(), "--twins", "1").succeeded();
    }

    /** However many phases the rest has and whatever they weigh, the bounds get the share that was asked for. */
    @Test
    void boundsGetTheShareThatWasAskedFor() throws Exception {
        fit("fit").succeeded();
        List<Double> spent = new ArrayList<>();
        for (Object each : (List<?>) read("fit", "release.json").get("phases")) {
            Map<String, Object> phase = CliRun.object(each);
            double noise = ((Number) phase.get("relativeNoise")).doubleValue();
            spent.add(((Number) phase.get("times")).doubleValue() / (noise * noise));
        }
        double all = spent.stream().mapToDouble(Double::doubleValue).sum();
        assertThat(spent.get(0) / all).isEqualTo(0.1, within(1e-12));
        assertThat(spent.get(1) / (all - spent.get(0))).isEqualTo(UsableCount.SHARE, within(1e-12));
    }

    @Test
    void thereMustBeSomethingToBuy() {
        schema = tables.write("closed.schema.yaml", FitTables.loansSchema(SIZE));
        fit("fit").failed(ExitCode.USAGE);
        assertThat(folder.resolve("fit")).doesNotExist();
    }
}
