package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.cli.dataset.SchemaFile;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.FitRun;
import dev.tacit.fit.run.Preparations;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerFile;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import dev.tacit.report.UsableUnits;
import dev.tacit.run.RunListener;
import dev.tacit.testkit.method.FreeLedger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fit says how many units it could use, with noise that its budget paid for. */
class FitCountTest {
    private static final int SIZE = 2000;

    /** Counts are seeded; a right one is further from the truth than this once in two million. */
    private static final double FAR = 5;

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path table;
    private Path schema;

    @BeforeEach
    void write() {
        tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(SIZE, 3));
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(SIZE));
    }

    private CliRun fit(String name, String... more) {
        List<String> args = FitTables.fit(
                table, schema, folder.resolve(name), "--epsilon", "1", "--delta", "1e-5", "--simulate", "--seed", "5");
        args.addAll(List.of(more));
        return FitTables.run(args);
    }

    private String text(String name, String file) throws Exception {
        return Files.readString(folder.resolve(name).resolve(file));
    }

    private Map<String, Object> release(String name) throws Exception {
        return CliRun.object(Json.read(text(name, "release.json")));
    }

    private static UsableUnits units(Map<String, Object> json) {
        Map<String, Object> units = CliRun.object(json.get("usableUnits"));
        return new UsableUnits(
                ((Number) units.get("estimate")).doubleValue(), ((Number) units.get("sd")).doubleValue());
    }

    private static String inOneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    @Test
    void aSchemaThatMatchesNothingIsSeen() throws Exception {
        schema = tables.write(
                "wrong.schema.yaml",
                FitTables.loansSchema(SIZE)
                        .replace("positive: \"yes\", negative: \"no\"", "positive: \"1\", negative: \"0\""));
        String said = inOneLine(fit("fit").succeeded().output());
        UsableUnits counted = units(release("fit"));
        assertThat(counted.estimate()).isCloseTo(0, within(FAR * counted.sd()));
        String warning = "Fewer than half of the declared records were usable";
        assertThat(said).contains("of 2,000 declared records were usable", warning, "tacit schema check");
        assertThat(inOneLine(text("fit", "privacy-statement.txt"))).contains("WARNING. " + warning);
        assertThat(text("fit", "report.html")).contains(warning);
        Map<String, Object> json = fit("json", "--json").succeeded().json();
        assertThat(json.get("warnings").toString()).contains(warning);
        assertThat(units(json)).isEqualTo(counted);
    }

    @Test
    void theCountIsNearTheTruthAndIsPaidForByAHundredthOfTheBudget() throws Exception {
        List<String> rows = new ArrayList<>(FitTables.loans(SIZE, 3));
        rows.subList(0, SIZE / 4)
                .replaceAll(row -> row.replace("miner", "sailor").replace("baker", "sailor"));
        table = tables.table("sailors.csv", rows);
        String said = fit("fit").succeeded().output();
        Map<String, Object> release = release("fit");
        UsableUnits counted = units(release);
        assertThat(counted.estimate()).isCloseTo(0.75 * SIZE, within(FAR * counted.sd()));
        // The noise of one release of the whole budget has deviation 3.7; a hundredth buys ten times as much.
        assertThat(counted.sd()).isBetween(33.0, 42.0);
        assertThat(said).contains("declared records were usable").doesNotContain("Fewer than half", "resumes");
        Files.delete(folder.resolve("fit/posterior.json"));
        assertThat(fit("fit", "--resume").succeeded().output()).contains("resumes");
        assertThat(inOneLine(text("fit", "privacy-statement.txt")))
                .contains("one noisy sum of 1 number: usable units; about 1,")
                .doesNotContain("WARNING");
        assertThat((double) release.get("epsilon")).isBetween(0.99, 1.0);

        fit("uncounted", "--spend-on-count", "0").succeeded();
        Map<String, Object> uncounted = release("uncounted");
        assertThat(uncounted).doesNotContainKey("usableUnits");
        assertThat((double) release.get("noiseMultiplier") / (double) uncounted.get("noiseMultiplier"))
                .isBetween(1.003, 1.007);
        assertThat((List<?>) release.get("notes")).hasSize(((List<?>) uncounted.get("notes")).size() + 1);
    }

    /** What the door hands out, with noise that is the same for all data. */
    private static double released(Path file, Schema declared, ContributionSum query, double l2Bound)
            throws BudgetExhausted {
        ReleasePlan plan = ReleasePlan.of("count", 1, 1, new SamplingScheme.FullPass());
        try (PrivateDataset data = Preparations.open(file.toString(), declared, 1)) {
            return data.open(
                            RunRequest.of("count", plan),
                            new DiscreteGaussianMechanism(2),
                            new FreeLedger(data.unit()),
                            ReplayNoise.ofSeed(1))
                    .release(query, l2Bound)
                    .value()[0];
        }
    }

    @Test
    void aPersonWithThreeRecordsMovesTheCountByOne() throws BudgetExhausted {
        List<String> others = List.of("30,100,miner,yes,a", "40,200,baker,no,b", "50,300,baker,no,b");
        List<String> more = new ArrayList<>(others);
        for (int record = 0; record < 3; record++) {
            more.add("60,400,miner,no,c");
        }
        String header = FitTables.HEADER + ",who\n";
        Path nobody = tables.write("nobody.csv", header);
        Path without = tables.write("without.csv", header + String.join("\n", others) + "\n");
        Path with = tables.write("with.csv", header + String.join("\n", more) + "\n");
        Schema persons = SchemaFile.read(tables.write(
                        "persons.schema.yaml",
                        FitTables.loansSchema(3).replace("unit: record", "unit: {person: who, maxRecords: 3}")
                                + "  who: {type: ignore}\n")
                .toString());
        ContributionSum query = UsableCount.query();
        double noise = released(nobody, persons, query, UsableCount.L2_BOUND);
        assertThat(released(without, persons, query, UsableCount.L2_BOUND)).isEqualTo(2 + noise, within(1e-9));
        assertThat(released(with, persons, query, UsableCount.L2_BOUND)).isEqualTo(3 + noise, within(1e-9));
        // A twin that counts rows moves by 3.
        assertThat(released(with, persons, query, 3) - released(without, persons, query, 3))
                .isEqualTo(3, within(1e-9));
    }

    @Test
    void aRecordThatOnlyKeepsItsPlaceIsNotCounted() throws BudgetExhausted {
        Path nobody = tables.table("nobody.csv", List.of());
        Path file = tables.table("places.csv", List.of("30,100,miner,yes", "40,200,sailor,no", "50,300,baker,no"));
        Schema replaced = SchemaFile.read(tables.write(
                        "replaced.schema.yaml",
                        FitTables.loansSchema(3).replace("unit: record", "unit: record\nneighbours: replace-one"))
                .toString());
        double noise = released(nobody, replaced, UsableCount.query(), UsableCount.L2_BOUND);
        assertThat(released(file, replaced, UsableCount.query(), UsableCount.L2_BOUND))
                .isEqualTo(2 + noise, within(1e-9));
        ContributionSum places = ContributionSum.of(1, (block, row, contribution) -> contribution.add(0, 1));
        assertThat(released(file, replaced, places, UsableCount.L2_BOUND)).isEqualTo(3 + noise, within(1e-9));
    }

    private FitRequest releasable(String name) {
        return new FitRequest(
                table.toString(),
                SchemaFile.read(schema.toString()),
                "logistic-regression",
                "private-vb",
                Map.of("steps", "3"),
                Optional.of(new PrivacyBudget(1, 1e-5)),
                folder.resolve(name),
                LedgerRequest.standard(),
                0,
                OptionalDouble.empty(),
                OptionalLong.empty(),
                1);
    }

    /** Secret noise cannot be drawn again, so what is found is what was counted before. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunThatWasInterruptedAfterTheCountDoesNotCountAgain(boolean countWasWritten) throws Exception {
        FitRequest request = releasable("fit");
        RunListener interrupting = new RunListener() {
            @Override
            public void started(ReleasePlan plan, long released) {
                throw new IllegalStateException("cut");
            }
        };
        FitRun cut = new FitRun(request, interrupting);
        FitRun.Prepared prepared = cut.prepare(false);
        assertThatThrownBy(() -> cut.run(prepared)).hasMessage("cut");
        Path ledger = folder.resolve("loans.ledger");
        assertThat(LedgerFile.read(ledger).entries().get(0).released()).isEqualTo(1);
        Path kept = folder.resolve("fit/sealed/count.json");
        UsableUnits counted = UsableCount.fromJson(Files.readString(kept)).units();
        if (!countWasWritten) {
            Files.delete(kept);
        }

        FitRun resumed = new FitRun(request, RunListener.NONE);
        FitOutcome outcome = resumed.run(resumed.prepare(true));
        assertThat(outcome.release().usableUnits()).contains(counted);
        List<LedgerEntry> entries = LedgerFile.read(ledger).entries();
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).released()).isEqualTo(4);
        assertThat(outcome.release().notes()).hasSize(4);
        assertThat(outcome.release().kernelPlan().releases()).isEqualTo(3);
    }

    @Test
    void aCountThatSomebodyTookAwayIsNotDrawnAgain() throws Exception {
        FitRequest request = releasable("fit");
        FitRun whole = new FitRun(request, RunListener.NONE);
        whole.run(whole.prepare(false));
        Files.delete(folder.resolve("fit/posterior.json"));
        Files.delete(folder.resolve("fit/sealed/count.json"));
        FitRun resumed = new FitRun(request, RunListener.NONE);
        FitRun.Prepared prepared = resumed.prepare(true);
        assertThatThrownBy(() -> resumed.run(prepared)).hasMessageContaining("number of usable units");
    }

    @Test
    void theShareIsANumberFromZeroToBelowOneOfABudget() {
        fit("fit", "--spend-on-count", "1").failed(ExitCode.USAGE);
        fit("fit", "--spend-on-count", "-0.1").failed(ExitCode.USAGE);
        List<String> open =
                FitTables.fit(table, schema, folder.resolve("fit"), "--not-private", "--spend-on-count", "0.01");
        assertThat(FitTables.run(open).failed(ExitCode.USAGE).errors()).contains("--spend-on-count");
        assertThat(fit("fit", "--method", "dp-pvi", "--set", "parties=4", "--spend-on-count", "0.01")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("parties");
        assertThat(folder.resolve("fit")).doesNotExist();
    }

    @Test
    void recordsOfReleasesWithAndWithoutACountAreRead() throws Exception {
        fit("counted").succeeded();
        fit("uncounted", "--spend-on-count", "0").succeeded();
        for (String name : List.of("counted", "uncounted")) {
            String text = text(name, "release.json");
            ReleaseRecord read = ReleaseRecord.fromJson(text, name);
            assertThat(read.usableUnits().isPresent()).isEqualTo(name.equals("counted"));
            assertThat(read.fileText()).isEqualTo(text);
            assertThat(read.kernelPlan().phases().get(0).label()).isNotEqualTo("usable units");
        }
        CliRun.of("report", folder.resolve("counted").toString()).succeeded();
        CliRun.of("diagnose", folder.resolve("counted").toString(), "--twins", "1")
                .succeeded();
    }
}
