package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.terminal.Paint;
import dev.tacit.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Colours where somebody sees them, and nowhere else. */
class TerminalTest {
    private static final Map<String, String> XTERM = Map.of("TERM", "xterm-256color");
    private static final String ESCAPE = "\u001b[";

    /** What a command prints, on the streams of a terminal with this environment. */
    private static CliRun run(Map<String, String> environment, boolean isTerminal, String... args) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Console console = new Console(
                new ByteArrayInputStream(new byte[0]),
                output,
                errors,
                Terminal.of(isTerminal, isTerminal, environment));
        int exitCode = Tacit.run(args, console);
        return new CliRun(exitCode, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    private static final String[] ACCOUNT = {"account", "--noise-multiplier", "2", "--delta", "1e-5", "--steps", "10"};

    @Test
    void headingsHelpAndErrorsAreColouredOnATerminal() {
        assertThat(run(XTERM, true, ACCOUNT).output()).contains("  " + ESCAPE + "1mmeans" + ESCAPE + "0m     ");
        assertThat(run(XTERM, true, "help", "fit").output()).contains(ESCAPE);
        assertThat(run(XTERM, true, "fit", "--help").output()).contains(ESCAPE);
        assertThat(run(XTERM, true, "fti").errors())
                .startsWith(ESCAPE + "1;31mtacit:" + ESCAPE + "0m there is no verb");
    }

    @Test
    void coloursChangeNothingElse() {
        for (String[] args : List.of(ACCOUNT, new String[] {"help", "fit"})) {
            assertThat(withoutTimes(run(XTERM, true, args).output().replaceAll("\u001b\\[[0-9;]*m", "")))
                    .isEqualTo(withoutTimes(CliRun.of(args).output()));
        }
    }

    /** How long an accountant took differs from run to run, and with it the width of a column. */
    private static String withoutTimes(String output) {
        return output.replaceAll(" +", " ").replaceAll("[0-9.,]+ ms", "ms");
    }

    @Test
    void numbersForProgramsHaveNoColours() {
        String[] json = Arrays.copyOf(ACCOUNT, ACCOUNT.length + 1);
        json[ACCOUNT.length] = "--json";
        assertThat(run(XTERM, true, json).output())
                .isEqualTo(CliRun.of(json).output())
                .doesNotContain("\u001b");
        assertThat(run(XTERM, true, "completion", "bash").output())
                .isEqualTo(CliRun.of("completion", "bash").output());
    }

    @Test
    void nothingIsColouredElsewhere() {
        for (Map<String, String> environment : List.of(
                Map.<String, String>of(),
                Map.of("TERM", "dumb"),
                Map.of("TERM", "xterm", "NO_COLOR", "1"),
                Map.of("TERM", "dumb", "NO_COLOR", ""))) {
            assertThat(run(environment, true, ACCOUNT).output()).doesNotContain("\u001b");
            assertThat(run(environment, true, "fti").errors()).doesNotContain("\u001b");
        }
        assertThat(run(XTERM, false, ACCOUNT).output()).doesNotContain("\u001b");
        assertThat(run(XTERM, false, "fti").errors()).doesNotContain("\u001b");
    }

    @Test
    void anEmptyNoColorIsNone() {
        assertThat(Terminal.of(true, true, Map.of("TERM", "xterm", "NO_COLOR", ""))
                        .colouredOutput())
                .isTrue();
    }

    @Test
    void aLineIsDrawnAgainOnlyWhereThatWorks() {
        assertThat(Terminal.of(false, true, XTERM).errors()).isEqualTo(Terminal.Errors.DRAWN);
        assertThat(Terminal.of(false, true, Map.of("TERM", "dumb")).errors()).isEqualTo(Terminal.Errors.WRITTEN);
        assertThat(Terminal.of(true, false, XTERM).errors()).isEqualTo(Terminal.Errors.WRITTEN);
        assertThat(Terminal.none().errors()).isEqualTo(Terminal.Errors.NOBODY);
    }

    @Test
    void warningsStandOut() {
        assertThat(Paint.line("  warning   the delta is large"))
                .isEqualTo("  " + ESCAPE + "1;33mwarning" + ESCAPE + "0m   the delta is large");
        assertThat(Paint.line("  noise     multiplier 2")).startsWith("  " + ESCAPE + "1mnoise");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  age  0.1",
                "  noise multiplier     11.7973  found",
                "warning",
                "            goes on",
                "Ledger of people",
                "  noise"
            })
    void otherLinesStayAsTheyAre(String line) {
        assertThat(Paint.line(line)).isEqualTo(line);
    }
}
