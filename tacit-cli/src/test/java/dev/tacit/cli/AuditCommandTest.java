package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Few runs, which are enough for the exact layers and for the control by its residuals. */
class AuditCommandTest {
    private static final int ROWS = 200;

    @TempDir
    private Path folder;

    private Path fit;
    private Path schema;
    private Path table;

    @BeforeEach
    void tables() {
        FitTables tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(ROWS, 1));
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(ROWS));
        fit = folder.resolve("fit");
    }

    private void fit(String... more) {
        FitTables.run(FitTables.fit(table, schema, fit, more)).succeeded();
    }

    @Test
    void aFitIsAuditedWithoutItsRecords() throws IOException {
        fit("--method", "residual-newton", "--epsilon", "1", "--delta", "1e-5", "--no-twins");
        Files.move(table, folder.resolve("elsewhere.csv"));
        Files.writeString(fit.resolve("canaries.json"), """
                {"canaries": 64, "guesses": 32, "right": 20, "claimedEpsilon": 1, "delta": 1e-5, "auditedEpsilon": 0,
                 "confidence": 0.999}
                """);
        Map<String, Object> json = CliRun.of("audit", fit.toString(), "--runs", "200", "--json")
                .succeeded()
                .json();
        assertThat(json)
                .containsEntry("delta", 1e-5)
                .containsEntry("confidence", 0.999)
                .containsEntry("runs", 200L)
                .containsKey("layers");
        double claimed = ((Number) json.get("claimedEpsilon")).doubleValue();
        assertThat(claimed).isBetween(0.9, 1.0);
        assertThat(((Number) json.get("auditedEpsilon")).doubleValue()).isBetween(0.0, claimed);
        assertThat((Map<?, ?>) json.get("control")).extracting("caught").isEqualTo(true);
        List<Object> names = new ArrayList<>();
        ((List<?>) json.get("layers")).forEach(layer -> names.add(((Map<?, ?>) layer).get("layer")));
        assertThat(names)
                .containsExactly("claim", "exact", "batches", "resume", "reader", "transcript", "black box", "one run");
        assertThat((List<?>) json.get("layers"))
                .allSatisfy(
                        layer -> assertThat(((Map<?, ?>) layer).get("defects")).isEqualTo(List.of()));
        assertThat(fit.resolve("audit.html")).doesNotExist();
        assertThat(Files.readString(fit.resolve("audit.json"))).contains("\"claimedEpsilon\"");
        String page = Files.readString(fit.resolve("report.html"));
        assertThat(page)
                .contains("What an attacker gets", "The claimed curve and the audited points", "cannot prove one")
                .contains(">transcript<", ">control<")
                .doesNotContain("verified", "<script");
        List<?> points = (List<?>) json.get("points");
        long notRare = points.stream()
                .filter(point -> ((Number) ((Map<?, ?>) point).get("likelyAtLeast")).doubleValue() >= 1e-4)
                .count();
        assertThat(rings(page)).isPositive().isEqualTo(points.size() + notRare);
        CliRun.of("report", fit.toString()).succeeded();
        assertThat(Files.readString(fit.resolve("report.html"))).isEqualTo(page);
        anAuditOfAnotherClaimIsSaidAndNotShown();
    }

    /** How many points of an attack are drawn: all in the first chart, those that are not too rare in the second. */
    private static long rings(String page) {
        return page.split("<circle class=\"line s1\"", -1).length - 1L;
    }

    private void anAuditOfAnotherClaimIsSaidAndNotShown() throws IOException {
        Path file = fit.resolve("audit.json");
        String audit = Files.readString(file);
        Files.writeString(file, audit.replace("\"claimedEpsilon\":0", "\"claimedEpsilon\":1"));
        assertThat(report()).contains("changed since it was written").doesNotContain("audited points");
        Files.move(folder.resolve("elsewhere.csv"), table);
        Path first = folder.resolve("first");
        Files.move(fit, first);
        fit("--method", "residual-newton", "--epsilon", "1", "--delta", "1e-5", "--no-twins");
        Files.writeString(file, audit);
        assertThat(report()).contains("an audit of another fit").doesNotContain("audited points");
    }

    private String report() throws IOException {
        CliRun run = CliRun.of("report", fit.toString()).succeeded();
        assertThat(run.output()).contains("not shown");
        return Files.readString(fit.resolve("report.html"));
    }

    @Test
    void aPlanIsAuditedAndSaysWhatItIs() {
        Path out = folder.resolve("audit");
        String said = CliRun.of(
                        "audit",
                        "--plan",
                        schema.toString(),
                        "--model",
                        "logistic-regression",
                        "--method",
                        "private-vb",
                        "--set",
                        "steps=2",
                        "--epsilon",
                        "4",
                        "--delta",
                        "1e-2",
                        "--runs",
                        "300",
                        "--query-points",
                        "4",
                        "--out",
                        out.toString())
                .succeeded()
                .output();
        assertThat(said.replaceAll("\\s+", " "))
                .contains("epsilon at most 4 at delta 0.01")
                .contains("epsilon at least")
                .contains("asking what 4 runs of the method asked")
                .contains("An audit can contradict a claim; it cannot prove one.")
                .doesNotContain("verified");
        assertThat(out.resolve("audit.html"))
                .content()
                .contains("What an attacker gets", "<svg")
                .doesNotContain("verified", "<script");
    }

    @Test
    void theViewOfACoordinatorIsAudited() {
        String[] plan = {
            "audit",
            "--plan",
            schema.toString(),
            "--model",
            "logistic-regression",
            "--method",
            "residual-newton",
            "--epsilon",
            "4",
            "--delta",
            "1e-2",
            "--runs",
            "200",
            "--parties",
            "5",
            "--colluders",
            "2"
        };
        assertThat(CliRun.of(plan).succeeded().output().replaceAll("\\s+", " "))
                .contains("by 5 parties who share the noise (2 collude, 0 missing)")
                .contains("No evidence against the claim");
        List<String> tooMany = new ArrayList<>(List.of(plan));
        tooMany.addAll(List.of("--dropouts", "3"));
        assertThat(CliRun.of(tooMany.toArray(String[]::new))
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("neither colludes nor drops out");
    }

    @Test
    void whatIsNotSaidIsAskedFor() {
        assertThat(CliRun.of("audit").failed(ExitCode.USAGE).errors()).contains("say what to audit");
        assertThat(CliRun.of("audit", "--plan", schema.toString(), "--model", "logistic-regression")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--plan needs the budget");
        assertThat(CliRun.of("audit", folder.resolve("nothing").toString())
                        .failed(ExitCode.NO_INPUT)
                        .errors())
                .contains("nothing");
    }

    @Test
    void aFitWithoutPrivacyClaimsNothing() {
        fit("--method", "residual-newton", "--not-private", "--no-twins");
        assertThat(CliRun.of("audit", fit.toString()).failed(ExitCode.BAD_DATA).errors())
                .contains("claims nothing");
    }
}
