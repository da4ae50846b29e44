package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.numerics.RandomStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A response of unordered levels, from a file to odds ratios, predictions, scores, a plan and another prior. */
class FitMultinomialTest {
    private static final String FORMULA = "job ~ age + sex";
    private static final int ROWS = 4000;

    @TempDir
    private Path folder;

    private Path table;
    private Path schema;

    /** Against miner at 45 years: clerk 0.4 + 0.04 a year − 0.8 for men, cook −0.3 − 0.03 a year + 0.5 for men. */
    @BeforeEach
    void writeTable() {
        RandomStream random = RandomStream.ofSeed(9);
        StringBuilder csv = new StringBuilder("age,sex,job,town\n");
        for (int r = 0; r < ROWS; r++) {
            double age = 20 + 50 * random.uniform();
            boolean male = random.uniform() < 0.5;
            double clerk = Math.exp(0.4 + 0.04 * (age - 45) - (male ? 0.8 : 0));
            double cook = Math.exp(-0.3 - 0.03 * (age - 45) + (male ? 0.5 : 0));
            double u = random.uniform() * (1 + clerk + cook);
            csv.append(String.format(
                    Locale.ROOT,
                    "%.1f,%s,%s,a%n",
                    age,
                    male ? "male" : "female",
                    u < clerk ? "clerk" : u < clerk + cook ? "cook" : "miner"));
        }
        FitTables tables = new FitTables(folder);
        table = tables.write("jobs.csv", csv.toString());
        schema = tables.write("jobs.schema.yaml", """
                unit: record
                size: %d
                columns:
                  age: {type: number, bounds: [18, 80]}
                  sex: {type: category, categories: [female, male], other: false}
                  job: {type: category, categories: [clerk, miner, cook], reference: miner, other: false}
                  town: {type: category, categories: [a, b, c], other: true}
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
                "--family",
                "multinomial",
                "--epsilon",
                "4",
                "--delta",
                "1e-5",
                "--out",
                folder.resolve("fit").toString()));
        args.addAll(List.of(more));
        return CliRun.of(args.toArray(String[]::new));
    }

    private static double term(Map<?, ?> summary, String name) {
        return ((List<?>) summary.get("terms"))
                .stream()
                        .map(one -> (Map<?, ?>) one)
                        .filter(one -> one.get("term").equals(name))
                        .mapToDouble(one -> (double) one.get("mean"))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void fromAFileToOddsRatiosAndPredictions() throws Exception {
        String output = fit(FORMULA).succeeded().output();
        assertThat(output)
                .contains("odds ratio")
                .contains("multinomial (softmax)")
                .contains("job[clerk]:age");
        String fitted = folder.resolve("fit").toString();
        Map<?, ?> summary = CliRun.of("summary", fitted, "--json").succeeded().json();
        assertThat(((List<?>) summary.get("terms"))
                        .stream()
                                .map(one -> ((Map<?, ?>) one).get("term") + " " + ((Map<?, ?>) one).get("unit"))
                                .toList()
                                .toString())
                .isEqualTo("[job[clerk]:(Intercept) at 0, job[clerk]:age per 1, job[clerk]:sex[male] vs female,"
                        + " job[cook]:(Intercept) at 0, job[cook]:age per 1, job[cook]:sex[male] vs female]");
        assertThat(term(summary, "job[clerk]:age")).isCloseTo(0.04, within(0.015));
        assertThat(term(summary, "job[cook]:age")).isCloseTo(-0.03, within(0.015));
        assertThat(term(summary, "job[clerk]:sex[male]")).isCloseTo(-0.8, within(0.4));
        assertThat(term(summary, "job[cook]:sex[male]")).isCloseTo(0.5, within(0.4));
        Map<?, ?> contrast = CliRun.of(
                        "summary",
                        fitted,
                        "--json",
                        "--contrast",
                        "job[clerk]:age - job[cook]:age - job[miner]:age - job[cook]:sex[female]")
                .succeeded()
                .json();
        assertThat(term(contrast, "job[clerk]:age - job[cook]:age - job[miner]:age - job[cook]:sex[female]"))
                .isCloseTo(term(summary, "job[clerk]:age") - term(summary, "job[cook]:age"), within(1e-12));
        assertThat(CliRun.of("summary", fitted, "--exp").succeeded().output()).contains("odds ratio");
        Path people = new FitTables(folder).write("new.csv", "age,sex,town\n70,female,a\n20,male,b\n");
        List<String> lines = CliRun.of("predict", fitted, people.toString(), "--level", "0.9")
                .succeeded()
                .output()
                .lines()
                .toList();
        assertThat(lines.get(0))
                .isEqualTo("probability_clerk,lower_clerk,upper_clerk,probability_miner,lower_miner,upper_miner,"
                        + "probability_cook,lower_cook,upper_cook,most_probable");
        String[] first = lines.get(1).split(",", -1);
        double total = 0;
        for (int k = 0; k < 3; k++) {
            double probability = Double.parseDouble(first[3 * k]);
            total += probability;
            assertThat(probability)
                    .isBetween(Double.parseDouble(first[3 * k + 1]), Double.parseDouble(first[3 * k + 2]));
        }
        assertThat(total).isCloseTo(1, within(1e-9));
        double clerk = Math.exp(0.4 + 0.04 * 25);
        assertThat(Double.parseDouble(first[0]))
                .isCloseTo(clerk / (1 + clerk + Math.exp(-0.3 - 0.03 * 25)), within(0.08));
        assertThat(first[9]).isEqualTo("clerk");
        assertThat(lines.get(2)).endsWith(",cook");
        Map<?, ?> scores = CliRun.of("score", fitted, table.toString(), "--on-training-data", "--json")
                .succeeded()
                .json();
        assertThat(scores.toString())
                .contains("accuracy")
                .contains("logLikelihood")
                .contains("ece");
        assertThat(Files.readString(folder.resolve("fit").resolve("report.html")))
                .contains("What it expects")
                .contains("Probability of a level of job")
                .contains("age, clerk");
        CliRun.of(
                        "refit",
                        fitted,
                        "--prior",
                        "job[clerk]:age ~ normal(0, 0.0001)",
                        "--no-twins",
                        "--out",
                        folder.resolve("refit").toString())
                .succeeded();
        Map<?, ?> again = CliRun.of("summary", folder.resolve("refit").toString(), "--json")
                .succeeded()
                .json();
        assertThat(term(again, "job[clerk]:age")).isCloseTo(0, within(0.001));
        assertThat(term(again, "job[cook]:age")).isLessThan(-0.01);
        assertThat(CliRun.of("diagnose", fitted).succeeded().output()).isNotEmpty();
    }

    @Test
    void aPlanKnowsEveryCoefficient() {
        Map<?, ?> plan = CliRun.of(
                        "plan",
                        "--schema",
                        schema.toString(),
                        "--formula",
                        FORMULA,
                        "--family",
                        "multinomial",
                        "--epsilon",
                        "2",
                        "--tables",
                        "1",
                        "--json")
                .succeeded()
                .json();
        assertThat(((List<?>) plan.get("terms"))
                        .stream()
                                .map(one -> ((Map<?, ?>) one).get("term"))
                                .toList()
                                .toString())
                .isEqualTo("[job[clerk]:age, job[clerk]:sex[male], job[cook]:age, job[cook]:sex[male]]");
        assertThat(plan.get("prediction").toString()).contains("log loss");
        assertThat((double) plan.get("expected")).isCloseTo(2.0 / 3, within(1e-12));
    }

    @Test
    void whatIsNotFittedIsSaidBeforeTheCharge() {
        assertThat(fit("age ~ sex").failed(ExitCode.USAGE).errors()).contains("a column of type category");
        assertThat(fit("job ~ age + (1 | town)").failed(ExitCode.USAGE).errors())
                .contains("effects of groups");
        assertThat(fit("job ~ sex + offset(age)").failed(ExitCode.USAGE).errors())
                .contains("an offset is not fitted");
        assertThat(fit(FORMULA, "--prior", "job[miner]:age ~ normal(0, 1)")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("there is no column job[miner]:age");
        assertThat(folder.resolve("fit")).doesNotExist();
    }
}
