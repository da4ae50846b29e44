package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerFile;
import dev.tacit.ledger.PaidReleases;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fit that is killed can be resumed: it ends in the same posterior, and it is charged once. */
class FitResumeTest {
    private static final int STEPS = 150;

    /** The usable units are counted first. */
    private static final int RELEASES = 1 + STEPS;

    private static final long SEED = 99;

    @TempDir
    private Path folder;

    private List<String> settings;
    private Path table;
    private Path schema;
    private Path ledger;

    @BeforeEach
    void write() {
        FitTables tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(500, 1));
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(500));
        ledger = folder.resolve("loans.ledger");
        settings = List.of(
                "--method", "private-vb", "--set", "steps=" + STEPS, "--epsilon", "1", "--delta", "1e-5", "--ledger");
    }

    private List<String> fit(Path out, Path ledgerFile, String... more) {
        List<String> args = new ArrayList<>(settings);
        args.add(ledgerFile.toString());
        args.addAll(List.of(more));
        return FitTables.fit(table, schema, out, args.toArray(String[]::new));
    }

    private static List<String> resumed(List<String> args) {
        return Stream.concat(args.stream(), Stream.of("--resume")).toList();
    }

    /** How far the process got, from files that it makes: the folder, the run, the ledger, each release. */
    private static long progress(Path out, Path ledgerFile) throws IOException {
        if (!Files.exists(out.resolve("sealed/run.json"))) {
            return Files.exists(out) ? 1 : 0;
        }
        try (Stream<String> lines = Files.exists(ledgerFile) ? Files.lines(ledgerFile) : Stream.empty()) {
            return 2 + lines.count();
        }
    }

    /** Kills the process with no chance to tidy up as soon as it got so far; false if it ended by itself before. */
    private boolean killedAt(long moment, List<String> args, Path out, Path ledgerFile) throws Exception {
        Process process = ChildProcess.tacit(folder.resolve("errors"), args)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        while (!process.waitFor(1, TimeUnit.MILLISECONDS)) {
            if (progress(out, ledgerFile) >= moment) {
                process.destroyForcibly().waitFor();
                return true;
            }
        }
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        return false;
    }

    /** Kills a fit at several moments, then lets it end; returns how often it was killed. */
    private int interrupted(List<String> args, Path out, Path ledgerFile) throws Exception {
        RandomStream random = RandomStream.ofSeed(SEED);
        List<Long> moments = new ArrayList<>(List.of(2L, 5L));
        for (long from = 10; from < STEPS; from += STEPS / 3) {
            moments.add(from + random.nextInt(STEPS / 3));
        }
        int kills = 0;
        for (long moment : moments) {
            boolean begun = Files.exists(out.resolve("sealed/run.json"));
            kills += killedAt(moment, begun ? resumed(args) : args, out, ledgerFile) ? 1 : 0;
        }
        FitTables.run(Files.exists(out.resolve("sealed/run.json")) ? resumed(args) : args);
        assertThat(out.resolve("posterior.json")).exists();
        return kills;
    }

    private static LedgerEntry onlyEntry(Path ledgerFile) {
        CliRun.of("ledger", "verify", ledgerFile.toString()).succeeded();
        List<LedgerEntry> entries = LedgerFile.read(ledgerFile).entries();
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }

    @Test
    void aReplayedRunThatWasKilledEndsInTheSamePosterior() throws Exception {
        Path whole = folder.resolve("whole");
        FitTables.run(fit(whole, folder.resolve("whole.ledger"), "--simulate", "--seed", "7"))
                .succeeded();
        Path out = folder.resolve("fit");
        int kills = interrupted(fit(out, ledger, "--simulate", "--seed", "7"), out, ledger);
        assertThat(kills).isGreaterThanOrEqualTo(3);
        assertThat(out.resolve("posterior.json")).hasSameBinaryContentAs(whole.resolve("posterior.json"));
        assertThat(withoutOrigin(out)).isEqualTo(withoutOrigin(whole));
        assertThat(onlyEntry(ledger).released()).isEqualTo(RELEASES);
    }

    /** The statement without the part that names its time and its ledger's head. */
    private static String withoutOrigin(Path out) throws IOException {
        String statement = Files.readString(out.resolve("privacy-statement.txt"));
        return statement.substring(0, statement.indexOf("\nThis statement\n"));
    }

    /** No release is lost, and no noise is drawn twice for one. */
    @Test
    void aReleaseThatWasKilledIsChargedOnceAndMakesNoMoreReleasesThanPlanned() throws Exception {
        Path out = folder.resolve("fit");
        int kills = interrupted(fit(out, ledger), out, ledger);
        assertThat(kills).isGreaterThanOrEqualTo(3);
        LedgerEntry entry = onlyEntry(ledger);
        assertThat(entry.released()).isEqualTo(RELEASES);
        assertThat(PaidReleases.of(entry.event())).isEqualTo(RELEASES);
        Map<String, Object> release = CliRun.object(Json.read(Files.readString(out.resolve("release.json"))));
        assertThat(release).containsEntry("provenance", "releasable").containsEntry("ledgerEntries", 1L);
        assertThat((List<?>) release.get("notes")).hasSize(RELEASES);
    }

    /** An interrupted run, made in this JVM: everything but the posterior. */
    private List<String> cutShort(Path out) throws IOException {
        List<String> args = fit(out, ledger, "--simulate", "--seed", "7");
        FitTables.run(args).succeeded();
        for (String file : List.of("posterior.json", "release.json", "privacy-statement.txt", "report.html")) {
            Files.delete(out.resolve(file));
        }
        return args;
    }

    @Test
    void onlyTheSameRunCanBeResumed() throws IOException {
        Path out = folder.resolve("fit");
        List<String> args = cutShort(out);
        String before = Files.readString(ledger);
        assertThat(FitTables.run(args).failed(ExitCode.CONFIG).errors()).contains("--resume");
        for (List<String> change : List.of(
                List.of("steps=" + STEPS, "steps=3"),
                List.of("1e-5", "1e-6"),
                List.of("7", "8"),
                List.of("private-vb", "residual-newton"))) {
            List<String> other = new ArrayList<>(args);
            other.replaceAll(arg -> arg.equals(change.get(0)) ? change.get(1) : arg);
            if (change.get(0).equals("private-vb")) {
                other.subList(other.indexOf("--set"), other.indexOf("--set") + 2)
                        .clear();
            }
            assertThat(FitTables.run(resumed(other)).failed(ExitCode.CONFIG).errors())
                    .contains("was started with", "leave out what differs");
        }
        assertThat(CliRun.of("report", out.toString()).failed(ExitCode.NO_INPUT).errors())
                .contains("interrupted");
        assertThat(Files.readString(ledger)).isEqualTo(before);
        FitTables.run(resumed(args)).succeeded();
        assertThat(Files.readString(ledger)).startsWith(before);
        onlyEntry(ledger);
    }

    /** The folder knows its data, schema, method, settings, budget, ledger and seed. */
    @Test
    void theFolderAloneIsEnoughToGoOn() throws IOException {
        Path whole = folder.resolve("whole");
        FitTables.run(fit(whole, folder.resolve("whole.ledger"), "--simulate", "--seed", "7"))
                .succeeded();
        Path out = folder.resolve("fit");
        cutShort(out);
        assertThat(CliRun.of("fit", "--resume", "--out", out.toString(), "--no-twins")
                        .succeeded()
                        .output())
                .contains("resumes");
        assertThat(out.resolve("posterior.json")).hasSameBinaryContentAs(whole.resolve("posterior.json"));
        assertThat(onlyEntry(ledger).released()).isEqualTo(RELEASES);
        assertThat(CliRun.of("fit", "--resume", "--out", out.toString())
                        .succeeded()
                        .output())
                .contains("complete fit already");
    }

    /** What is given beside the folder is compared with it, one by one. */
    @Test
    void anOptionThatContradictsTheFolderIsRefusedByName() throws IOException {
        Path out = folder.resolve("fit");
        List<String> args = cutShort(out);
        Path other = new FitTables(folder).table("other.csv", FitTables.loans(500, 2));
        Path larger = new FitTables(folder).write("larger.yaml", FitTables.loansSchema(600));
        for (Map.Entry<List<String>, String> each : Map.of(
                        List.of("--epsilon", "2"), "with epsilon 1.0, not 2.0",
                        List.of("--set", "steps=3"), "with the setting steps " + STEPS + ", not 3",
                        List.of("--set", "batch=3"), "without the setting batch 3",
                        List.of("--seed", "8"), "with the seed 7, not 8",
                        List.of("--method", "residual-newton"), "with the method private-vb, not residual-newton",
                        List.of("--schema", larger.toString()), "with another schema",
                        List.of("--ledger", "elsewhere.ledger"), "with the ledger " + ledger,
                        List.of("--not-private"), "with epsilon 1.0",
                        List.of(other.toString()), "with other data")
                .entrySet()) {
            List<String> alone = new ArrayList<>(List.of("fit", "--resume", "--out", out.toString()));
            alone.addAll(each.getKey());
            assertThat(CliRun.of(alone.toArray(String[]::new))
                            .failed(ExitCode.CONFIG)
                            .errors())
                    .as(alone.toString())
                    .contains("was started " + each.getValue(), "leave out what differs");
        }
        assertThat(out.resolve("posterior.json")).doesNotExist();
        CliRun.of(
                        "fit",
                        table.toString(),
                        "--schema",
                        schema.toString(),
                        "--epsilon",
                        "1",
                        "--seed",
                        "7",
                        "--no-twins",
                        "--resume",
                        "--out",
                        out.toString())
                .succeeded();
        assertThat(FitTables.run(resumed(args)).succeeded().output()).contains("complete fit already");
    }

    /** Relative paths are those of the folder in which the run was started. */
    @Test
    void aRunGoesOnFromAnotherFolder() throws Exception {
        Files.createDirectories(folder.resolve("elsewhere"));
        List<String> args = new ArrayList<>(List.of("fit", "loans.csv", "--schema", "loans.schema.yaml", "--model"));
        args.addAll(List.of("logistic-regression", "--out", "fit", "--no-twins"));
        args.addAll(settings);
        args.add("loans.ledger");
        in(folder, args);
        Path out = folder.resolve("fit");
        Files.delete(out.resolve("posterior.json"));
        in(folder.resolve("elsewhere"), List.of("fit", "--resume", "--out", "../fit", "--no-twins"));
        assertThat(out.resolve("posterior.json")).exists();
        onlyEntry(ledger);
    }

    private void in(Path workingFolder, List<String> args) throws Exception {
        Process process = ChildProcess.tacit(folder.resolve("errors"), args)
                .directory(workingFolder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
    }

    @Test
    void aBrokenCheckpointOrALedgerThatIsBehindIsRefused() throws IOException {
        Path out = folder.resolve("fit");
        List<String> args = cutShort(out);
        Path checkpoint = out.resolve("sealed/checkpoint.json");
        String kept = Files.readString(checkpoint);
        Files.writeString(checkpoint, kept.substring(0, kept.length() / 2));
        assertThat(FitTables.run(resumed(args)).failed(ExitCode.BAD_DATA).errors())
                .contains("checkpoint");
        Files.writeString(checkpoint, kept);
        List<String> lines = Files.readAllLines(ledger);
        Files.write(ledger, lines.subList(0, lines.size() - 5));
        assertThat(FitTables.run(resumed(args)).failed(ExitCode.CONFIG).errors())
                .contains("older copy");
        Path run = out.resolve("sealed/run.json");
        String told = Files.readString(run);
        for (String damaged : List.of(
                "{",
                told.replace("\\\"settings\\\":{", "\\\"setings\\\":{"),
                told.replaceFirst("\"configuration\":\"", "\"configuration\":\"[]\",\"was\":\""),
                told.replace("\\\"data\\\":\\\"", "\\\"data\\\":7,\\\"was\\\":\\\""))) {
            Files.writeString(run, damaged);
            assertThat(FitTables.run(resumed(args)).failed(ExitCode.BAD_DATA).errors())
                    .contains("run.json cannot be read");
        }
    }

    /** Fresh noise on a release that may have been seen would be a second release. */
    @Test
    void aRunWithoutItsCheckpointDoesNotStartAgain() throws IOException {
        Path out = folder.resolve("fit");
        List<String> args = FitTables.fit(table, schema, out, "--epsilon", "1", "--delta", "1e-5");
        FitTables.run(args).succeeded();
        Files.delete(out.resolve("posterior.json"));
        Files.delete(out.resolve("sealed/checkpoint.json"));
        assertThat(FitTables.run(resumed(args)).failed(ExitCode.CONFIG).errors())
                .contains("took the release", "stays spent");
        assertThat(out.resolve("posterior.json")).doesNotExist();
    }
}
