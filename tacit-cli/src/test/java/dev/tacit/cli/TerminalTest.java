package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.terminal.Paint;
import dev.tacit.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
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

    private static final String[] CALIBRATE = {"calibrate", "--epsilon", "1", "--delta", "1e-5", "--steps", "10"};

    @Test
    void headingsHelpAndErrorsAreColouredOnATerminal() {
        assertThat(run(XTERM, true, CALIBRATE).output()).contains(ESCAPE + "1m");
        assertThat(run(XTERM, true, "help", "fit").output()).contains(ESCAPE);
        assertThat(run(XTERM, true, "fit", "--help").output()).contains(ESCAPE);
        assertThat(run(XTERM, true, "fti").errors())
                .startsWith(ESCAPE + "1;31mtacit:" + ESCAPE + "0m there is no verb");
    }

    @Test
    void coloursChangeNothingElse() {
        String plain = CliRun.of(CALIBRATE).output();
        assertThat(run(XTERM, true, CALIBRATE).output().replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(plain);
    }

    @Test
    void numbersForProgramsHaveNoColours() {
        String[] json = {"calibrate", "--epsilon", "1", "--delta", "1e-5", "--steps", "10", "--json"};
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
            assertThat(run(environment, true, CALIBRATE).output()).doesNotContain("\u001b");
            assertThat(run(environment, true, "fti").errors()).doesNotContain("\u001b");
        }
        assertThat(run(XTERM, false, CALIBRATE).output()).doesNotContain("\u001b");
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
    @ValueSource(strings = {"", "  age  0.1", "warning", "            goes on", "Ledger of people", "  noise"})
    void otherLinesStayAsTheyAre(String line) {
        assertThat(Paint.line(line)).isEqualTo(line);
    }
}
