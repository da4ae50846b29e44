package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.numerics.RandomStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times to an event by {@code Surv(time, event, cuts)}: hazard ratios, baseline, survival at a time. */
class FitSurvivalTest {
    private static final String FORMULA = "Surv(months, died, cuts = c(6, 12)) ~ age + arm";
    private static final int ROWS = 4000;

    @TempDir
    private Path folder;

    private Path table;
    private Path schema;

    /** Hazards 0.03, then 0.015 from the sixth month on, at 55 years; 0.6 times that in the arm drug. */
    @BeforeEach
    void writeTable() {
        RandomStream random = RandomStream.ofSeed(8);
        StringBuilder csv = new StringBuilder("age,arm,months,died\n");
        for (int r = 0; r < ROWS; r++) {
            double age = 30 + 50 * random.uniform();
            boolean drug = random.uniform() < 0.5;
            double ratio = Math.exp(0.03 * (age - 55)) * (drug ? 0.6 : 1);
            double needed = -Math.log(random.openUniform()) / ratio;
            double event = needed < 6 * 0.03 ? needed / 0.03 : 6 + (needed - 6 * 0.03) / 0.015;
            double censored = Math.min(36, 3 + 50 * random.uniform());
            csv.append(String.format(
                    Locale.ROOT,
                    "%.1f,%s,%.4f,%s%n",
                    age,
                    drug ? "drug" : "control",
                    Math.min(event, censored),
                    event < censored ? "yes" : "no"));
        }
        FitTables tables = new FitTables(folder);
        table = tables.write("trial.csv", csv.toString());
        schema = tables.write("trial.schema.yaml", """
                unit: record
                size: %d
                columns:
                  age: {type: number, bounds: [20, 90]}
                  arm: {type: category, categories: [control, drug], other: false}
                  months: {type: number, bounds: [0, 36]}
                  died: {type: binary, positive: "yes", negative: "no"}
                """.formatted(ROWS));
    }

    private CliRun fit(String formula, String... more) {
        List<String> args = new ArrayList<>(List.of(
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
                folder.resolve("fit").toString()));
        args.addAll(List.of(more));
        return CliRun.of(args.toArray(String[]::new));
    }

    private double term(String name) {
        return ((List<?>) CliRun.of("summary", folder.resolve("fit").toString(), "--json")
                        .succeeded()
                        .json()
                        .get("terms"))
                .stream()
                        .map(one -> (Map<?, ?>) one)
                        .filter(one -> one.get("term").equals(name))
                        .mapToDouble(one -> (double) one.get("mean"))
                        .findFirst()
                        .orElseThrow();
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Test
    void hazardRatiosBaselineAndSurvival() {
        assertThat(fit(FORMULA).succeeded().output())
                .contains("hazard ratio")
                .contains("piecewise-exponential (log)")
                .contains("baseline: 6 to 12")
                .doesNotContain("censoring");
        assertThat(term("age")).isCloseTo(0.03, within(0.01));
        assertThat(term("arm[drug]")).isCloseTo(Math.log(0.6), within(0.25));
        double at55 = 55 * term("age");
        assertThat(term("baseline[0 to 6]") + at55).isCloseTo(Math.log(0.03), within(0.25));
        assertThat(term("baseline[12 to 36]") + at55).isCloseTo(Math.log(0.015), within(0.25));
        String fitted = folder.resolve("fit").toString();
        Path people = new FitTables(folder).write("new.csv", "age,arm\n55,control\n55,drug\n");
        List<String> lines = CliRun.of("predict", fitted, people.toString(), "--at", "6,24")
                .succeeded()
                .output()
                .lines()
                .toList();
        assertThat(lines.get(0)).isEqualTo("survival_6,lower_6,upper_6,survival_24,lower_24,upper_24");
        double[] control = numbers(lines.get(1));
        assertThat(control[0]).isCloseTo(Math.exp(-0.18), within(0.05)).isBetween(control[1], control[2]);
        assertThat(control[3])
                .isCloseTo(Math.exp(-0.18 - 18 * 0.015), within(0.06))
                .isBetween(control[4], control[5]);
        assertThat(numbers(lines.get(2))[3]).isGreaterThan(control[3]);
        Path held = new FitTables(folder)
                .write("held.csv", "age,arm,months,died\n80,control,2,yes\n30,drug,36,no\n35,drug,20,yes\n");
        assertThat(CliRun.of("score", fitted, held.toString()).succeeded().output())
                .contains("concordance");
        CliRun.of("predict", fitted, people.toString(), "--at", "40").failed(ExitCode.USAGE);
        CliRun.of(
                        "refit",
                        fitted,
                        "--prior",
                        "age ~ normal(0, 0.01)",
                        "--no-twins",
                        "--out",
                        folder.resolve("refit").toString())
                .succeeded();
    }

    @Test
    void whatIsWrongIsSaidBeforeTheCharge() {
        fit(FORMULA, "--family", "poisson").failed(ExitCode.USAGE);
        fit("months ~ age", "--family", "piecewise-exponential").failed(ExitCode.USAGE);
        assertThat(fit("Surv(months, died, cuts = c(12, 6)) ~ age").errors())
                .contains("cut points")
                .endsWith("^\n");
        assertThat(fit("Surv(months, died) ~ age + months").errors())
                .contains("cannot stand among the terms")
                .endsWith("^\n");
        assertThat(folder.resolve("fit")).doesNotExist();
    }
}
