package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verb's manners; the experiments themselves are long and have their own place. */
class ReproduceCommandTest {
    private static final String EXPERIMENT = "vips-logistic-adult";

    @TempDir
    private Path folder;

    @Test
    void theListNamesEveryExperiment() {
        assertThat(CliRun.of("reproduce", "--list").succeeded().output()).contains(EXPERIMENT);
        List<?> all = (List<?>)
                CliRun.of("reproduce", "--list", "--json").succeeded().json().get("experiments");
        assertThat(all).map(CliRun::object).allSatisfy(one -> assertThat(one).containsOnlyKeys("name", "about"));
    }

    @Test
    void anUnknownExperimentIsAUsageError() {
        assertThat(CliRun.of("reproduce", "crystal-ball").failed(ExitCode.USAGE).errors())
                .contains("--list");
        CliRun.of("reproduce").failed(ExitCode.USAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "2.5", "some", "1001", "1e15"})
    void theNumberOfSeedsIsChecked(String seeds) {
        assertThat(CliRun.of("reproduce", EXPERIMENT, "--seeds", seeds, "--data-dir", folder.toString())
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--seeds", "1000");
    }

    @Test
    void casesAreChosenByAPartOfTheirNames() {
        assertThat(CliRun.of("reproduce", "glm-coverage", "--case", "crystal")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("no case of glm-coverage has crystal in its name", "kin8nm / y, gaussian, epsilon 0.5");
        assertThat(CliRun.of("reproduce", EXPERIMENT, "--case", "adult")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("run as a whole");
        CliRun.of("reproduce", "glm-coverage", "--case", "kin8nm", "--data-dir", folder.toString())
                .failed(ExitCode.NO_INPUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1025", "two"})
    void theNumberOfThreadsIsChecked(String threads) {
        assertThat(CliRun.of("reproduce", EXPERIMENT, "--threads", threads, "--data-dir", folder.toString())
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--threads", "1024");
    }

    @Test
    void dataThatAreNotHereAreNoInput() {
        CliRun.of("reproduce", EXPERIMENT, "--data-dir", folder.toString()).failed(ExitCode.NO_INPUT);
        CliRun.of("reproduce", EXPERIMENT, "--data-dir", folder.resolve("none").toString())
                .failed(ExitCode.NO_INPUT);
    }

    @Test
    void aPlaceThatCannotBeWrittenIsSaidBeforeTheRun() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        CliRun.of(
                        "reproduce",
                        EXPERIMENT,
                        "--data-dir",
                        folder.toString(),
                        "--out",
                        file.resolve("below").toString())
                .failed(ExitCode.CONFIG);
    }
}
