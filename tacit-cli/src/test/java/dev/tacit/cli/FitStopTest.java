package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.verb.StopNotice;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.MemoryNeed;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.model.regression.LogisticRegression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fit that is told to stop says how to go on; one that cannot run is not charged. */
@Timeout(120)
class FitStopTest {
    /** Signals end a process with 128 and their number. */
    private static final int SIGNALLED = 128;

    @TempDir
    private Path folder;

    /** Ctrl-C, the end of a terminal, and what service managers and schedulers send. */
    @ParameterizedTest
    @CsvSource({"INT, 2", "HUP, 1", "TERM, 15"})
    void aStoppedFitSaysHowToGoOn(String signal, int number) throws Exception {
        assumeFalse(isIgnored(number), "whoever started this has the signal ignored, and so do its children");
        FitTables tables = new FitTables(folder);
        Path table = tables.table("loans.csv", FitTables.loans(300, 1));
        Path schema = tables.write("loans.schema.yaml", FitTables.loansSchema(300));
        Path out = folder.resolve("fit");
        Path errors = folder.resolve("errors");
        List<String> args = FitTables.fit(
                table,
                schema,
                out,
                "--method",
                "dpvi",
                "--set",
                "steps=100000",
                "--epsilon",
                "1",
                "--delta",
                "1e-5",
                "--no-twins");
        Process process = ChildProcess.tacit(errors, args)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        while (process.isAlive() && !Files.exists(out.resolve("sealed/checkpoint.json"))) {
            Thread.sleep(10);
        }
        assertThat(process.isAlive()).isTrue();
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(ChildProcess.exitCode(process)).isEqualTo(SIGNALLED + number);
        CliRun.assertOneSentence(Files.readString(errors));
        assertThat(Files.readString(errors)).contains("stopped; what was paid for is kept in", "--resume");
    }

    private static boolean isIgnored(int signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        String mask = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElse("SigIgn: 0");
        return (Long.parseUnsignedLong(mask.substring("SigIgn:".length()).strip(), 16) >> (signal - 1) & 1) == 1;
    }

    @Test
    void beforeTheRunBeganThereIsNothingToGoOnWith() {
        assertThat(StopNotice.sentence(new FitFolder(folder.resolve("none"))))
                .contains("before anything was charged")
                .doesNotContain("--resume");
    }

    /** The sizes at which fits ran out of memory after the charge. */
    @Test
    void aPlanThatDoesNotFitIntoMemoryIsRefused() {
        for (int columns : new int[] {5_000, 20_000}) {
            long heap = columns == 5_000 ? 512L << 20 : 5_800L << 20;
            ResidualNewton kernel = new ResidualNewton(ResidualNewton.Settings.standard());
            List<String> names = new ArrayList<>(Collections.nCopies(columns, "x"));
            for (int i = 0; i < columns; i++) {
                names.set(i, "x" + i);
            }
            ReleasePlan plan = kernel.plan(new LogisticRegression(names, 1, 1), 1000);
            assertThatThrownBy(() -> MemoryNeed.require(kernel.workingBytes(plan), heap, 7))
                    .isInstanceOf(FitException.class)
                    .hasMessageContaining("-Xmx")
                    .hasMessageContaining("--method dpvi");
            MemoryNeed.require(kernel.workingBytes(plan), 2 * kernel.workingBytes(plan), 7);
        }
    }

    /** In a Java with little memory, before the ledger is there. */
    @ParameterizedTest
    @ValueSource(strings = {"private-likelihood", "residual-newton"})
    void nothingIsChargedForWhatDoesNotFit(String method) throws Exception {
        int columns = 700;
        StringBuilder schema = new StringBuilder("unit: record\nsize: 5\ntarget: y\ncolumns:\n");
        StringBuilder header = new StringBuilder();
        for (int i = 0; i < columns; i++) {
            schema.append("  x").append(i).append(": {type: number, bounds: [0, 1]}\n");
            header.append('x').append(i).append(',');
        }
        schema.append("  y: {type: binary, positive: a, negative: b}\n");
        FitTables tables = new FitTables(folder);
        Path table = tables.write("wide.csv", header + "y\n" + ("0.5,".repeat(columns) + "a\n").repeat(5));
        Path declared = tables.write("wide.schema.yaml", schema.toString());
        Path errors = folder.resolve("errors");
        ProcessBuilder builder = ChildProcess.tacit(
                errors,
                FitTables.fit(
                        table,
                        declared,
                        folder.resolve("fit"),
                        "--method",
                        method,
                        "--epsilon",
                        "1",
                        "--delta",
                        "1e-5"));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Xmx64m");
        Process process =
                builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assertThat(ChildProcess.exitCode(process)).isEqualTo(ExitCode.CONFIG.code());
        assertThat(Files.readString(errors)).contains("the largest release has", "TACIT_JAVA_OPTIONS=-Xmx1g");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("wide.csv", "wide.schema.yaml", "errors");
        }
    }
}
