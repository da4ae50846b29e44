package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.fit.base.Sha256;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One ledger for one body of records, without being asked for. */
class FitLedgerTest {
    private static final int SIZE = 300;

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path table;
    private Path schema;
    private Path ledger;
    private Path key;

    @BeforeEach
    void write() {
        tables = new FitTables(folder);
        table = tables.table("people.csv", FitTables.loans(SIZE, 1));
        schema = tables.write("people.schema.yaml", FitTables.loansSchema(SIZE));
        ledger = folder.resolve("people.ledger");
        key = folder.resolve("people.ledger.key");
    }

    private List<String> args(Path data, String out, String... more) {
        List<String> args =
                FitTables.fit(data, schema, folder.resolve(out), "--epsilon", "1", "--delta", "1e-6", "--no-twins");
        args.addAll(List.of(more));
        return args;
    }

    private CliRun fit(Path data, String out, String... more) {
        return FitTables.run(args(data, out, more));
    }

    private String statement(String out) throws IOException {
        return Files.readString(folder.resolve(out).resolve("privacy-statement.txt"))
                .replaceAll("\\s+", " ");
    }

    private Map<String, Object> release(String out) throws IOException {
        return CliRun.object(Json.read(Files.readString(folder.resolve(out).resolve("release.json"))));
    }

    private void refused(CliRun run, String... words) {
        assertThat(run.failed(ExitCode.CONFIG).errors()).contains(words);
    }

    /** Three fits of one table: exactly 1.814 if all had been planned at once, and no statement says less. */
    @Test
    void theThirdStatementSaysWhatAllThreeCost() throws IOException {
        for (String out : List.of("a", "b", "c")) {
            fit(table, out).succeeded();
        }
        assertThat(statement("a")).contains("one entry, this run: together at most epsilon 1 at delta 1e-6");
        assertThat(statement("b")).contains("2 entries, of which this run is number 2: together at most epsilon 1.639");
        assertThat(statement("c"))
                .contains("3 entries, of which this run is number 3: together at most epsilon 2.03 at delta 1e-6")
                .contains("This counts what was charged to this ledger, and nothing else.");
        assertThat((double) release("c").get("ledgerEpsilon")).isBetween(1.814, 2.035);
        assertThat(Files.readString(folder.resolve("c/report.html"))).contains("3 entries of the ledger, no others");
        assertThat(LedgerFile.read(ledger).entries()).hasSize(3);
        try (Stream<Path> files = Files.walk(folder.resolve("c"))) {
            assertThat(files).noneMatch(file -> file.toString().contains("ledger"));
        }
    }

    /** A statement names its ledger's head and its release, and the ledger names the statement. */
    @Test
    void statementLedgerAndReleaseNameEachOther() throws Exception {
        Instant before = Instant.now();
        fit(table, "fit", "--label", "late payments, spring", "--analyst", "Ada")
                .succeeded();
        LedgerEntry entry = LedgerFile.read(ledger).entries().get(0);
        assertThat(entry.label()).isEqualTo("late payments, spring");
        assertThat(entry.analyst()).contains("Ada");
        assertThat(Duration.between(before, entry.time().orElseThrow()).abs()).isLessThan(Duration.ofHours(1));
        Path written = folder.resolve("fit/privacy-statement.txt");
        assertThat(entry.statement()).contains(Sha256.of(Files.readString(written)));
        String head = (String) release("fit").get("ledgerHead");
        assertThat(statement("fit"))
                .contains("Made " + release("fit").get("time") + " by Tacit ")
                .contains(Sha256.of(Files.readString(folder.resolve("fit/release.json"))))
                .contains("Head of the ledger: " + head);
        CliRun.of("ledger", "verify", ledger.toString(), "--head", head).succeeded();
        CliRun.of("report", folder.resolve("fit").toString()).succeeded();
        assertThat(Files.readString(folder.resolve("fit/report.html")))
                .contains(head, Sha256.of(Files.readString(folder.resolve("fit/release.json"))));
        fit(table, "x", "--label", "two\nlines").failed(ExitCode.USAGE);
        fit(table, "x", "--analyst", " ").failed(ExitCode.USAGE);
    }

