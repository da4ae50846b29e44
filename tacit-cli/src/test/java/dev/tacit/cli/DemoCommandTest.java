package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
    private static final long REPORT_BYTES = 3_000_000;

    /** Of the one demo that most tests look at. */
    @TempDir
    private static Path out;

    private static String output;

    @TempDir
    private Path folder;

    @BeforeAll
    static void runTheDemo() {
        output = CliRun.of("demo", "--out", out.toString()).succeeded().output();
    }

    @Test
    void itFitsScoresAndSaysWhatItWroteAndSpent() {
        assertThat(output)
                .contains("do not exist", "private-likelihood", "epsilon 1 at delta 1e-6", "missed_payments")
                .contains("odds ratio", "employment: self-employed", "vs employed")
                .contains("held the truth in", "declared records were usable (give or take ")
                .contains("epsilon <= 1 at delta 1e-6, for the only run in the ledger", "report.html")
                .containsPattern("AUC 0\\.(7[5-9]|8[0-4])");
        for (String file : List.of("loans.csv", "loans-test.csv", "loans.schema.yaml", "loans.ledger")) {
            assertThat(out.resolve(file)).isNotEmptyFile();
        }
        for (String file : List.of("posterior.json", "release.json", "privacy-statement.txt", "report.html")) {
            assertThat(out.resolve("fit").resolve(file)).isNotEmptyFile();
        }
        CliRun.of("ledger", "verify", out.resolve("loans.ledger").toString()).succeeded();
    }

    /** One file, no script, nothing that a browser would fetch. */
    @Test
    void theReportNeedsNoNetwork() throws Exception {
        assertThat(Files.readString(out.resolve("fit/report.html"))).doesNotContain("loans-test.csv");
        Path report = out.resolve("fit/report-test.html");
        assertThat(Files.size(report)).isLessThan(REPORT_BYTES);
        String html = Files.readString(report);
        assertThat(html)
                .contains("default-src 'none'", "8000 records of loans-test.csv")
                .doesNotContain("<script", "<iframe", "<object", "<embed", "@import", "//")
                .doesNotContainPattern("(src|href)\\s*=\\s*[\"'](?!data:|#)")
                .doesNotContainPattern("url\\((?!#)");
    }

    @Test
    void withoutAFolderItMakesOneAndAsJsonItIsOneObject() throws Exception {
        Map<String, Object> answer = CliRun.of("demo", "--json").succeeded().json();
        assertThat(answer)
                .containsEntry("synthetic", true)
                .containsEntry("provenance", "releasable")
                .containsEntry("delta", 1e-6)
                .containsEntry("ledgerEntries", 1L);
        assertThat((double) answer.get("epsilon")).isGreaterThan(0.99).isLessThanOrEqualTo(1);
        assertThat(CliRun.object(answer.get("scores")))
                .containsOnlyKeys("accuracy", "auc", "logLikelihood", "brier", "ece");
        Path made = Path.of((String) answer.get("out")).getParent();
        assertThat(made.getFileName().toString()).startsWith("tacit-demo-");
        try (Stream<Path> files = Files.walk(made)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** The commands that the demo stands for do the same from its files, and what both cost is said. */
    @Test
    void itsFilesCanBeFittedByHand() throws Exception {
        CliRun.of(
                        "fit",
                        out.resolve("loans.csv").toString(),
                        "--schema",
                        out.resolve("loans.schema.yaml").toString(),
                        "--model",
                        "logistic-regression",
                        "--epsilon",
                        "1",
                        "--delta",
                        "1e-6",
                        "--no-twins",
                        "--out",
                        folder.resolve("again").toString())
                .succeeded();
        assertThat(Files.readString(folder.resolve("again/privacy-statement.txt"))
                        .replaceAll("\\s+", " "))
                .contains("2 entries, of which this run is number 2: together at most epsilon 1.639 at delta 1e-6");
    }

    @Test
    void itOverwritesNothing() throws Exception {
        Path mine = Files.writeString(folder.resolve("loans.csv"), "mine");
        assertThat(CliRun.of("demo", "--out", folder.toString())
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("--out");
        assertThat(mine).hasContent("mine");
        String ledger = Files.readString(out.resolve("loans.ledger"));
        CliRun.of("demo", "--out", out.toString()).failed(ExitCode.CONFIG);
        assertThat(Files.readString(out.resolve("loans.ledger"))).isEqualTo(ledger);
    }
}
