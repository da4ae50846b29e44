package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code tacit fit --method dp-sep} from a table with a schema, for every model that has it. */
class StochasticEpFitTest {
    @TempDir
    private Path folder;

    /** Two groups of people; who is in the second one mostly says yes. */
    private Path schema(String target, String ignored) throws IOException {
        StringBuilder csv = new StringBuilder("yes,income,age,height\n");
        for (int row = 0; row < 600; row++) {
            boolean second = row % 2 == 0;
            csv.append(row % 7 == 0 ? second ? 0 : 1 : second ? 1 : 0)
                    .append(',')
                    .append((second ? 70 : 30) + row % 10)
                    .append(',')
                    .append((second ? 60 : 25) + row % 6)
                    .append(',')
                    .append(1.6 + row % 5 / 50.0)
                    .append('\n');
        }
        Files.writeString(folder.resolve("table.csv"), csv);
        String text = """
                unit: record
                size: 600
                %s
                columns:
                  yes: {type: binary, positive: "1"}
                  income: {type: number, bounds: [0, 100]}
                  age: {type: number, bounds: [0, 100]}
                  height: {type: number, bounds: [1, 2]}
                """.formatted(target);
        for (String column : ignored.split(" ", -1)) {
            text = text.replaceAll("(?m)^  " + column + ": .*$", "  " + column + ": {type: ignore}");
        }
        return Files.writeString(folder.resolve("schema.yaml"), text);
    }

    private CliRun fit(String model, Path schema, String out, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "fit",
                folder.resolve("table.csv").toString(),
                "--schema",
                schema.toString(),
                "--model",
                model,
                "--method",
                "dp-sep",
                "--epsilon",
                "2",
                "--delta",
                "1e-5",
                "--simulate",
                "--seed",
                "5",
                "--out",
                folder.resolve(out).toString()));
        arguments.addAll(List.of(more));
        return CliRun.of(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "mixture, '', yes height, component-1.income",
        "logistic-regression, target: yes, income, age",
        "probit-regression, target: yes, income, age",
        "linear-regression, target: income, yes, weights.age"
    })
    void modelsAreFittedFromTables(String model, String target, String ignored, String parameter) throws IOException {
        Path schema = schema(target, ignored);
        CliRun run = fit(model, schema, "fit").succeeded();
        assertThat(run.output()).contains(parameter);
        assertThat(folder.resolve("fit").resolve("posterior.json")).exists();
        assertThat(folder.resolve("fit").resolve("report.html")).exists();
        String table = folder.resolve("table.csv").toString();
        CliRun.of("score", folder.resolve("fit").toString(), table, "--on-training-data")
                .succeeded();
        CliRun.of("predict", folder.resolve("fit").toString(), table).succeeded();
        fit(model, schema, "learned", "--set", "precision=learned").succeeded();
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() throws IOException {
        Path schema = schema("", "yes height");
        for (String setting : List.of("components=1", "step=2", "precision=guessed", "startShare=1", "unknown=1")) {
            fit("mixture", schema, "none", "--set", setting).failed(ExitCode.USAGE);
            assertThat(folder.resolve("none")).doesNotExist();
        }
        fit("probit-regression", schema, "none").failed(ExitCode.USAGE);
    }
}
