package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Summaries and comparisons of fits without a formula, and what is refused. */
class SummaryCommandTest {
    @TempDir
    private Path folder;

    @Test
    void fitsAreSummarisedAndCompared() {
        FitTables tables = new FitTables(folder);
        Path table = tables.table("loans.csv", FitTables.loans(2000, 1));
        Path schema = tables.write("loans.schema.yaml", FitTables.loansSchema(2000));
        for (String epsilon : List.of("1", "8")) {
            FitTables.run(FitTables.fit(
                            table,
                            schema,
                            folder.resolve("fit" + epsilon),
                            "--method",
                            "residual-newton",
                            "--epsilon",
                            epsilon,
                            "--delta",
                            "1e-5"))
                    .succeeded();
        }
        String first = folder.resolve("fit1").toString();
        String second = folder.resolve("fit8").toString();
        assertThat(CliRun.of("summary", first, "--exp").succeeded().output())
                .contains("bernoulli (logit), 2,000 declared records, epsilon 1 at delta 1e-5")
                .contains("odds ratio  95 % interval")
                .contains("encoded");
        Map<String, Object> json = CliRun.of("summary", first, "--json", "--level", "0.8")
                .succeeded()
                .json();
        assertThat(json).containsEntry("level", 0.8);
        assertThat((List<?>) json.get("terms")).hasSize(5);
        Map<String, Object> compared =
                CliRun.of("compare", first, second, "--json").succeeded().json();
        Map<?, ?> term = (Map<?, ?>) ((List<?>) compared.get("terms")).get(0);
        assertThat((double) term.get("widthRatio")).isLessThan(1);
        assertThat(CliRun.of("compare", first, second).succeeded().output()).contains("times as wide");
        CliRun.of("summary", first, "--level", "2").failed(ExitCode.USAGE);
        CliRun.of("summary", first, "--csv", "--json").failed(ExitCode.USAGE);
        CliRun.of("summary", folder.resolve("nowhere").toString()).failed(ExitCode.NO_INPUT);
    }
}
