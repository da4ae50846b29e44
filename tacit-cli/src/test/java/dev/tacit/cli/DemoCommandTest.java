package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.privacy.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
    /**
     * The chance that a mean is off by more than this many standard deviations (a bound) is below 1e-12 for Gaussian
     * errors.
     */
    private static final double STANDARD_DEVIATIONS = 8;

    @TempDir
    private Path folder;

    @Test
    void theDemoReleasesWithinTheBudgetAndIsRefusedMore() throws Exception {
        Path out = folder.resolve("new/demo");
        String output = CliRun.of("demo", "--out", out.toString()).succeeded().output();
        assertThat(output)
                .contains("synthetic")
                .contains("epsilon <= ")
                .contains("refused")
                .contains("exhausted")
                .contains(out.toString());
        for (String file :
                List.of("people.csv", "ledger.jsonl", "release.json", "privacy-statement.txt", "accounting.html")) {
            assertThat(output).contains(file);
            assertThat(out.resolve(file)).isNotEmptyFile();
        }
        try (var files = Files.list(out)) {
            assertThat(files).hasSize(5);
        }
        assertThat(Files.readString(out.resolve("privacy-statement.txt")))
                .contains("protects", "promise", "Poisson", "excludes");
    }

    @Test
    void theMeansAreNearTheTruthAndNotTheTruth() {
        CliRun run = CliRun.of("demo", "--out", folder.toString(), "--json").succeeded();
        Map<String, Object> answer = run.json();
        assertThat((double) answer.get("epsilon")).isLessThanOrEqualTo(1).isGreaterThan(0.99);
        assertThat(answer)
                .containsEntry("delta", 1e-6)
                .containsEntry("synthetic", true)
                .containsKey("refusal");
        DemoTable table = new DemoTable();
        List<?> means = (List<?>) answer.get("means");
        for (int column = 0; column < means.size(); column++) {
            Map<String, Object> mean = CliRun.object(means.get(column));
            double error = (double) mean.get("mean") - table.trueMean(column);
            assertThat(Math.abs(error)).isLessThan(STANDARD_DEVIATIONS * (double) mean.get("standardDeviation"));
            assertThat(error).isNotZero();
        }
    }

    @Test
    void everyRunDrawsFreshNoise() throws Exception {
        CliRun.of("demo", "--out", folder.resolve("a").toString()).succeeded();
        CliRun.of("demo", "--out", folder.resolve("b").toString()).succeeded();
        assertThat(folder.resolve("a/people.csv")).hasSameBinaryContentAs(folder.resolve("b/people.csv"));
        Map<String, Object> first = CliRun.object(Json.read(Files.readString(folder.resolve("a/release.json"))));
        Map<String, Object> second = CliRun.object(Json.read(Files.readString(folder.resolve("b/release.json"))));
        assertThat(first.get("means")).isNotEqualTo(second.get("means"));
        assertThat(first.get("noiseMultiplier")).isEqualTo(second.get("noiseMultiplier"));
    }

    @Test
    void aSpentLedgerIsNotSpentAgain() throws Exception {
        CliRun.of("demo", "--out", folder.toString()).succeeded();
        String ledger = Files.readString(folder.resolve("ledger.jsonl"));
        String release = Files.readString(folder.resolve("release.json"));
        CliRun run = CliRun.of("demo", "--out", folder.toString()).failed(ExitCode.BUDGET_EXHAUSTED);
        assertThat(run.errors()).contains("--out");
        assertThat(Files.readString(folder.resolve("ledger.jsonl"))).isEqualTo(ledger);
        assertThat(Files.readString(folder.resolve("release.json"))).isEqualTo(release);
    }

    @Test
    void withoutAFolderItMakesOne() throws Exception {
        String output = CliRun.of("demo").succeeded().output();
        String wrote = output.lines()
                .filter(line -> line.startsWith("wrote "))
                .findFirst()
                .orElseThrow();
        Path out = Path.of(wrote.substring("wrote ".length()));
        assertThat(out).isDirectoryContaining("glob:**ledger.jsonl");
        try (var files = Files.list(out)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(out);
    }
}
