package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {
    @TempDir
    private Path folder;

    private static String ask(Object id, double noiseMultiplier) {
        return "{\"id\":" + id + ",\"event\":{\"type\":\"gaussian\",\"noiseMultiplier\":" + noiseMultiplier
                + "},\"delta\":1e-5}";
    }

    private static CliRun batch(String... lines) {
        return CliRun.withInput(String.join("\n", lines) + "\n", "account", "--batch", "-");
    }

    @Test
    void answersComeInTheOrderOfTheRequestsWithTheirIds() {
        List<String> requests = new ArrayList<>();
        List<Object> ids = new ArrayList<>();
        for (long id = 0; id < 500; id++) {
            requests.add(ask(id, 1.0 + (int) (id % 7)));
            ids.add(id);
        }
        CliRun run = batch(requests.toArray(new String[0])).succeeded();
        assertThat(run.jsonLines()).extracting(answer -> answer.get("id")).containsExactlyElementsOf(ids);
    }

    @Test
    void anAnswerIsTheAnswerOfASingleCall() {
        Map<String, Object> single = CliRun.typed("account --noise-multiplier 2 --steps 1 --delta 1e-5 --json")
                .succeeded()
                .json();
        Map<String, Object> inBatch = batch(ask("\"a\"", 2)).succeeded().json();
        assertThat(inBatch.keySet()).startsWith("id", "results");
        assertThat(inBatch.get("results")).isEqualTo(single.get("results"));
    }

    @Test
    void aLineCanAskForDeltaOrCalibrate() {
        List<Map<String, Object>> answers = batch(
                        "{\"id\":\"d\",\"event\":{\"type\":\"gaussian\",\"noiseMultiplier\":2},\"epsilon\":1,"
                                + "\"neighbours\":\"replace-one\"}",
                        "{\"id\":\"b\",\"calibrate\":{\"epsilon\":1,\"delta\":1e-5},\"steps\":1000,"
                                + "\"sampling\":\"poisson:0.01\",\"neighbours\":\"add-remove\"}")
                .succeeded()
                .jsonLines();
        assertThat((double) CliRun.result(answers.get(0), "exact").get("upper")).isBetween(0.0, 1.0);
        assertThat(answers.get(0)).containsEntry("neighbours", "replace-one").containsEntry("epsilon", 1.0);
        assertThat(answers.get(1).keySet()).startsWith("id", "noiseMultiplier", "epsilon", "delta", "accountant");
        assertThat((double) answers.get(1).get("noiseMultiplier")).isBetween(1.41, 1.42);
    }

    @Test
    void aBadLineIsAnsweredInItsPlaceAndNothingIsLost() throws IOException {
        List<String> lines = new ArrayList<>(Collections.nCopies(20, ask("\"good\"", 1)));
        lines.set(16, "{\"id\":\"bad\",\"event\":{\"type\":\"gauss\"},\"delta\":1e-5}");
        Path file = Files.write(folder.resolve("requests.jsonl"), lines);
        CliRun run = CliRun.of("account", "--batch", file.toString()).failed(ExitCode.BAD_DATA);
        assertThat(run.errors()).contains("line 17").contains("requests.jsonl");
        List<Map<String, Object>> answers = run.jsonLines();
        assertThat(answers).hasSize(20);
        assertThat(answers.get(16).keySet()).containsExactly("id", "line", "error");
        assertThat(answers.get(16)).containsEntry("id", "bad").containsEntry("line", 17L);
        assertThat(answers.stream().filter(answer -> answer.containsKey("results")))
                .hasSize(19);
    }

    @Test
    void severalBadLinesAreStillOneSentence() {
        CliRun run = batch("{", ask(1, 1), "nonsense", "[]").failed(ExitCode.BAD_DATA);
        assertThat(run.errors()).contains("3 lines").contains("line 1");
        assertThat(run.jsonLines()).hasSize(4);
        assertThat(run.jsonLines().get(0)).containsEntry("id", null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id':1}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1}}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1},'delta':1e-5,'epsilon':1}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1},'delta':0}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1},'delta':1}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1},'delta':'1e-5'}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1},'epsilon':-1}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1},'delta':1e-5,'neighbors':'replace-one'}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':1},'delta':1e-5,'neighbours':'other'}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':0},'delta':1e-5}",
                "{'id':1,'event':{'type':'gaussian','noiseMultiplier':-1},'delta':1e-5}",
                "{'id':1,'event':{'type':'poisson','rate':2,'event':{'type':'pure','epsilon':1}},'delta':1e-5}",
                "{'id':1,'event':{'type':'repeated','times':-1,'event':{'type':'pure','epsilon':1}},'delta':1e-5}",
                "{'id':1,'event':7,'delta':1e-5}",
                "{'id':1,'event':{},'calibrate':{}}",
                "{'id':1,'calibrate':{'epsilon':1},'steps':10}",
                "{'id':1,'calibrate':{'epsilon':1,'delta':1e-5},'steps':0}",
                "{'id':1,'calibrate':{'epsilon':1,'delta':1e-5},'steps':10.5}",
                "{'id':1,'calibrate':{'epsilon':1,'delta':1e-5},'steps':10,'sampling':'poisson:2'}",
                "{'id':1,'calibrate':{'epsilon':1,'delta':1e-5}}",
                "{'id':1,'calibrate':{'epsilon':1,'delta':1e-5},'steps':10,'accountant':'mine'}",
                "{'id':[1],'calibrate':{'epsilon':1,'delta':1e-5},'steps':10}",
                "{'id':1,'id':2}",
                "{\"id\":1} {\"id\":2}"
            })
    void aLineThatMeansNothingIsRefused(String line) {
        CliRun run = batch(line.replace('\'', '"')).failed(ExitCode.BAD_DATA);
        assertThat(run.errors()).contains("line 1 of standard input");
        assertThat(run.json().keySet()).containsExactly("id", "line", "error");
    }

    @Test
    void blankLinesAreSkippedButCounted() {
        CliRun run = batch("", ask(1, 1), "  ", "{", "").failed(ExitCode.BAD_DATA);
        assertThat(run.errors()).contains("line 4");
        assertThat(run.jsonLines()).hasSize(2);
    }

    @Test
    void nothingInIsNothingOut() {
        assertThat(CliRun.withInput("", "account", "--batch", "-").succeeded().output())
                .isEmpty();
    }

    @Test
    void textThatIsNotUtf8IsRefused() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int exitCode = Tacit.run(
                new String[] {"account", "--batch", "-"},
                new java.io.ByteArrayInputStream(new byte[] {'"', (byte) 0xff, '"', '\n'}),
                output,
                errors);
        assertThat(exitCode).isEqualTo(65);
        CliRun.assertOneSentence(errors.toString(StandardCharsets.UTF_8));
    }

    /** A program can wait for the answer to one request before it sends the next. */
    @Test
    void answersAreFlushedBeforeTheNextRequestArrives() throws Exception {
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        OutputStream lines = new OutputStream() {
            private final ByteArrayOutputStream line = new ByteArrayOutputStream();

            @Override
            public void write(int b) {
                if (b == '\n') {
                    answers.add(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                } else {
                    line.write(b);
                }
            }
        };
        PipedInputStream input = new PipedInputStream();
        CompletableFuture<Integer> run;
        try (PipedOutputStream requests = new PipedOutputStream(input)) {
            run = CompletableFuture.supplyAsync(() ->
                    Tacit.run(new String[] {"account", "--batch", "-"}, input, lines, new ByteArrayOutputStream()));
            for (int i = 0; i < 3; i++) {
                requests.write((ask(i, 1) + "\n").getBytes(StandardCharsets.UTF_8));
                requests.flush();
                assertThat(answers.poll(60, TimeUnit.SECONDS)).startsWith("{\"id\":" + i + ",");
            }
        }
        assertThat(run.get()).isZero();
    }

    @Test
    void aReaderThatGoesAwayEndsTheRunQuietly() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        String requests = (ask(1, 1) + "\n").repeat(2000);
        int exitCode = Tacit.run(
                new String[] {"account", "--batch", "-"},
                new java.io.ByteArrayInputStream(requests.getBytes(StandardCharsets.UTF_8)),
                closed,
                errors);
        assertThat(exitCode).isEqualTo(ExitCode.OUTPUT_CLOSED.code());
        assertThat(errors.size()).isZero();
    }
}
