package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.fit.plan.EngineCost;
import dev.tacit.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines as the command line knows them without any but its own. */
class EngineCommandTest {
    @TempDir
    Path folder;

    private CliRun fit(String... more) throws Exception {
        Path table = folder.resolve("people.csv");
        Path schema = folder.resolve("schema.yaml");
        Files.writeString(table, "age,late\n30,yes\n40,no\n");
        Files.writeString(schema, """
                unit: record
                size: 20000000000
                target: late
                columns:
                  age: {type: number, bounds: [18, 90]}
                  late: {type: binary, positive: "yes", negative: "no"}
                """);
        List<String> command = new ArrayList<>(List.of(
                "fit",
                table.toString(),
                "--schema",
                schema.toString(),
                "--formula",
                "late ~ age",
                "--epsilon",
                "1",
                "--delta",
                "1e-11",
                "--no-twins",
                "--out",
                folder.resolve("fit").toString()));
        command.addAll(List.of(more));
        return CliRun.of(command.toArray(String[]::new));
    }

    @Test
    void withoutAnEngineOneSentenceSaysHowToGetOne() throws Exception {
        String errors =
                fit("--engine", "spark://head:7077").failed(ExitCode.CONFIG).errors();
        assertThat(errors).contains("by the launcher tacit").hasLineCount(1);
        assertThat(folder.resolve("fit")).doesNotExist();
        assertThat(folder.resolve("people.ledger")).doesNotExist();
        CliRun.typed("engine try").failed(ExitCode.CONFIG);
        CliRun.typed("engine check --engine spark://head:7077").failed(ExitCode.CONFIG);
    }

    @Test
    void settingsOfAClusterNeedACluster() throws Exception {
        assertThat(fit("--spark", "spark.executor.memory=4g")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--engine");
        fit("--engine", "local", "--spark", "x").failed(ExitCode.USAGE);
    }

    /** From the declared size alone: two rows are in the file. */
    @Test
    void aTableThatOneMachineTakesLongForIsTold() throws Exception {
        assertThat(fit("--threads", "2").succeeded().output())
                .contains("--engine spark://")
                .contains("hours");
    }

    @Test
    void aTableElsewhereNeedsTheNameOfALedger() throws Exception {
        Path schema = folder.resolve("schema.yaml");
        fit("--engine", "local", "--spark", "x");
        assertThat(CliRun.of(
                                "fit",
                                "hdfs:///people",
                                "--schema",
                                schema.toString(),
                                "--formula",
                                "late ~ age",
                                "--epsilon",
                                "1",
                                "--delta",
                                "1e-11",
                                "--out",
                                folder.resolve("fit").toString())
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--ledger");
    }

    @Test
    void costs() {
        String output = CliRun.typed("engine cost --rows 1e9 --columns 21 --releases 9")
                .succeeded()
                .output();
        assertThat(output).contains("a cluster of 64 cores").contains("GB of memory");
        List<?> json = (List<?>) Json.read(
                CliRun.typed("engine cost --rows 1e10 --json").succeeded().output());
        assertThat(json).hasSize(4);
        assertThat((Double) ((Map<?, ?>) json.get(3)).get("wholeSeconds"))
                .isLessThan((Double) ((Map<?, ?>) json.get(1)).get("wholeSeconds"));
        CliRun.typed("engine cost --rows many").failed(ExitCode.USAGE);
        CliRun.typed("engine cost --rows 1e9 --rate 2").failed(ExitCode.USAGE);
    }

    /** Twice the rows take twice the work, and cores share it. */
    @Test
    void costsAreLinear() {
        EngineCost.Work work = new EngineCost.Work(1e8, 21, 9, 1, 21);
        EngineCost.Work twice = new EngineCost.Work(2e8, 21, 9, 1, 21);
        assertThat(EngineCost.local(twice, 4).wholeSeconds())
                .isEqualTo(2 * EngineCost.local(work, 4).wholeSeconds());
        assertThat(EngineCost.local(work, 8).wholeSeconds())
                .isEqualTo(EngineCost.local(work, 4).wholeSeconds() / 2);
        assertThat(EngineCost.outgrown(new EngineCost.Work(1e6, 21, 9, 1, 21), 2, 1L << 30))
                .isFalse();
        assertThat(EngineCost.outgrown(new EngineCost.Work(1e10, 21, 9, 1, 21), 2, 1L << 30))
                .isTrue();
    }
}