    /** What is refused at the charge leaves no ledger, whose limit nobody could change any more. */
    @Test
    void aRefusedRunLeavesNoLedgerBehind() throws IOException {
        List<String> args =
                FitTables.fit(table, schema, folder.resolve("a"), "--epsilon", "1e-9", "--delta", "1e-8", "--no-twins");
        refused(FitTables.run(args), "too large for releases of");
        assertThat(ledger).doesNotExist();
        assertThat(key).doesNotExist();
        assertThat(folder.resolve("a")).doesNotExist();
        fit(table, "a", "--ledger-epsilon", "5").succeeded();
        assertThat(LedgerFile.read(ledger).entries()).hasSize(1);
    }

    @Test
    void anotherTableIsRefusedUnlessTheHolderSaysItIsTheSamePeople() throws IOException {
        fit(table, "a").succeeded();
        String before = Files.readString(ledger);
        Path other = tables.table("others.csv", FitTables.loans(SIZE, 2));
        refused(fit(other, "b", "--ledger", ledger.toString()), "other records", "--same-people", "--ledger");
        assertThat(folder.resolve("b")).doesNotExist();
        assertThat(Files.readString(ledger)).isEqualTo(before);
        CliRun told =
                fit(other, "b", "--ledger", ledger.toString(), "--same-people").succeeded();
        assertThat(told.output().replaceAll("\\s+", " ")).contains("is not checked, as you said");
        assertThat(statement("b")).contains("2 entries");
        fit(other, "c", "--ledger", ledger.toString()).succeeded();
        fit(table, "d").succeeded();
    }

