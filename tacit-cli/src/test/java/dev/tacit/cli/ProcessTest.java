package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own: real exit codes, real pipes. */
class ProcessTest {
    private static final String REQUEST =
            "{\"id\":1,\"event\":{\"type\":\"gaussian\",\"noiseMultiplier\":1},\"delta\":1e-5}\n";

    @TempDir
    private Path folder;

    private ProcessBuilder tacit(String... args) {
        return ChildProcess.tacit(folder.resolve("errors"), List.of(args));
    }

    private String errors() throws IOException {
        return Files.readString(folder.resolve("errors"));
    }

    @Test
    void exitCodesReachTheShell() throws Exception {
        Process wrong = tacit("account", "--delta", "7").start();
        assertThat(ChildProcess.exitCode(wrong)).isEqualTo(64);
        CliRun.assertOneSentence(errors());
    }

    /** Standard output is UTF-8 whatever the locale, so that ids come back as they were sent. */
    @Test
    void idsSurviveAnyLocale() throws Exception {
        Process process = tacit("account", "--batch", "-").start();
        try (var input = process.getOutputStream()) {
            input.write(REQUEST.replace(":1,\"event", ":\"J\u00e4lk\u00f6 \u2203\",\"event")
                    .getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ChildProcess.exitCode(process)).as(errors()).isZero();
        assertThat(output).startsWith("{\"id\":\"J\u00e4lk\u00f6 \u2203\"");
    }

    @Test
    void aReaderThatGoesAwayIsMetWithSilence() throws Exception {
        Path requests = Files.writeString(folder.resolve("requests.jsonl"), REQUEST.repeat(2000));
        Process process = tacit("account", "--batch", requests.toString()).start();
        try (InputStream output = process.getInputStream()) {
            assertThat(output.read()).isEqualTo('{');
        }
        assertThat(ChildProcess.exitCode(process)).isEqualTo(ExitCode.OUTPUT_CLOSED.code());
        assertThat(errors()).isEmpty();
    }

    @Test
    void debugPrintsTheTraceOnRequest() throws Exception {
        ProcessBuilder builder = tacit("account", "--delta", "7");
        builder.environment().put("TACIT_DEBUG", "1");
        assertThat(ChildProcess.exitCode(builder.start())).isEqualTo(64);
        assertThat(errors()).contains("\tat dev.tacit.cli").contains("\ntacit: ");
    }
}
