package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Man pages say what the help says, and groff has nothing to complain about. */
class ManPagesTest {
    @TempDir
    private Path folder;

    private Path pages;

    @BeforeEach
    void write() {
        pages = folder.resolve("man/man1");
        assertThat(CliRun.of("help", "--man", pages.toString()).succeeded().output())
                .contains("man pages to " + pages)
                .contains(pages.resolve("tacit.1").toString());
    }

    private static Stream<CommandLine> all(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(ManPagesTest::all));
    }

    @Test
    void everyVerbHasAPageWithAllItsOptions() throws IOException {
        for (CommandLine command : all(Verbs.all()).toList()) {
            String name = command.getCommandSpec().qualifiedName("-");
            String page = Files.readString(pages.resolve(name + ".1"));
            assertThat(page).startsWith(".TH \"" + name.toUpperCase(Locale.ROOT).replace("-", "\\-"));
            assertThat(page).contains("\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH OPTIONS\n");
            for (OptionSpec option : command.getCommandSpec().options()) {
                assertThat(page).as(name).contains("\\fB" + option.longestName().replace("-", "\\-") + "\\fR");
            }
        }
    }

    /** Nothing that a description holds is taken for a request or an escape of roff. */
    @Test
    void groffRendersEveryPageWithoutAWarning() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "groff is needed");
        try (Stream<Path> files = Files.list(pages)) {
            for (Path page : files.sorted().toList()) {
                Process process = new ProcessBuilder(List.of("groff", "-man", "-Tascii", "-ww", "-z", page.toString()))
                        .redirectErrorStream(true)
                        .start();
                process.getOutputStream().close();
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(said).isZero();
                assertThat(said).as(page.toString()).isEmpty();
            }
        }
    }

    @Test
    void groffShowsWhatTheHelpSays() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "groff is needed");
        Process process = new ProcessBuilder(
                        "groff",
                        "-man",
                        "-Tascii",
                        "-P-c",
                        "-P-b",
                        "-P-u",
                        pages.resolve("tacit-fit.1").toString())
                .start();
        process.getOutputStream().close();
        String shown =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\s+", " ");
        assertThat(process.waitFor()).isZero();
        assertThat(shown)
                .contains("--formula F")
                .contains("'died ~ age + sex*icu + (1 | hospital)'")
                .contains("logistic-regression")
                .contains("tacit fit loans.csv --schema loans.schema.yaml");
    }

    @Test
    void aPlaceThatCannotBeWrittenIsConfig() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        CliRun.of("help", "--man", file.toString()).failed(ExitCode.CONFIG);
        CliRun.of("help", "--man", file.resolve("below").toString()).failed(ExitCode.CONFIG);
    }
}
