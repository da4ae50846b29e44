package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own: real exit codes, real pipes. */
@Timeout(120)
class ProcessTest {
    private static final String REQUEST =
            "{\"id\":1,\"event\":{\"type\":\"gaussian\",\"noiseMultiplier\":1},\"delta\":1e-5}\n";

    @TempDir
    private Path folder;

    private ProcessBuilder tacit(String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), "dev.tacit.cli.Tacit"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().remove("TACIT_DEBUG");
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    private String errors() throws IOException {
        return Files.readString(folder.resolve("errors"));
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void exitCodesReachTheShell() throws Exception {
        Process wrong = tacit("account", "--delta", "7").start();
        assertThat(exitCode(wrong)).isEqualTo(64);
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
        assertThat(exitCode(process)).as(errors()).isZero();
        assertThat(output).startsWith("{\"id\":\"J\u00e4lk\u00f6 \u2203\"");
    }

    @Test
    void aReaderThatGoesAwayIsMetWithSilence() throws Exception {
        Path requests = Files.writeString(folder.resolve("requests.jsonl"), REQUEST.repeat(2000));
        Process process = tacit("account", "--batch", requests.toString()).start();
        try (InputStream output = process.getInputStream()) {
            assertThat(output.read()).isEqualTo('{');
        }
        assertThat(exitCode(process)).isEqualTo(ExitCode.OUTPUT_CLOSED.code());
        assertThat(errors()).isEmpty();
    }

    @Test
    void debugPrintsTheTraceOnRequest() throws Exception {
        ProcessBuilder builder = tacit("account", "--delta", "7");
        builder.environment().put("TACIT_DEBUG", "1");
        assertThat(exitCode(builder.start())).isEqualTo(64);
        assertThat(errors()).contains("\tat dev.tacit.cli").contains("\ntacit: ");
    }
}
