package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real data sets by name; no real data is needed to see how the verbs answer. */
class DatasetsCommandTest {
    @TempDir
    private Path folder;

    private String raw() {
        return folder.toString();
    }

    @Test
    void theListSaysWhatIsHere() {
        assertThat(CliRun.of("datasets", "list", "--data-dir", raw())
                        .succeeded()
                        .output())
                .contains("adult", "not found", "TACIT_DATA");
        List<?> sets = (List<?>) CliRun.of("datasets", "list", "--data-dir", raw(), "--json")
                .succeeded()
                .json()
                .get("datasets");
        assertThat(sets)
                .map(CliRun::object)
                .allSatisfy(set -> assertThat(set)
                        .containsOnlyKeys("name", "title", "rows", "columns", "task", "licence", "source", "rawFiles")
                        .containsEntry("rawFiles", "not found"))
                .anySatisfy(set -> assertThat(set).containsEntry("name", "adult"));
    }

    @Test
    void anUnknownNameIsAUsageError() {
        for (String verb : List.of("path", "prepare")) {
            CliRun.of("datasets", verb, "crystal-ball", "--data-dir", raw()).failed(ExitCode.USAGE);
            assertThat(CliRun.of("datasets", verb, "adlut", "--data-dir", raw())
                            .failed(ExitCode.USAGE)
                            .errors())
                    .contains("adult");
            CliRun.of("datasets", verb).failed(ExitCode.USAGE);
        }
        CliRun.of("datasets").failed(ExitCode.USAGE);
        CliRun.of("datasets", "prepare", "adult", "--data-dir", raw(), "--set", "frobnicate=1", "--out", raw())
                .failed(ExitCode.USAGE);
    }

    @Test
    void rawFilesThatAreNotHereAreNoInput() {
        Path out = folder.resolve("out");
        for (String where : List.of(raw(), folder.resolve("none").toString())) {
            CliRun.of("datasets", "path", "adult", "--data-dir", where).failed(ExitCode.NO_INPUT);
            CliRun.of("datasets", "prepare", "adult", "--data-dir", where, "--out", out.toString())
                    .failed(ExitCode.NO_INPUT);
        }
        assertThat(out).doesNotExist();
    }

    @Test
    void filesThatAreNotThePublishedOnesAreBadData() throws IOException {
        Files.writeString(folder.resolve("adult.data"), "39, State-gov, 4711\n");
        Files.writeString(folder.resolve("adult.test"), "|1x3 Cross validator\n25, Private, 4711\n");
        assertThat(CliRun.of("datasets", "path", "adult", "--data-dir", raw())
                        .succeeded()
                        .output())
                .contains("adult.data", "differs");
        List<?> files = (List<?>) CliRun.of("datasets", "path", "adult", "--data-dir", raw(), "--json")
                .succeeded()
                .json()
                .get("files");
        assertThat(files)
                .map(CliRun::object)
                .allSatisfy(file -> assertThat(file).containsOnlyKeys("file", "path", "status"));
        Path out = folder.resolve("out");
        assertThat(CliRun.of("datasets", "prepare", "adult", "--data-dir", raw(), "--out", out.toString())
                        .failed(ExitCode.BAD_DATA)
                        .errors())
                .contains("checksum")
                .doesNotContain("4711");
        assertThat(out).doesNotExist();
    }
}
