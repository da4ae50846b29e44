package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FolderClaim;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.ledger.LedgerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fit works in a folder that is its own, removes nothing that is not, and keeps what was paid for. */
class FitFolderTest {
    @TempDir
    private Path folder;

    private Path table;
    private Path schema;
    private Path ledger;

    @BeforeEach
    void write() {
        FitTables tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(60, 1));
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(60));
        ledger = folder.resolve("loans.ledger");
    }

    private List<String> fit(Path out, String... more) {
        List<String> args = FitTables.fit(table, schema, out, more);
        return Stream.concat(
                        args.stream(),
                        Stream.of(
                                "--epsilon",
                                "1",
                                "--delta",
                                "1e-5",
                                "--ledger",
                                ledger.toString(),
                                "--ledger-epsilon",
                                "1",
                                "--simulate"))
                .toList();
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.isEmpty())
                    .sorted()
                    .toList();
        }
    }

    /** What came into the folder while the run was at work is somebody else's, and so is a folder that was there. */
    @Test
    void onlyWhatWasWrittenIsRemoved() throws IOException {
        Path out = folder.resolve("mine");
        FitFolder fit = new FitFolder(out);
        try (FolderClaim claim = FolderClaim.fresh(fit)) {
            fit.write(fit.runFile(), "{}");
            Files.writeString(out.resolve("thesis.txt"), "years");
            Files.writeString(fit.sealed().resolve("ledger.jsonl"), "charges");
            assertThat(claim.isKept()).isFalse();
        }
        assertThat(files(out)).containsExactly("sealed", "sealed/ledger.jsonl", "thesis.txt");

        Path empty = Files.createDirectory(folder.resolve("empty"));
        FolderClaim.fresh(new FitFolder(empty)).close();
        assertThat(files(empty)).isEmpty();
        Path created = folder.resolve("created");
        FolderClaim.fresh(new FitFolder(created)).close();
        assertThat(created).doesNotExist();
    }

    @Test
    void oneProcessWorksInAFolder() {
        FitFolder fit = new FitFolder(folder.resolve("fit"));
        try (FolderClaim claim = FolderClaim.fresh(fit)) {
            assertThatThrownBy(() -> FolderClaim.fresh(fit)).hasMessageContaining("another tacit is at work");
            assertThatThrownBy(() -> FolderClaim.resumed(fit)).hasMessageContaining("another tacit is at work");
            assertThat(FitTables.run(fit(fit.path())).failed(ExitCode.CONFIG).errors())
                    .contains("another tacit is at work");
            claim.keep();
        }
        assertThat(fit.sealed()).exists();
        assertThat(fit.lock()).doesNotExist();
        assertThat(ledger).doesNotExist();
    }

    @Test
    void whatAKilledRunLeftBeforeItBeganIsNothing() throws IOException {
        Path out = folder.resolve("fit");
        Files.createDirectories(out.resolve("sealed"));
        Files.writeString(out.resolve("sealed/.run.json.4711.tmp"), "{\"ru");
        Files.writeString(out.resolve("sealed/.records.json.4711.tmp"), "");
        Files.writeString(out.resolve("sealed/records.json"), "{}");
        Files.writeString(out.resolve("sealed/lock"), "77");
        FitTables.run(fit(out)).succeeded();
        assertThat(files(out)).contains("posterior.json", "sealed/run.json").noneMatch(name -> name.endsWith(".tmp"));
        assertThat(out.resolve("sealed/lock")).doesNotExist();
    }

    @Test
    void aLinkStandsForItsFolder() throws IOException {
        Path documents = Files.createDirectory(folder.resolve("documents"));
        Files.writeString(documents.resolve("report.html"), "mine");
        Path link = Files.createSymbolicLink(folder.resolve("link"), documents);
        assertThat(FitTables.run(fit(link)).failed(ExitCode.CONFIG).errors()).contains("not an empty folder");
        assertThat(documents.resolve("report.html")).hasContent("mine");

        Path nothing = Files.createSymbolicLink(folder.resolve("nothing"), folder.resolve("nowhere"));
        assertThat(FitTables.run(fit(nothing)).failed(ExitCode.CONFIG).errors()).contains("a link to nothing");

        Path room = Files.createDirectory(folder.resolve("room"));
        Path there = Files.createSymbolicLink(folder.resolve("there"), room);
        FitTables.run(fit(there)).succeeded();
        assertThat(there).isSymbolicLink();
        assertThat(room.resolve("posterior.json")).exists();
        assertThat(FitTables.run(fit(there)).failed(ExitCode.CONFIG).errors()).contains("not an empty folder");

        Path inside = Files.createDirectory(folder.resolve("inside"));
        Files.createSymbolicLink(inside.resolve("sealed"), room);
        assertThat(FitTables.run(fit(inside)).failed(ExitCode.CONFIG).errors()).contains("not an empty folder");
    }

    /** A refused charge costs nothing and leaves nothing, also in a folder that was there. */
    @Test
    void aRefusedRunLeavesTheFolderThatItFound() throws IOException {
        FitTables.run(fit(folder.resolve("first"))).succeeded();
        Path out = Files.createDirectory(folder.resolve("out"));
        FitTables.run(fit(out)).failed(ExitCode.BUDGET_EXHAUSTED);
        assertThat(files(out)).isEmpty();
        assertThat(LedgerFile.read(ledger).entries()).hasSize(1);
    }

    @Test
    void aNameWithALineBreakStaysOnOneLine() {
        String errors = FitTables.run(fit(folder.resolve("no\nwhere/fit")))
                .failed(ExitCode.CONFIG)
                .errors();
        assertThat(errors).contains("no\\u000awhere");
    }

    @Test
    void whatIsSealedIsForItsOwner() throws IOException {
        Path out = folder.resolve("fit");
        FitTables.run(fit(out)).succeeded();
        if (out.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(mode(out.resolve("sealed"))).isEqualTo("rwx------");
            for (String file : List.of("run.json", "records.json", "fence.json", "checkpoint.json", "releases")) {
                assertThat(mode(out.resolve("sealed").resolve(file))).as(file).isEqualTo("rw-------");
            }
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void passwordsAreNotKept() {
        assertThat(FitRequest.withoutPassword("postgres://ann:se:cr%et@db.example:5432/bank?table=loans&password=x"))
                .isEqualTo("postgres://ann@db.example:5432/bank?table=loans&");
        assertThat(FitRequest.withoutPassword("postgresql://db.example/bank"))
                .isEqualTo("postgresql://db.example/bank");
        assertThat(FitRequest.withoutPassword("a:b@c.csv")).isEqualTo("a:b@c.csv");
    }

    /** All that was charged and announced; statements may be written again. */
    private List<String> charges() throws IOException {
        return Files.readAllLines(ledger).stream()
                .filter(line -> !line.contains("\"kind\":\"statement\""))
                .toList();
    }

    /** A table that changed between a run and its resumption is noticed before anything happens. */
    @Test
    void onlyTheSameRecordsGoOn() throws IOException {
        Path out = folder.resolve("fit");
        List<String> args = fit(out);
        FitTables.run(args).succeeded();
        Files.delete(out.resolve("posterior.json"));
        List<String> again = Stream.concat(args.stream(), Stream.of("--resume")).toList();
        String before = Files.readString(ledger);
        List<String> charged = charges();
        String whole = Files.readString(table);
        Files.writeString(table, whole.replaceFirst("\n[^\n]*\n", "\n"));
        assertThat(FitTables.run(again).failed(ExitCode.CONFIG).errors()).contains("not those that the run");
        assertThat(Files.readString(ledger)).isEqualTo(before);
        assertThat(out.resolve("posterior.json")).doesNotExist();
        Files.writeString(table, whole);
        FitTables.run(again).succeeded();
        assertThat(charges()).isEqualTo(charged);
    }

    /** Files of a complete fit that a loss of power emptied are written again from the checkpoint. */
    @Test
    void filesThatDoNotReadAreRebuilt() throws IOException {
        Path out = folder.resolve("fit");
        List<String> args = fit(out);
        FitTables.run(args).succeeded();
        String posterior = Files.readString(out.resolve("posterior.json"));
        List<String> charged = charges();
        for (String file : List.of("posterior.json", "release.json")) {
            Files.writeString(out.resolve(file), "");
            List<String> again =
                    Stream.concat(args.stream(), Stream.of("--resume")).toList();
            FitTables.run(again).succeeded();
            assertThat(Files.readString(out.resolve("posterior.json"))).isEqualTo(posterior);
            assertThat(charges()).isEqualTo(charged);
            assertThat(FitTables.run(again).succeeded().output()).contains("complete fit already");
        }
    }
}
