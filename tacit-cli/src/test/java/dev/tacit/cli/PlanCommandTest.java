package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plan promises, from a schema alone. */
class PlanCommandTest {
    @TempDir
    private Path folder;

    private Map<?, ?> term(Map<String, Object> plan, String name) {
        return ((List<?>) plan.get("terms"))
                .stream()
                        .map(one -> (Map<?, ?>) one)
                        .filter(one -> one.get("term").equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    private static double width(Map<?, ?> term, int budget) {
        return (double) ((Map<?, ?>) ((List<?>) term.get("budgets")).get(budget)).get("width");
    }

    @Test
    void widthsShrinkWithTheBudgetTowardsThoseWithoutPrivacy() throws IOException {
        Path schema = new FitTables(folder).write("loans.schema.yaml", FitTables.loansSchema(4000));
        Path page = folder.resolve("plan.html");
        Map<String, Object> plan = CliRun.of(
                        "plan",
                        "--schema",
                        schema.toString(),
                        "--formula",
                        "late ~ age + job",
                        "--epsilon",
                        "0.5,50",
                        "--tables",
                        "1",
                        "--expected",
                        "0.5",
                        "--out",
                        page.toString(),
                        "--json")
                .succeeded()
                .json();
        assertThat(plan).containsEntry("delta", 1e-5).containsEntry("size", 4000L);
        Map<?, ?> job = term(plan, "job[baker]");
        double without = (double) job.get("widthWithoutPrivacy");
        // Two groups of 2000 records, half of the responses positive: sd = sqrt(2 / (2000 * 0.25)), rounded for the
        // effects.
        assertThat(without).isCloseTo(2 * 1.96 * Math.sqrt(2 / 500.0), within(0.02));
        assertThat(width(job, 0)).isGreaterThan(1.05 * without);
        assertThat(width(job, 1)).isBetween(without, 1.05 * without);
        Map<?, ?> prediction = (Map<?, ?>) plan.get("prediction");
        assertThat(prediction.get("metric")).isEqualTo("AUC");
        assertThat(Files.readString(page)).contains("What a fit would find").doesNotContain("<script");
    }

    @Test
    void whatCannotBePlannedIsSaid() {
        Path schema = new FitTables(folder).write("loans.schema.yaml", FitTables.loansSchema(400));
        String file = schema.toString();
        CliRun.of("plan", "--schema", file).failed(ExitCode.USAGE);
        CliRun.of("plan", "--schema", file, "--formula", "late ~ 1").failed(ExitCode.USAGE);
        CliRun.of("plan", "--schema", file, "--formula", "late ~ age", "--epsilon", "1,x")
                .failed(ExitCode.USAGE);
        CliRun.of("plan", "--schema", file, "--formula", "late ~ age", "--expected", "2")
                .failed(ExitCode.USAGE);
    }
}
