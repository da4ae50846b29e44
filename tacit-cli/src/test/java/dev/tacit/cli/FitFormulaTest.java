package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.fit.base.CheckedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a table to odds ratios by a formula, another prior for nothing, and predictions with intervals. */
class FitFormulaTest {
    private static final String FORMULA = "late ~ age + debt + job";

    @TempDir
    private Path folder;

    private Path table;
    private Path schema;

    private void loans(int rows) {
        FitTables tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(rows, 1));
        schema = tables.write(
                "loans.schema.yaml",
                FitTables.loansSchema(rows)
                        .replace("target: late\n", "")
                        .replace("other: false}", "other: false, reference: baker}"));
    }

    private CliRun fit(String out, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "fit",
                table.toString(),
                "--schema",
                schema.toString(),
                "--out",
                folder.resolve(out).toString()));
        args.addAll(List.of(more));
        return CliRun.of(args.toArray(String[]::new));
    }

    private Map<?, ?> term(String fit, String term) {
        Map<String, Object> json = CliRun.of("summary", folder.resolve(fit).toString(), "--json")
                .succeeded()
                .json();
        return ((List<?>) json.get("terms"))
                .stream()
                        .map(one -> (Map<?, ?>) one)
                        .filter(one -> one.get("term").equals(term))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void aFormulaGivesTermsInNaturalUnits() throws IOException {
        loans(8000);
        CliRun run = fit("fit", "--formula", FORMULA, "--family", "bernoulli", "--epsilon", "4", "--delta", "1e-5");
        assertThat(run.succeeded().output())
                .contains(FORMULA)
                .contains("bernoulli (logit), 8,000 declared records, epsilon 4 at delta 1e-5")
                .contains("normal(0, 2.5) per standard deviation of a column")
                .contains("odds ratio  95 % interval")
                .contains("job: miner")
                .contains("vs baker");
        assertThat((double) term("fit", "age").get("mean")).isCloseTo(-0.03, within(0.01));
        assertThat((double) term("fit", "debt").get("mean")).isCloseTo(0.006, within(0.001));
        assertThat((double) term("fit", "job[miner]").get("mean")).isCloseTo(1.0, within(0.3));
        assertThat(term("fit", "job[miner]").get("unit")).isEqualTo("vs baker");
        assertThat((double) term("fit", "job[miner]").get("priorSd")).isCloseTo(2.5, within(0.01));
        assertThat(Files.readString(folder.resolve("fit").resolve("report.html")))
                .contains("All terms, in natural units")
                .contains("log odds ratio");
    }

    @Test
    void anotherPriorCostsNothingAndIsTheSameAsFromTheStart() throws IOException {
        loans(3000);
        String[] seeded = {"--formula", FORMULA, "--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "7"};
        fit("standard", seeded).succeeded();
        List<String> informed = new ArrayList<>(List.of(seeded));
        informed.addAll(List.of("--prior", "age ~ normal(0, 0.01)", "--prior", "job[miner] ~ normal(1, 0.2)"));
        fit("informed", informed.toArray(String[]::new)).succeeded();
        Map<String, Object> refit = CliRun.of(
                        "refit",
                        folder.resolve("standard").toString(),
                        "--prior",
                        "age ~ normal(0, 0.01)",
                        "--prior",
                        "job[miner] ~ normal(1, 0.2)",
                        "--no-twins",
                        "--out",
                        folder.resolve("refit").toString(),
                        "--json")
                .succeeded()
                .json();
        assertThat(refit).containsEntry("charged", 0.0);
        for (String file : List.of("likelihood.json", "posterior.json")) {
            assertThat(Files.readString(folder.resolve("refit").resolve(file)))
                    .as(file)
                    .isEqualTo(Files.readString(folder.resolve("informed").resolve(file)));
        }
        assertThat(Files.readString(folder.resolve("refit").resolve("likelihood.json")))
                .isEqualTo(Files.readString(folder.resolve("standard").resolve("likelihood.json")));
        assertThat(Files.readString(folder.resolve("refit").resolve("privacy-statement.txt")))
                .contains("nothing was charged")
                .contains("age ~ normal(0, 0.01)");
        assertThat((double) term("refit", "age").get("priorSd")).isCloseTo(0.01, within(1e-6));
        assertThat((double) term("standard", "age").get("priorSd")).isGreaterThan(0.05);
        assertThat(folder.resolve("refit").resolve("sealed")).doesNotExist();
        sumsOfAnotherStatisticAreRefused(folder.resolve("standard"));
    }

    private void sumsOfAnotherStatisticAreRefused(Path fit) throws IOException {
        Path likelihood = fit.resolve("likelihood.json");
        String text = CheckedText.open(Files.readString(likelihood), "likelihood.json");
        String other = text.replaceFirst("\"statistic\": ?1", "\"statistic\":7");
        assertThat(other).isNotEqualTo(text);
        Files.writeString(likelihood, CheckedText.seal(other) + "\n");
        CliRun run = CliRun.of(
                "refit",
                fit.toString(),
                "--prior",
                "age ~ normal(0, 0.01)",
                "--no-twins",
                "--out",
                folder.resolve("refused").toString());
        assertThat(run.failed(ExitCode.CONFIG).errors()).contains("are of statistic 7");
        assertThat(folder.resolve("refused")).doesNotExist();
    }

    @Test
    void predictionsHaveIntervalsAndIdentifiers() {
        loans(3000);
        fit("fit", "--formula", FORMULA, "--epsilon", "4", "--delta", "1e-5").succeeded();
        Path people =
                new FitTables(folder).write("new.csv", "person,age,debt,job\nx1,30,900,miner\n\"y,2\",70,10,baker\n");
        CliRun run = CliRun.of(
                "predict", folder.resolve("fit").toString(), people.toString(), "--id", "person", "--level", "0.9");
        List<String> lines = run.succeeded().output().lines().toList();
        assertThat(lines.get(0)).isEqualTo("person,probability,lower,upper");
        assertThat(lines.get(1)).startsWith("x1,");
        assertThat(lines.get(2)).startsWith("\"y,2\",");
        for (String line : lines.subList(1, 3)) {
            String[] cells = line.replace("y,2", "y").split(",", -1);
            double estimate = Double.parseDouble(cells[1]);
            assertThat(estimate).isBetween(Double.parseDouble(cells[2]), Double.parseDouble(cells[3]));
        }
        CliRun.of("predict", folder.resolve("fit").toString(), people.toString(), "--id", "nobody")
                .failed(ExitCode.BAD_DATA);
    }

    /** Effects of groups: shrunken, their standard deviation with an interval, and groups that are not known. */
    @Test
    void groupsHaveEffectsAndAStandardDeviation() throws IOException {
        loans(8000);
        CliRun run = fit("fit", "--formula", "late ~ age + debt + (1 | job)", "--epsilon", "4", "--delta", "1e-5");
        assertThat(run.succeeded().output())
                .contains("half-normal(1) on the standard deviation of groups")
                .contains("sd(job)")
                .containsPattern("group +odds ratio")
                .contains("job: miner");
        double miner = (double) term("fit", "job[miner]").get("mean");
        double baker = (double) term("fit", "job[baker]").get("mean");
        assertThat(miner - baker).isCloseTo(1.0, within(0.35));
        assertThat(term("fit", "job[miner]").get("unit")).isEqualTo("vs the mean of groups");
        Map<?, ?> between = term("fit", "sd(job)");
        assertThat((double) between.get("lower")).isBetween(0.03, 1.0);
        assertThat((double) between.get("upper")).isBetween(0.5, 2.2);
        assertThat(between.get("privacyShare")).isNull();
        assertThat(CliRun.of("summary", folder.resolve("fit").toString(), "--contrast", "job[miner] - job[baker]")
                        .succeeded()
                        .output())
                .contains("job[miner] - job[baker]");
        Path people = Files.writeString(
                folder.resolve("people.csv"), "age,debt,job\n40,300,miner\n40,300,baker\n40,300,pilot\n40,300,\n");
        List<?> predictions =
                (List<?>) CliRun.of("predict", folder.resolve("fit").toString(), people.toString(), "--json")
                        .succeeded()
                        .json()
                        .get("predictions");
        double[] width = new double[4];
        for (int i = 0; i < 4; i++) {
            Map<?, ?> one = (Map<?, ?>) predictions.get(i);
            width[i] = (double) one.get("upper") - (double) one.get("lower");
        }
        assertThat(width[2]).isGreaterThan(2 * Math.max(width[0], width[1]));
        assertThat(predictions.get(3)).isEqualTo(predictions.get(2));
        CliRun.of(
                        "refit",
                        folder.resolve("fit").toString(),
                        "--prior",
                        "sd(job) ~ halfnormal(0.1)",
                        "--no-twins",
                        "--out",
                        folder.resolve("narrow").toString())
                .succeeded();
        assertThat((double) term("narrow", "sd(job)").get("mean")).isLessThan((double) between.get("mean"));
        assertThat((double) term("narrow", "job[miner]").get("sd"))
                .isLessThan((double) term("fit", "job[miner]").get("sd"));
    }

    @Test
    void groupTermsThatAreNotFittedAreRefusedBeforeAnythingIsCharged() {
        loans(300);
        String[][] refused = {
            {"late ~ age + (debt || job)", "add + debt"},
            {"late ~ age + debt + (0 + debt | job)", "write (debt || job)"},
            {"late ~ age + job + (1 | job)", "two effects have the name job["},
            {"late ~ age + (1 | late)", "the response cannot stand among the terms"}
        };
        for (String[] one : refused) {
            CliRun run = fit("refused", "--formula", one[0], "--epsilon", "1", "--delta", "1e-5");
            assertThat(run.exitCode()).as(one[0]).isNotZero();
            assertThat(run.output() + run.errors()).contains(one[1]);
        }
        assertThat(folder.resolve("loans.ledger")).doesNotExist();
    }

    @Test
    void whatIsWrongIsSaidBeforeAnythingIsCharged() {
        loans(100);
        String[] budget = {"--epsilon", "1", "--delta", "1e-3"};
        CliRun misspelt = fit("fit", "--formula", "late ~ agee", budget[0], budget[1], budget[2], budget[3]);
        assertThat(misspelt.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(misspelt.errors())
                .startsWith("tacit: the schema declares no column \"agee\"")
                .endsWith("\n  late ~ agee\n         ^\n");
        fit("fit", "--formula", "late ~ age - 1", budget[0], budget[1], budget[2], budget[3])
                .failed(ExitCode.USAGE);
        fit("fit", "--formula", FORMULA, "--family", "poisson", budget[0], budget[1], budget[2], budget[3])
                .failed(ExitCode.USAGE);
        fit("fit", "--formula", FORMULA, "--prior", "bun ~ normal(0, 1)", budget[0], budget[1], budget[2], budget[3])
                .failed(ExitCode.USAGE);
        fit("fit", "--formula", FORMULA, "--model", "logistic-regression", budget[0], budget[1], budget[2], budget[3])
                .failed(ExitCode.USAGE);
        fit("fit", budget).failed(ExitCode.USAGE);
        assertThat(folder.resolve("fit")).doesNotExist();
    }

    @Test
    void aModelWithoutAFormulaUsesEveryColumn() {
        loans(1000);
        new FitTables(folder).write("loans.schema.yaml", FitTables.loansSchema(1000));
        fit(
                        "fit",
                        "--model",
                        "logistic-regression",
                        "--method",
                        "private-likelihood",
                        "--epsilon",
                        "4",
                        "--delta",
                        "1e-5")
                .succeeded();
        assertThat(CliRun.of("summary", folder.resolve("fit").toString(), "--csv")
                        .succeeded()
                        .output()
                        .lines()
                        .map(line -> line.split(",", -1)[0])
                        .toList())
                .containsExactly("term", "(Intercept)", "age", "debt", "job[baker]");
    }

    private void costs(String bounds, double least, double most) {
        StringBuilder csv = new StringBuilder("age,job,y\n");
        dev.tacit.numerics.RandomStream random = dev.tacit.numerics.RandomStream.ofSeed(4);
        for (int i = 0; i < 400; i++) {
            double y = least + (most - least) * (0.3 + 0.2 * random.uniform() * random.uniform());
            csv.append(20 + random.nextInt(60))
                    .append(random.uniform() < 0.5 ? ",baker," : ",miner,")
                    .append(y)
                    .append('\n');
        }
        FitTables tables = new FitTables(folder);
        table = tables.write("costs.csv", csv.toString());
        schema = tables.write(
                "costs.schema.yaml",
                "unit: record\nsize: 400\ncolumns:\n"
                        + "  age: {type: number, bounds: [20, 80]}\n"
                        + "  job: {type: category, categories: [baker, miner], other: false}\n"
                        + "  y: {type: number, bounds: " + bounds + "}\n");
    }

    /** With the whole path behind them: fit, summary with the extra parameter as itself, prediction, plan. */
    @ParameterizedTest
    @CsvSource({
        "gamma, '[0, 1000]', 0, 1000, shape",
        "student, '[-50, 50]', -50, 50, nu",
        "beta, '[0.01, 0.99]', 0.01, 0.99, phi"
    })
    void otherFamiliesOfNumbers(String family, String bounds, double least, double most, String extra) {
        costs(bounds, least, most);
        String[] budget = {"--epsilon", "4", "--delta", "1e-5"};
        CliRun run = fit(
                "fit", "--formula", "y ~ age + job", "--family", family, budget[0], budget[1], budget[2], budget[3]);
        assertThat(run.succeeded().output()).contains("  " + extra + " ").doesNotContain("log(" + extra);
        Map<?, ?> found = term("fit", extra);
        assertThat((double) found.get("lower")).isPositive();
        assertThat((double) found.get("lower")).isLessThan((double) found.get("mean"));
        double mean = CliRun.of("predict", folder.resolve("fit").toString(), table.toString())
                .succeeded()
                .output()
                .lines()
                .skip(1)
                .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[0]))
                .average()
                .orElseThrow();
        assertThat((mean - least) / (most - least)).isBetween(0.25, 0.55);
        CliRun.of(
                        "plan",
                        "--schema",
                        schema.toString(),
                        "--formula",
                        "y ~ age + job",
                        "--family",
                        family,
                        "--epsilon",
                        "2",
                        "--tables",
                        "1")
                .succeeded();
    }

    @Test
    void aResponseOutsideOfTheFamilysSupportIsRefusedBeforeTheCharge() {
        costs("[-1, 2]", 0, 1);
        assertThat(fit("fit", "--formula", "y ~ age", "--family", "gamma", "--epsilon", "1", "--delta", "1e-5")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("needs a number with bounds from 0 on as its response");
        assertThat(fit("fit", "--formula", "y ~ age", "--family", "beta", "--epsilon", "1", "--delta", "1e-5")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("bounds strictly between 0 and 1");
        assertThat(folder.resolve("fit")).doesNotExist();
    }
}
