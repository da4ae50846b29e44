package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.RandomStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rates by {@code offset(log(years))}: from a table to rate ratios and predictions. */
class FitRatesTest {
    private static final String FORMULA = "deaths ~ age + offset(log(years))";
    private static final int ROWS = 3000;

    @TempDir
    private Path folder;

    private Path table;
    private Path schema;

    @BeforeEach
    void writeTable() {
        RandomStream random = RandomStream.ofSeed(8);
        StringBuilder csv = new StringBuilder("age,years,deaths\n");
        for (int r = 0; r < ROWS; r++) {
            double age = 30 + 50 * random.uniform();
            double years = Math.max(0.1, 9 - 0.1 * age + 4 * random.uniform());
            int deaths = 0;
            for (double waited = random.gamma(1); waited < years * Math.exp(-1.2 + 0.04 * (age - 55)); ) {
                deaths++;
                waited += random.gamma(1);
            }
            csv.append(String.format(Locale.ROOT, "%.1f,%.3f,%d%n", age, years, deaths));
        }
        FitTables tables = new FitTables(folder);
        table = tables.write("rates.csv", csv.toString());
        schema = tables.write("rates.schema.yaml", """
                unit: record
                size: %d
                columns:
                  age: {type: number, bounds: [20, 90]}
                  years: {type: number, bounds: [0.1, 15]}
                  deaths: {type: count, bounds: [0, 40]}
                """.formatted(ROWS));
    }

    private CliRun fit(String formula) {
        return CliRun.of(
                "fit",
                table.toString(),
                "--schema",
                schema.toString(),
                "--formula",
                formula,
                "--epsilon",
                "4",
                "--delta",
                "1e-5",
                "--out",
                folder.resolve("fit").toString());
    }

    @Test
    void ratesAndTheirPredictions() {
        assertThat(fit(FORMULA).succeeded().output()).contains(FORMULA).contains("rate ratio");
        Map<?, ?> age = ((List<?>) CliRun.of("summary", folder.resolve("fit").toString(), "--json")
                        .succeeded()
                        .json()
                        .get("terms"))
                .stream()
                        .map(term -> (Map<?, ?>) term)
                        .filter(term -> term.get("term").equals("age"))
                        .findFirst()
                        .orElseThrow();
        // Without the offset it would be 0.04 less what fewer years take away: below 0.02.
        assertThat((double) age.get("mean")).isCloseTo(0.04, within(0.008));
        Path people = new FitTables(folder).write("new.csv", "age,years\n55,1\n55,10\n");
        List<String> lines = CliRun.of("predict", folder.resolve("fit").toString(), people.toString())
                .succeeded()
                .output()
                .lines()
                .toList();
        assertThat(lines.get(0)).isEqualTo("mean,sd,lower,upper");
        double[] one = numbers(lines.get(1));
        double[] ten = numbers(lines.get(2));
        assertThat(one[0]).isCloseTo(Math.exp(-1.2), within(0.06));
        for (int i : new int[] {0, 2, 3}) {
            assertThat(ten[i]).isCloseTo(10 * one[i], within(1e-9 * ten[i]));
        }
        assertThat(one[0]).isBetween(one[2], one[3]);
        Path held = new FitTables(folder).write("held.csv", "age,years,deaths\n55,1,0\n61,10,4\n48.5,3,1\n");
        CliRun.of("score", folder.resolve("fit").toString(), held.toString()).succeeded();
        CliRun.of(
                        "refit",
                        folder.resolve("fit").toString(),
                        "--prior",
                        "age ~ normal(0, 0.01)",
                        "--no-twins",
                        "--out",
                        folder.resolve("refit").toString())
                .succeeded();
    }

    private static double[] numbers(String line) {
        return java.util.Arrays.stream(line.split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Test
    void anOffsetThatIsTheSameForEveryoneIsRefusedBeforeTheCharge() {
        CliRun run = fit("deaths ~ age + offset(log(2))");
        assertThat(run.exitCode()).isNotZero();
        assertThat(run.errors()).contains("offset");
        assertThat(folder.resolve("fit")).doesNotExist();
    }
}