    /** Nothing that is published, and nothing in the ledger, depends on what the comparison saw. */
    @Test
    void theLedgerHoldsNothingAboutTheRecords() throws IOException {
        fit(table, "a").succeeded();
        String secret = (String) CliRun.object(Json.read(Files.readString(key))).get("key");
        String digest = (String)
                CliRun.object(CliRun.object(Json.read(Files.readString(key))).get("sketch"))
                        .get("digest");
        assertThat(Files.readString(ledger)).doesNotContain(secret, digest);
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file).contains(secret)
                                || Files.readString(file).contains(digest))
                        .as(file.toString())
                        .isFalse();
            }
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    /** A table that grows, shrinks or is corrected stays the same body of records; one change shows nowhere. */
    @Test
    void aTableThatChangesInPartKeepsItsLedger() {
        List<String> rows = FitTables.loans(SIZE, 1);
        fit(table, "a").succeeded();
        List<String> corrected = new ArrayList<>(rows);
        corrected.set(7, "33,333,baker,no");
        tables.table("people.csv", corrected);
        fit(table, "b").succeeded();
        List<String> grown = new ArrayList<>(rows);
        grown.addAll(FitTables.loans(3 * SIZE, 5));
        tables.table("people.csv", grown);
        fit(table, "c").succeeded();
        tables.table("people.csv", grown.subList(2 * SIZE, 3 * SIZE));
        fit(table, "d").succeeded();
        tables.table("people.csv", FitTables.loans(SIZE, 9));
        refused(fit(table, "e"), "other records");
    }

    @Test
    void aLostKeyOrLedgerIsNoticed() throws IOException {
        fit(table, "a").succeeded();
        byte[] kept = Files.readAllBytes(key);
        Files.delete(key);
        refused(fit(table, "b"), "people.ledger.key", "missing", "--same-people");
        fit(table, "b", "--same-people").succeeded();
        fit(table, "c").succeeded();
        Files.write(key, kept);
        refused(fit(table, "d", "--ledger-epsilon", "5"), "no limit");
        Files.delete(ledger);
        refused(fit(table, "d"), "is gone");
        assertThat(ledger).doesNotExist();
        Files.writeString(key, "{");
        refused(fit(table, "d"), "is not the key of a ledger");
    }

    @Test
    void aLinkToTheLedgerIsTheLedger() throws IOException {
        fit(table, "a").succeeded();
        Path link = Files.createSymbolicLink(folder.resolve("link.ledger"), ledger);
        fit(table, "b", "--ledger", link.toString()).succeeded();
        assertThat(LedgerFile.read(ledger).entries()).hasSize(2);
        assertThat(folder.resolve("link.ledger.key")).doesNotExist();
    }

    /** What an officer has to judge stands in the report. */
    @Test
    void theReportShowsWhatWasDeclared() throws IOException {
        fit(table, "a").succeeded();
        assertThat(Files.readString(folder.resolve("a/report.html")))
                .contains("What was declared", "20 to 80", "0 to 1000", "miner, baker", "1 for yes, 0 for no")
                .contains("the number of units was declared to be " + SIZE);
    }

    /** A ledger that was restored from a backup lacks lines that its key has seen. */
    @Test
    void anOlderCopyOfTheLedgerIsRefused() throws IOException {
        fit(table, "a").succeeded();
        byte[] backup = Files.readAllBytes(ledger);
        fit(table, "b").succeeded();
        byte[] newest = Files.readAllBytes(ledger);
        Files.write(ledger, backup);
        CliRun.of("ledger", "verify", ledger.toString()).succeeded();
        refused(fit(table, "c"), "older copy");
        Files.write(ledger, newest);
        fit(table, "c").succeeded();
    }

    /** Once one copy of an interrupted run has gone on, the other is refused. */
    @Test
    void aCopyOfAFolderThatWentOnElsewhereIsRefused() throws IOException {
        fit(table, "a").succeeded();
        Files.delete(folder.resolve("a/posterior.json"));
        copy(folder.resolve("a"), folder.resolve("copy"));
        fit(table, "copy", "--resume").succeeded();
        String before = Files.readString(ledger);
        refused(fit(table, "a", "--resume"), "another copy");
        assertThat(Files.readString(ledger)).isEqualTo(before);
        assertThat(LedgerFile.read(ledger).entries()).hasSize(1);
    }

    /** S2 with kill -9: both copies of the folder of a killed run go on, and no release is made twice. */
    @Test
    void ofTwoCopiesOfAKilledRunOneGoesOn() throws Exception {
        String[] slow = {"--method", "private-vb", "--set", "steps=400"};
        Process process = ChildProcess.tacit(folder.resolve("errors"), args(table, "a", slow))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        while (process.isAlive() && released() < 40) {
            Thread.sleep(1);
        }
        process.destroyForcibly().waitFor();
        long at = released();
        assertThat(at).isBetween(40L, 399L);
        copy(folder.resolve("a"), folder.resolve("copy"));
        String[] resume = Stream.concat(Stream.of(slow), Stream.of("--resume")).toArray(String[]::new);
        fit(table, "copy", resume);
        assertThat(folder.resolve("copy/posterior.json")).exists();
        refused(fit(table, "a", resume), "another copy");
        LedgerEntry only = LedgerFile.read(ledger).entries().get(0);
        // The number of usable units, then the steps.
        assertThat(only.released()).isEqualTo(1 + 400);
        assertThat(LedgerFile.read(ledger).entries()).hasSize(1);
    }

    private long released() {
        if (!Files.exists(ledger)) {
            return 0;
        }
        try {
            List<LedgerEntry> entries = LedgerFile.read(ledger).entries();
            return entries.isEmpty() ? 0 : entries.get(0).released();
        } catch (RuntimeException e) {
            return 0;
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Test
    void aLimitIsKeptAlsoBesideTheData() throws IOException {
        fit(table, "a", "--ledger-epsilon", "1.7").succeeded();
        fit(table, "b").succeeded();
        assertThat(statement("b")).contains("It refuses what would go beyond epsilon 1.7.");
        fit(table, "c").failed(ExitCode.BUDGET_EXHAUSTED);
        refused(fit(table, "d", "--ledger-epsilon", "2"), "another limit");
        fit(table, "e", "--ledger-epsilon", "0.5").failed(ExitCode.USAGE);
    }

    @Test
    void theLedgerLiesBesideTheDataAndNeverInTheFolder() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path real = new FitTables(data).table("loans.of.may.csv", FitTables.loans(SIZE, 1));
        Path link = Files.createSymbolicLink(folder.resolve("link.csv"), real);
        fit(link, "a").succeeded();
        assertThat(data.resolve("loans.of.may.ledger")).exists();
        assertThat(folder.resolve("link.ledger")).doesNotExist();
        fit(table, "b", "--ledger", folder.resolve("b/my.ledger").toString()).failed(ExitCode.USAGE);
        assertThat(folder.resolve("b")).doesNotExist();
        fit(Path.of("/dev/zero"), "c").failed(ExitCode.USAGE);
        List<String> address = args(table, "d");
        address.set(1, "postgres://db/people");
        assertThat(FitTables.run(address).failed(ExitCode.USAGE).errors()).contains("--ledger");
        List<String> simulated = args(table, "e", "--simulate");
        FitTables.run(simulated).succeeded();
        assertThat(ledger).doesNotExist();
        assertThat(statement("e")).contains("this simulation was charged to no ledger");
    }

    @Test
    void aBudgetThatProtectsHardlyAnybodyIsCalledThat() throws IOException {
        List<String> weak =
                FitTables.fit(table, schema, folder.resolve("a"), "--epsilon", "12", "--delta", "0.01", "--no-twins");
        CliRun run = FitTables.run(weak).succeeded();
        String page = Files.readString(folder.resolve("a/report.html"));
        for (String text : List.of(run.output().replaceAll("\\s+", " "), statement("a"), page)) {
            assertThat(text)
                    .contains("The epsilon of this run, ", "is above 10", "is above one over the number of units");
        }
        fit(table, "b").succeeded();
        assertThat(statement("b")).contains("WARNING. The epsilon of all runs together");
        List<String> limit =
                args(table, "c", "--ledger", folder.resolve("c.ledger").toString());
        limit.addAll(List.of("--ledger-epsilon", "40"));
        assertThat(FitTables.run(limit).succeeded().output()).contains("The ledger's limit, epsilon 40, is above 10");
        assertThat(statement("c")).contains("WARNING. The ledger's limit");
    }

    /** An interrupted run of a version that kept its ledger inside is told so. */
    @Test
    void aRunOfAnEarlierVersionIsRefusedWithASentence() throws IOException {
        fit(table, "a").succeeded();
        Files.delete(folder.resolve("a/posterior.json"));
        Files.writeString(folder.resolve("a/sealed/ledger.jsonl"), "{}");
        refused(fit(table, "a", "--resume"), "earlier version");
    }

    /** Ten processes that create and share one ledger: each is charged, and none is told that the file exists. */
    @Test
    void tenProcessesCreateOneLedger() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String[] limit = {"--ledger-epsilon", "2.5", "--method", "residual-newton", "--set", "rounds=2"};
            processes.add(ChildProcess.tacit(folder.resolve("errors" + i), args(table, "fit" + i, limit))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
        int charged = 0;
        for (int i = 0; i < processes.size(); i++) {
            int code = ChildProcess.exitCode(processes.get(i));
            assertThat(code)
                    .as(Files.readString(folder.resolve("errors" + i)))
                    .isIn(0, ExitCode.BUDGET_EXHAUSTED.code());
            charged += code == 0 ? 1 : 0;
        }
        assertThat(charged).isBetween(2, 6);
        assertThat(LedgerFile.read(ledger).entries()).hasSize(charged);
        CliRun.of("ledger", "verify", ledger.toString()).succeeded();
    }
}
