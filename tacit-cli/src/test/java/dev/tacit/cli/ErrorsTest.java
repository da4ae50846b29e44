package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that people get wrong is one sentence and an exit code. */
class ErrorsTest {
    private static final String EVENT = "{\"type\":\"gaussian\",\"noiseMultiplier\":1}";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acount",
                "--delta 1e-5",
                "ledger",
                "ledger frobnicate",
                "ledger show",
                "account",
                "account --nosie-multiplier 1",
                "account extra",
                "account --delta",
                "account --delta 1e-5",
                "account --noise-multiplier 1 --delta 1e-5",
                "account --noise-multiplier 1 --steps 10",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --delta 1e-6",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --epsilon 1",
                "account --noise-multiplier -1 --steps 10 --delta 1e-5",
                "account --noise-multiplier 0 --steps 10 --delta 1e-5",
                "account --noise-multiplier -0.0 --steps 10 --delta 1e-5",
                "account --noise-multiplier NaN --steps 10 --delta 1e-5",
                "account --noise-multiplier Infinity --steps 10 --delta 1e-5",
                "account --noise-multiplier 1e999 --steps 10 --delta 1e-5",
                "account --noise-multiplier one --steps 10 --delta 1e-5",
                "account --noise-multiplier 1 --steps 0 --delta 1e-5",
                "account --noise-multiplier 1 --steps -5 --delta 1e-5",
                "account --noise-multiplier 1 --steps 2.5 --delta 1e-5",
                "account --noise-multiplier 1 --steps 1e16 --delta 1e-5",
                "account --noise-multiplier 1 --steps 99999999999999999999999 --delta 1e-5",
                "account --noise-multiplier 1 --steps 1e999999999 --delta 1e-5",
                "account --noise-multiplier 1 --steps 10 --delta 0",
                "account --noise-multiplier 1 --steps 10 --delta 1",
                "account --noise-multiplier 1 --steps 10 --delta -1e-5",
                "account --noise-multiplier 1 --steps 10 --delta NaN",
                "account --noise-multiplier 1 --steps 10 --epsilon -1",
                "account --noise-multiplier 1 --steps 10 --epsilon Infinity",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --sampling poisson:0",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --sampling poisson:1.5",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --sampling poisson:?",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --sampling fixed:11/10",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --sampling shuffle",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --neighbours both",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --events e.json",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --plot plot.png",
                "account --noise-multiplier 1 --steps 10 --epsilon 1 --plot plot.html",
                "account --noise-multiplier 1 --steps 10 --delta 1e-5 --json=yes",
                "account --batch requests.jsonl --delta 1e-5",
                "account --batch requests.jsonl --events e.json",
                "account --batch requests.jsonl --plot plot.html",
                "demo extra"
            })
    void aWrongCommandLineIsAUsageError(String commandLine) {
        CliRun run = CliRun.typed(commandLine);
        run.failed(ExitCode.USAGE);
        assertThat(run.output()).isEmpty();
    }

    @Test
    void aMisspeltVerbIsRecognisedAndAStrangeOneIsNot() {
        assertThat(CliRun.of("fti").failed(ExitCode.USAGE).errors()).contains("did you mean fit?");
        assertThat(CliRun.of("diagnos").failed(ExitCode.USAGE).errors()).contains("did you mean diagnose?");
        assertThat(CliRun.of("man").failed(ExitCode.USAGE).errors()).doesNotContain("did you mean");
    }

    @Test
    void helpIsAWordToo() {
        assertThat(CliRun.of("help", "ledger", "show").succeeded().output())
                .isEqualTo(CliRun.of("ledger", "show", "--help").succeeded().output());
        assertThat(CliRun.of("help").succeeded().output())
                .isEqualTo(CliRun.of("--help").succeeded().output());
    }

    @Test
    void aMisspeltOptionIsRecognised() {
        assertThat(CliRun.typed("account --noise-multplier 1")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--noise-multiplier");
        assertThat(CliRun.typed("acount").failed(ExitCode.USAGE).errors()).contains("account");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"type\":\"gauss\",\"noiseMultiplier\":1}",
                "{\"type\":\"gaussian\"}",
                "{\"type\":\"gaussian\",\"noiseMultiplier\":0}",
                "{\"type\":\"gaussian\",\"noiseMultiplier\":\"4711\"}",
                "{\"type\":\"gaussian\",\"noiseMultiplier\":1,\"more\":4711}",
                "{\"type\":\"poisson\",\"rate\":4711,\"event\":" + EVENT + "}",
                "{\"type\":\"fixed\",\"batch\":4711,\"population\":1,\"event\":" + EVENT + "}",
                "{\"type\":\"repeated\",\"times\":-4711,\"event\":" + EVENT + "}",
                "[]",
                "4711"
            })
    void aWrongEventIsBadDataAndItsValuesAreNotRepeated(String json) {
        CliRun run = CliRun.withInput(json, "account", "--events", "-", "--delta", "1e-5")
                .failed(ExitCode.BAD_DATA);
        assertThat(run.output()).isEmpty();
        assertThat(run.errors()).contains("standard input").doesNotContain("4711");
    }

    @Test
    void deepNestingIsBadDataNotAStackOverflow() {
        String deep = "{\"type\":\"repeated\",\"times\":1,\"event\":".repeat(100_000);
        CliRun.withInput(deep, "account", "--events", "-", "--delta", "1e-5").failed(ExitCode.BAD_DATA);
    }

    @Test
    void anInputThatIsNotThereIsNoInput() {
        String missing = folder.resolve("missing.json").toString();
        CliRun.of("account", "--events", missing, "--delta", "1e-5").failed(ExitCode.NO_INPUT);
        CliRun.of("account", "--events", folder.toString(), "--delta", "1e-5").failed(ExitCode.NO_INPUT);
        CliRun.of("account", "--batch", missing).failed(ExitCode.NO_INPUT);
        CliRun.of("account", "--batch", folder.toString()).failed(ExitCode.NO_INPUT);
        CliRun.of("account", "--events", "a\0b", "--delta", "1e-5").failed(ExitCode.NO_INPUT);
        CliRun.of("ledger", "show", missing).failed(ExitCode.NO_INPUT);
        CliRun.of("ledger", "verify", folder.toString()).failed(ExitCode.NO_INPUT);
    }

    @Test
    void anOutputThatCannotBeWrittenIsConfig() throws IOException {
        String command = "account --noise-multiplier 1 --steps 10 --delta 1e-5 --plot ";
        CliRun.typed(command + folder.resolve("missing/plot.html")).failed(ExitCode.CONFIG);
        Path directory = Files.createDirectory(folder.resolve("plot.html"));
        CliRun.typed(command + directory).failed(ExitCode.CONFIG);
        Path file = Files.writeString(folder.resolve("file"), "");
        CliRun.of("demo", "--out", file.toString()).failed(ExitCode.CONFIG);
        CliRun.of("demo", "--out", file.resolve("below").toString()).failed(ExitCode.CONFIG);
    }

    @Test
    void aFullDiskIsSaidAndAReaderThatWentAwayIsNot() {
        assertThat(runOn("No space left on device").exitCode()).isEqualTo(ExitCode.CONFIG.code());
        CliRun.assertOneSentence(runOn("No space left on device").errors());
        assertThat(runOn("Broken pipe")).isEqualTo(new CliRun(ExitCode.OUTPUT_CLOSED.code(), "", ""));
    }

    private static CliRun runOn(String problem) {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(problem);
            }
        };
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        String[] args = "account --noise-multiplier 1 --steps 10 --delta 1e-5".split(" ", -1);
        int exitCode = Tacit.run(args, new ByteArrayInputStream(new byte[0]), broken, errors);
        return new CliRun(exitCode, "", errors.toString(StandardCharsets.UTF_8));
    }
}
