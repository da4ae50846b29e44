package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fit --method dp-pvi}: one table, dealt out to parties by a public rule that the statement names. */
class FitPartiesTest {
    private static final int SIZE = 4_000;
    private static final String[] SIMULATED = {
        "--method", "dp-pvi", "--simulate", "--seed", "3", "--epsilon", "8", "--delta", "1e-5"
    };

    @TempDir
    private Path folder;

    private Path table;
    private Path schema;

    @BeforeEach
    void write() {
        FitTables tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(SIZE, 1));
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(SIZE));
    }

    private CliRun fit(String out, String... more) {
        return FitTables.run(FitTables.fit(
                table,
                schema,
                folder.resolve(out),
                Stream.concat(Stream.of(SIMULATED), Stream.of(more)).toArray(String[]::new)));
    }

    private static Stream<String> set(String settings) {
        return Stream.of(settings.split(" ", -1)).flatMap(setting -> Stream.of("--set", setting));
    }

    private CliRun fitWith(String out, String settings, String... more) {
        return fit(out, Stream.concat(set(settings), Stream.of(more)).toArray(String[]::new));
    }

    private String text(String out, String file) throws IOException {
        return Files.readString(folder.resolve(out).resolve(file));
    }

    /** Every way finds that debt makes loans late and age does not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "parties=4",
                "parties=4 aggregator=trusted",
                "parties=4 way=virtual",
                "parties=4 way=virtual schedule=synchronous",
                "parties=4 way=virtual aggregator=trusted",
                "parties=4 way=dp-optimisation rate=0.1",
                "parties=4 way=dp-optimisation rate=0.1 schedule=synchronous",
                "parties=4 way=local-averaging",
                "parties=4 way=local-averaging schedule=synchronous",
                "parties=4 way=local-averaging aggregator=trusted",
                "party-column=job way=local-averaging shards=40 shardPartition=5",
                "party-column=job"
            })
    void everyWayFindsTheSlopes(String settings) {
        CliRun run = fitWith("fit", settings, "--json").succeeded();
        Map<String, Object> json = CliRun.object(Json.read(run.output()));
        Map<String, Object> parties = CliRun.object(json.get("parties"));
        assertThat(parties.get("count")).isEqualTo(settings.startsWith("party-column") ? 2L : 4L);
        assertThat(parties.get("epsilonOfEveryParty")).isEqualTo(json.get("epsilon"));
        assertThat((double) json.get("epsilon")).isGreaterThan(7.9).isLessThanOrEqualTo(8);
        assertThat((long) parties.get("bytesPerRound")).isPositive();
        assertThat(mean(json, "debt")).isGreaterThan(0.8);
        assertThat(mean(json, "age")).isLessThan(mean(json, "debt"));
    }

    /** Steps of variational Bayes have a schedule too, and the two must not be one setting. */
    @ParameterizedTest
    @ValueSource(strings = {"parties=4", "parties=4 schedule=synchronous aggregator=trusted"})
    void oneMessageOfEachPartyIsALinearRegression(String settings) throws IOException {
        schema = new FitTables(folder)
                .write("debts.yaml", FitTables.loansSchema(SIZE).replace("target: late", "target: debt"));
        fitWith("fit", settings, "--model", "linear-regression").succeeded();
        assertThat(text("fit", "posterior.json")).contains("\"schedule\":\"synchronous\"");
        assertThat(text("fit", "privacy-statement.txt")).contains("Records are at 4 parties");
        CliRun.of("report", folder.resolve("fit").toString()).succeeded();
        CliRun.of("score", folder.resolve("fit").toString(), table.toString(), "--on-training-data")
                .succeeded();
    }

    @Test
    void intervalsSayWhetherTheyCountTheNoise() {
        assertThat(fitWith("a", "way=dp-optimisation rounds=1").succeeded().output())
                .contains("do not count the privacy noise");
        assertThat(fitWith("b", "way=virtual rounds=2").succeeded().output())
                .contains("include the privacy noise", "without privacy noise");
    }

    private static double mean(Map<String, Object> json, String name) {
        return ((List<?>) json.get("parameters"))
                .stream()
                        .map(CliRun::object)
                        .filter(parameter -> parameter.get("name").equals(name))
                        .mapToDouble(parameter -> (double) parameter.get("mean"))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void theStatementAndTheReportSayWhoHasWhichRecords() throws IOException {
        CliRun run = fitWith("fit", "parties=4 partition=12").succeeded();
        assertThat(run.output()).contains("parties   4, by a hash of the record's own encoded numbers, key 12");
        assertThat(text("fit", "privacy-statement.txt")).contains("Records are at 4 parties", "key 12", "trust nobody");
        assertThat(text("fit", "report.html"))
                .contains("Parties", "Each party sends 9 messages", "for each of the 4", "residual sums of 4 parties");
        String before = text("fit", "report.html");
        CliRun.of("report", folder.resolve("fit").toString()).succeeded();
        assertThat(text("fit", "report.html")).isEqualTo(before);
        fitWith("sum", "parties=4 aggregator=trusted").succeeded();
        assertThat(text("sum", "privacy-statement.txt")).contains("all parties trust it");
    }

    /** The noise is twice what a sum over records would need, and both records say why. */
    @ParameterizedTest
    @CsvSource({
        "way=local-averaging shards=50 shardPartition=9, '50 shards of each party, by another hash of the record''s own encoded numbers, key 9', 50",
        "way=parameter-perturbation, all records of a party are one shard, 1"
    })
    void shardsAreChargedForTwoBounds(String settings, String words, long shards) throws IOException {
        fitWith(
                        "shards",
                        "parties=4 rounds=5 " + settings,
                        "--ledger",
                        ledger("shards").toString())
                .succeeded();
        fitWith("records", "parties=4 rounds=5 way=virtual").succeeded();
        Map<String, Object> ofShards = CliRun.object(Json.read(text("shards", "release.json")));
        Map<String, Object> ofRecords = CliRun.object(Json.read(text("records", "release.json")));
        double noise = (double) ofShards.get("noiseMultiplier");
        assertThat(noise / (double) ofRecords.get("noiseMultiplier")).isBetween(1.999, 2.001);
        assertThat(ofShards.get("event").toString()).contains("noiseMultiplier=" + noise / 2);
        Map<String, Object> parties = CliRun.object(ofShards.get("parties"));
        assertThat(parties.get("shardsOfAParty")).isEqualTo(shards);
        assertThat(LedgerFile.read(ledger("shards")).entries().get(0).event().toString())
                .contains("noiseMultiplier=" + noise / 2);
        assertThat(text("shards", "privacy-statement.txt").replaceAll("\\s+", " "))
                .contains(words, "up to two bounds, and that is what is charged");
        String before = text("shards", "report.html");
        CliRun.of("report", folder.resolve("shards").toString()).succeeded();
        assertThat(text("shards", "report.html")).isEqualTo(before);
    }

    @Test
    void shardsProtectOneRecord() {
        FitTables tables = new FitTables(folder);
        String records = FitTables.loansSchema(SIZE);
        schema = tables.write(
                "person.yaml",
                records.replace("unit: record", "unit: {person: who, maxRecords: 2}") + "  who: {type: ignore}\n");
        CliRun refused = fitWith("fit", "way=local-averaging schedule=synchronous");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.errors()).contains("use --set way=virtual");
        assertThat(folder.resolve("fit")).doesNotExist();
        schema = tables.write("replace.yaml", records.replace("unit: record", "unit: record\nneighbours: replace-one"));
        assertThat(fitWith("fit", "way=local-averaging").errors()).contains("schedule=synchronous");
        fitWith("fit", "way=local-averaging schedule=synchronous rounds=2").succeeded();
    }

    /** A run whose releases stopped after the fifth goes on from its checkpoint, and parties pay for their own turns only. */
    @ParameterizedTest
    @CsvSource({
        "way=virtual rounds=4, 1, 16",
        "way=dp-optimisation rounds=3, 10, 120",
        "way=virtual rounds=6 schedule=synchronous, 1, 6",
        "way=local-averaging rounds=4, 1, 16",
        "way=parameter-perturbation rounds=6 aggregator=trusted, 1, 6"
    })
    void aRunIsResumedInTheMiddle(String settings, int inARow, long releases) throws IOException {
        fitWith("whole", "parties=4 " + settings, "--ledger", ledger("whole").toString())
                .succeeded();
        LedgerEntry entry = LedgerFile.read(ledger("whole")).entries().get(0);
        assertThat(entry.released()).isEqualTo(releases);
        String[] cut = Stream.concat(
                        set("parties=4 " + settings),
                        Stream.of("--ledger", ledger("cut").toString()))
                .toArray(String[]::new);
        fit("cut", cut).succeeded();
        // As a crash after the last checkpoint leaves it: the run and its checkpoint, and no result.
        for (String file : List.of("posterior.json", "release.json", "report.html", "privacy-statement.txt")) {
            Files.delete(folder.resolve("cut").resolve(file));
        }
        fit("cut", Stream.concat(Stream.of(cut), Stream.of("--resume")).toArray(String[]::new))
                .succeeded();
        assertThat(text("cut", "posterior.json")).isEqualTo(text("whole", "posterior.json"));
        assertThat(LedgerFile.read(ledger("cut")).entries()).hasSize(1);
    }

    private Path ledger(String name) {
        return folder.resolve(name + ".ledger");
    }

    @ParameterizedTest
    @CsvSource({
        "parties=1, parties must be a whole number from 2",
        "parties=ten, parties must be a whole number",
        "way=magic, way must be one of",
        "party-column=late, party-column must name a column",
        "party-column=debt, party-column must name a column",
        "way=dp-optimisation aggregator=trusted, use aggregator=none",
        "way=virtual aggregator=trusted schedule=sequential, use schedule=synchronous",
        "way=local-averaging aggregator=trusted schedule=sequential, use schedule=synchronous",
        "way=local-averaging shards=0, shards must be a whole number from 1",
        "way=local-averaging l2Bound=-1, the setting l2Bound must be a number from",
        "way=local-averaging shards=100000000, shards must be a whole number from 1 to",
        "way=local-averaging localSteps=0, the setting localSteps must be a whole number from 1",
        "way=local-averaging localStep=2, the setting localStep must be a number from",
        "way=local-averaging sampling=full, there is no setting sampling here",
        "way=parameter-perturbation shards=3, there is no setting shards here",
        "schedule=asynchronous, schedule must be one of",
        "way=virtual damping=2, the setting damping must be a number from",
        "localSteps=3, there is no setting localSteps here"
    })
    void mistakesAreOneSentence(String settings, String sentence) {
        CliRun run = fitWith("fit", settings);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(run.errors().strip().lines()).hasSize(1);
        assertThat(run.errors()).contains(sentence);
        assertThat(folder.resolve("fit")).doesNotExist();
    }

    @Test
    void turnsProtectOneRecordThatIsAddedOrRemoved() {
        schema = new FitTables(folder)
                .write(
                        "replace.yaml",
                        FitTables.loansSchema(SIZE).replace("unit: record", "unit: record\nneighbours: replace-one"));
        CliRun refused = fitWith("fit", "way=virtual");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.errors()).contains("schedule=synchronous");
        fitWith("fit", "way=virtual schedule=synchronous").succeeded();
    }
}
