package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.json.Json;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.method.MethodCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FitCommandTest {
    private static final int SIZE = 1500;
    private static final String[] SIMULATED = {"--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "7"};

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path schema;

    @BeforeEach
    void declare() {
        tables = new FitTables(folder);
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(SIZE));
    }

    /** One line for each model, its standard method first. */
    @Test
    void helpListsEveryModelAndMethod() {
        String help = FitTables.run(List.of("fit", "--help")).output();
        for (MethodCatalogue.Entry entry : MethodCatalogue.entries()) {
            String line = help.lines()
                    .filter(each -> each.strip().startsWith(entry.model() + " "))
                    .findFirst()
                    .orElse("no line for " + entry.model());
            assertThat(List.of(line.strip().split("[ ,]+"))).contains(entry.method());
            if (entry.standard()) {
                assertThat(line).matches(" *" + entry.model() + " +" + entry.method() + "\\b.*");
            }
        }
    }

    private Path out(String name) {
        return folder.resolve(name);
    }

    private CliRun fit(Path table, String name, String... more) {
        return FitTables.run(FitTables.fit(table, schema, out(name), more));
    }

    private CliRun simulated(Path table, String name, String... more) {
        return fit(table, name, Stream.of(SIMULATED, more).flatMap(Stream::of).toArray(String[]::new));
    }

    private String posterior(String name) throws IOException {
        return Files.readString(out(name).resolve("posterior.json"));
    }

    private Map<String, Object> release(String name) throws IOException {
        return CliRun.object(Json.read(Files.readString(out(name).resolve("release.json"))));
    }

    private static List<Path> publicFiles(Path out) throws IOException {
        try (Stream<Path> files = Files.walk(out)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(out.resolve("sealed")))
                    .toList();
        }
    }

    @Test
    void aFitWritesAPosteriorAStatementAndAReport() throws IOException {
        CliRun run = fit(
                        tables.table("loans.csv", FitTables.loans(SIZE, 1)), "fit", "--epsilon", "1", "--delta", "1e-5")
                .succeeded();
        assertThat(run.output())
                .contains("plan", "protects  one record", "noise", "debt", "(Intercept)", "wrote")
                .doesNotContain("method ");
        assertThat(publicFiles(out("fit")).stream()
                        .map(file -> file.getFileName().toString()))
                .containsExactlyInAnyOrder(
                        "posterior.json", "likelihood.json", "release.json", "privacy-statement.txt", "report.html");
        assertThat(release("fit"))
                .containsEntry("provenance", "releasable")
                .containsEntry("data", "loans.csv")
                .containsEntry("publicSize", (long) SIZE)
                .containsEntry("delta", 1e-5)
                .containsEntry(
                        "engines",
                        Map.of(
                                "first", "closed form of the Gaussian mechanism",
                                "second", "contour integral at the saddle point",
                                "agreement", "meet"))
                .containsEntry("ledgerEntries", 1L);
        assertThat((double) release("fit").get("epsilon")).isGreaterThan(0.99).isLessThanOrEqualTo(1);
        assertThat(Files.readString(out("fit").resolve("privacy-statement.txt")))
                .contains("Epsilon 1 at delta 1e-5", "What is not covered")
                .containsIgnoringWhitespaces("Two engines that share no code answered");
        CliRun.of("ledger", "verify", folder.resolve("loans.ledger").toString()).succeeded();
    }

    @Test
    void twoReleasesOfTheSameTableHaveDifferentNoise() throws IOException {
        Path table = tables.table("loans.csv", FitTables.loans(200, 1));
        fit(table, "a", "--epsilon", "1", "--delta", "1e-5").succeeded();
        fit(table, "b", "--epsilon", "1", "--delta", "1e-5").succeeded();
        assertThat(posterior("a")).isNotEqualTo(posterior("b"));
    }

    @Test
    void asJsonItIsOneObject() {
        Map<String, Object> json = simulated(tables.table("loans.csv", FitTables.loans(SIZE, 1)), "fit", "--json")
                .succeeded()
                .json();
        assertThat(json)
                .containsEntry("provenance", "simulated, not for release")
                .containsEntry("model", "logistic-regression")
                .containsEntry("method", "private-likelihood")
                .containsEntry("accountant", "exact")
                .doesNotContainKey("methodRemark");
        assertThat((List<?>) json.get("parameters")).hasSize(4);
    }

    @Test
    void aSimulationIsStampedEverywhere() throws IOException {
        String said = simulated(tables.table("loans.csv", FitTables.loans(200, 1)), "fit")
                .succeeded()
                .output();
        assertThat(said).contains("not for release");
        for (Path file : publicFiles(out("fit"))) {
            assertThat(Files.readString(file).toLowerCase(Locale.ROOT))
                    .as(file.toString())
                    .contains("not for release");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"private-likelihood", "residual-newton", "private-vb"})
    void theNumberOfThreadsDoesNotMatter(String method) throws IOException {
        Path table = tables.table("loans.csv", FitTables.loans(20_000, 1));
        simulated(table, "one", "--method", method, "--threads", "1").succeeded();
        simulated(table, "four", "--method", method, "--threads", "4").succeeded();
        assertThat(posterior("four")).isEqualTo(posterior("one"));
    }

    @Test
    void poissonBatchesDoNotDependOnThreadsEither() throws IOException {
        Path table = tables.table("loans.csv", FitTables.loans(20_000, 1));
        String[] sampled = {"--method", "private-vb", "--set", "sampling=poisson:0.2", "--set", "steps=5", "--threads"};
        simulated(table, "one", append(sampled, "1")).succeeded();
        simulated(table, "four", append(sampled, "4")).succeeded();
        assertThat(posterior("four")).isEqualTo(posterior("one"));
        assertThat(Files.readString(out("one").resolve("privacy-statement.txt")))
                .contains("Poisson");
    }

    private static String[] append(String[] args, String last) {
        return Stream.concat(Stream.of(args), Stream.of(last)).toArray(String[]::new);
    }

    @Test
    void aFitWithoutNoiseFindsTheModelAndPromisesNothing() throws IOException {
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(20_000));
        CliRun run = fit(tables.table("loans.csv", FitTables.loans(20_000, 3)), "fit", "--not-private")
                .succeeded();
        assertThat(run.output()).contains("nobody", "not private, not for release");
        assertThat(Files.readString(out("fit").resolve("privacy-statement.txt")).toLowerCase(Locale.ROOT))
                .contains("not private", "nobody", "none. this result was computed without noise")
                .doesNotContain("an upper bound", "hard to tell", "noisy");
        assertThat(release("fit"))
                .containsEntry("provenance", "not private, not for release")
                .doesNotContainKeys("epsilon", "delta", "noiseMultiplier");
        Map<String, Double> means = means("fit");
        assertThat(means.get("debt")).isBetween(0.0055, 0.0065);
        assertThat(means.get("age")).isBetween(-0.035, -0.025);
        assertThat(means.get("job[baker]")).isBetween(-1.1, -0.9);
    }

    private Map<String, Double> means(String name) throws IOException {
        Map<String, Double> means = new LinkedHashMap<>();
        StoredPosterior fitted = new FitFolder(out(name)).fittedModel();
        for (int i = 0; i < fitted.posterior().dimension(); i++) {
            means.put(
                    fitted.posterior().parameterNames().get(i),
                    fitted.posterior().mean()[i]);
        }
        return means;
    }

    @Test
    void linearRegressionFindsTheWeights() throws IOException {
        RandomStream random = RandomStream.ofSeed(5);
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < 20_000; row++) {
            double u = random.uniform();
            double v = random.uniform();
            rows.add(u + "," + v + "," + (50 + 30 * u - 20 * v + 2 * random.normal()));
        }
        Path table = tables.write("heights.csv", "u,v,y\n" + String.join("\n", rows) + "\n");
        schema = tables.write("heights.schema.yaml", """
                unit: record
                size: 20000
                target: y
                columns:
                  u: {type: number, bounds: [0, 1]}
                  v: {type: number, bounds: [0, 1]}
                  y: {type: number, bounds: [0, 100]}
                """);
        simulated(table, "fit", "--model", "linear-regression").succeeded();
        StoredPosterior fitted = new FitFolder(out("fit")).fittedModel();
        double[] truth = {50, 30, -20};
        for (int i = 0; i < truth.length; i++) {
            // five standard deviations on each side: a false alarm has probability below 1e-6
            double sd = fitted.posterior().standardDeviation()[i];
            assertThat(fitted.posterior().mean()[i]).isBetween(truth[i] - 5 * sd, truth[i] + 5 * sd);
            assertThat(sd).isLessThan(0.5);
        }
        String scored = out("fit").toString();
        assertThat(CliRun.of("score", scored, table.toString(), "--on-training-data", "--json")
                        .succeeded()
                        .json())
                .containsOnlyKeys("rmse", "logLikelihood", "coverage90", "crps", "records", "trainingRecords")
                .hasEntrySatisfying("rmse", rmse -> assertThat((double) rmse).isBetween(1.9, 2.5));
        assertThat(CliRun.of("predict", scored, table.toString())
                        .succeeded()
                        .output()
                        .lines()
                        .toList())
                .hasSize(20_001)
                .startsWith("mean,sd,lower,upper");
    }

    @Test
    void fitsOnOneLedgerAddUpUntilItIsSpent() throws IOException {
        Path table = tables.table("loans.csv", FitTables.loans(SIZE, 1));
        Path ledger = folder.resolve("loans.ledger");
        String[] shared = {"--epsilon", "1", "--delta", "1e-5", "--ledger", ledger.toString(), "--ledger-epsilon", "1.7"
        };
        fit(table, "first", shared).succeeded();
        fit(table, "second", shared).succeeded();
        assertThat(release("second")).containsEntry("ledgerEntries", 2L);
        double both = (double) release("second").get("ledgerEpsilon");
        assertThat(both)
                .isGreaterThan((double) release("first").get("ledgerEpsilon"))
                .isLessThanOrEqualTo(1.7);
        assertThat(Files.readString(out("second").resolve("privacy-statement.txt")))
                .contains("2 entries");
        String before = Files.readString(ledger);
        CliRun third = fit(table, "third", shared).failed(ExitCode.BUDGET_EXHAUSTED);
        assertThat(third.errors()).contains("exhausted");
        assertThat(out("third")).doesNotExist();
        assertThat(Files.readString(ledger)).isEqualTo(before);
        CliRun.of("ledger", "verify", ledger.toString()).succeeded();
    }

    /** Rule 10: what is outside {@code sealed/} was released or declared. */
    @Test
    void theNumberOfRowsIsNowhere() throws IOException {
        int rows = 1237;
        CliRun run = simulated(tables.table("loans.csv", FitTables.loans(rows, 1)), "fit")
                .succeeded();
        CliRun json = simulated(tables.table("loans.csv", FitTables.loans(rows, 1)), "again", "--json")
                .succeeded();
        Pattern count = Pattern.compile("(?<![\\d.])" + rows + "(\\.0+)?(?![\\d.])");
        assertThat(count.matcher("\"rows\":1237,").find()).isTrue();
        List<String> texts = new ArrayList<>(List.of(run.output(), json.output()));
        for (Path file : publicFiles(out("fit"))) {
            texts.add(Files.readString(file));
        }
        assertThat(texts).hasSize(7).allSatisfy(text -> assertThat(text).doesNotContainPattern(count));
    }

    /** A row without a usable target, or with a missing value that the schema refuses, contributes nothing. */
    @Test
    void rowsThatCannotBeUsedDoNotShow() throws IOException {
        List<String> rows = FitTables.loans(300, 1);
        simulated(tables.table("loans.csv", rows), "clean").succeeded();
        List<String> spoilt = new ArrayList<>(rows);
        spoilt.addAll(List.of(
                "NaN,500,miner,yes",
                "50,nonsense,miner,no",
                ",,,",
                "50,500,miner,maybe",
                "50,500,miner",
                "50",
                "\u0000\u0001\u0002",
                "Infinity\u00e9,1,baker,yes"));
        CliRun run = simulated(tables.table("loans.csv", spoilt), "spoilt").succeeded();
        assertThat(posterior("spoilt")).isEqualTo(posterior("clean"));
        assertThat(run.output().replace("spoilt", "clean"))
                .isEqualTo(simulated(tables.table("loans.csv", rows), "clean2")
                        .output()
                        .replace("clean2", "clean"));
    }

    /** A number outside of its bounds counts as the bound. */
    @Test
    void numbersOutsideTheirBoundsAreClampedInSilence() throws IOException {
        List<String> rows = FitTables.loans(300, 1);
        List<String> inside = new ArrayList<>(rows);
        inside.addAll(List.of("80,1000,miner,yes", "20,0,baker,no", "80,0,baker,no"));
        List<String> outside = new ArrayList<>(rows);
        outside.addAll(List.of("81,1e308,miner,yes", "-1e308,-4711,baker,no", "1e308,-0.001,baker,no"));
        simulated(tables.table("loans.csv", inside), "inside").succeeded();
        CliRun run = simulated(tables.table("loans.csv", outside), "outside").succeeded();
        assertThat(posterior("outside")).isEqualTo(posterior("inside"));
        assertThat(run.output()).doesNotContain("4711", "clamp", "1e308");
    }

    /** How many rows there are is private, none included. */
    @Test
    void aTableWithoutRowsIsFittedLikeAnyOther() {
        simulated(tables.table("loans.csv", List.of()), "fit").succeeded();
        fit(tables.table("loans.csv", List.of()), "plain", "--not-private").succeeded();
    }

    @Test
    void aCompleteFitIsNotRunAgain() throws IOException {
        Path table = tables.table("loans.csv", FitTables.loans(200, 1));
        simulated(table, "fit").succeeded();
        String posterior = posterior("fit");
        assertThat(simulated(table, "fit", "--resume").succeeded().output()).contains("nothing to resume");
        assertThat(simulated(table, "fit", "--resume", "--json").succeeded().json())
                .containsKey("parameters");
        assertThat(simulated(table, "fit", "--resume", "--set", "rounds=3")
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("without the setting rounds 3");
        assertThat(posterior("fit")).isEqualTo(posterior);
    }

    @Test
    void personsCanBeProtected() throws IOException {
        List<String> rows = new ArrayList<>();
        List<String> loans = FitTables.loans(600, 1);
        for (int row = 0; row < loans.size(); row++) {
            rows.add(loans.get(row) + ",p" + row / 3);
        }
        Path table = tables.write("loans.csv", FitTables.HEADER + ",who\n" + String.join("\n", rows) + "\n");
        schema = tables.write(
                "loans.schema.yaml",
                FitTables.loansSchema(200).replace("unit: record", "unit: {person: who, maxRecords: 3}")
                        + "  who: {type: ignore}\n");
        assertThat(simulated(table, "fit").succeeded().output())
                .contains("at most 3 records")
                .contains("method    residual-newton, because private-likelihood is not taken: ");
        assertThat(release("fit")).containsEntry("maxRecords", 3L);
        assertThat(Files.readString(out("fit").resolve("privacy-statement.txt")))
                .contains("3 records");
    }
}
