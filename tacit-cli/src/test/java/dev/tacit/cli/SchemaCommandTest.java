package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaCommandTest {
    private static final String SCHEMA = """
            unit: record
            size: 4
            target: y
            columns:
              a: {type: number, bounds: [0, 10]}
              b: {type: category, categories: [u, v]}
              y: {type: binary, positive: "yes", negative: "no"}
            """;

    @TempDir
    Path folder;

    private CliRun check(String csv, String... more) throws IOException {
        Path table = Files.writeString(folder.resolve("t.csv"), csv);
        Path schema = Files.writeString(folder.resolve("s.yaml"), SCHEMA);
        return CliRun.of(Stream.concat(
                        Stream.of("schema", "check", table.toString(), "--schema", schema.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    /** A schema that matches no target is seen before a budget is spent on it. */
    @Test
    void aSchemaThatMatchesNothingIsSeen() throws IOException {
        CliRun run = check("a,b,y\n3,u,1\n12,secret,0\n").succeeded();
        assertThat(run.output())
                .startsWith("PRIVATE: ")
                .contains("No unit can be used")
                .contains("not understood")
                .doesNotContain("secret");
        assertThat(check("a,b,y\n3,u,yes\n4,v,no\n").succeeded().output()).doesNotContain("No unit can be used");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void theJsonFormSaysThatItIsPrivate() throws IOException {
        Object json = Json.read(
                check("a,b,y\n3,u,yes\n12,w,no\n", "--json").succeeded().output());
        assertThat(json)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("private", true)
                .containsEntry("records", 2L)
                .containsEntry("usableUnits", 2L);
        Object columns = ((Map<?, ?>) json).get("columns");
        assertThat(((Map<?, ?>) ((Map<?, ?>) columns).get("a")).get("aboveBounds"))
                .isEqualTo(1L);
        assertThat(((Map<?, ?>) ((Map<?, ?>) columns).get("b")).get("otherValues"))
                .isEqualTo(1L);
    }

    @Test
    void whatIsWrongIsSaidByTheUsualCodes() throws IOException {
        check("a,b\n1,u\n").failed(ExitCode.BAD_DATA);
        check("a,b,y\n1,\"u\n").failed(ExitCode.BAD_DATA);
        CliRun.of(
                        "schema",
                        "check",
                        folder.resolve("none.csv").toString(),
                        "--schema",
                        folder.resolve("s.yaml").toString())
                .failed(ExitCode.NO_INPUT);
        CliRun.of(
                        "schema",
                        "check",
                        folder.resolve("t.csv").toString(),
                        "--schema",
                        folder.resolve("none.yaml").toString())
                .failed(ExitCode.NO_INPUT);
        CliRun.of("schema", "check", folder.resolve("t.csv").toString()).failed(ExitCode.USAGE);
        assertThat(CliRun.of("schema", "check", "--help").output()).contains("PRIVATE");
    }

    @Test
    void aDraftOfAFileWithoutAHeaderIsRefused() throws IOException {
        Path table = Files.writeString(folder.resolve("t.csv"), "Alice,42,diabetes\nBob,43,flu\n");
        CliRun run = CliRun.of("schema", "draft", table.toString()).failed(ExitCode.BAD_DATA);
        assertThat(run.errors()).contains("header: false").doesNotContain("Alice", "42", "diabetes");
    }
}
