package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics from documents to report, on the command line. */
class FitTopicsTest {
    private static final List<String> WORDS = List.of("goal", "team", "match", "song", "band", "album");

    @TempDir
    private Path folder;

    @BeforeEach
    void writeDocuments() throws IOException {
        RandomStream random = RandomStream.ofSeed(4);
        StringBuilder text = new StringBuilder();
        for (int document = 0; document < 400; document++) {
            int topic = random.nextInt(2);
            for (int token = 0; token < 12; token++) {
                int own = random.uniform() < 0.9 ? topic : 1 - topic;
                text.append(WORDS.get(3 * own + random.nextInt(3))).append(' ');
            }
            text.append("unheard\n");
        }
        Files.writeString(folder.resolve("docs.txt"), text);
        Files.writeString(folder.resolve("words.txt"), String.join("\n", WORDS) + "\n");
        Files.writeString(
                folder.resolve("docs.yaml"),
                "unit: record\nsize: 400\ncorpus: {format: text, vocabulary: words.txt}\n");
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private CliRun fit(String... more) {
        List<String> arguments = new java.util.ArrayList<>(
                List.of("fit", path("docs.txt"), "--schema", path("docs.yaml"), "--model", "lda", "--set", "topics=2"));
        arguments.addAll(List.of(more));
        return CliRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void fitsDescribesScoresAndReports() throws IOException {
        String output = fit("--epsilon", "8", "--delta", "1e-3", "--out", path("fit"), "--simulate", "--seed", "1")
                .succeeded()
                .output();
        assertThat(output).contains("Topics", "topic-1", "topic-2", "frequencies of words");
        assertThat(Files.readString(folder.resolve("fit/report.html"))).contains("Topics", "song", "goal");

        assertThat(CliRun.of("score", path("fit"), path("docs.txt"), "--on-training-data")
                        .succeeded()
                        .output())
                .contains("perplexity", "perplexityUnigram", "perplexityBound");
        Files.writeString(folder.resolve("new.txt"), "goal goal match team goal\nsong album band song\n\n");
        String[] lines = CliRun.of("predict", path("fit"), path("new.txt"))
                .succeeded()
                .output()
                .strip()
                .split("\n", -1);
        assertThat(lines).hasSize(4);
        assertThat(lines[0].strip()).isEqualTo("topic-1,topic-2");
        double sport = Double.parseDouble(lines[1].split(",", -1)[0]);
        double music = Double.parseDouble(lines[2].split(",", -1)[0]);
        assertThat(Math.abs(sport - music)).isGreaterThan(0.5);
        assertThat(CliRun.of("diagnose", path("fit")).succeeded().output()).contains("Not checked", "planned releases");
    }

    @Test
    void fitsWithoutPrivacyToo() {
        assertThat(fit("--not-private", "--out", path("free")).succeeded().output())
                .contains("topic-2", "not private");
    }

    @Test
    void whatDoesNotFitIsOneSentence() throws IOException {
        assertThat(fit("--set", "topics=3", "--epsilon", "1", "--delta", "1e-3", "--out", path("x"))
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("twice");
        assertThat(CliRun.of(
                                "fit",
                                path("docs.txt"),
                                "--schema",
                                path("docs.yaml"),
                                "--model",
                                "logistic-regression",
                                "--epsilon",
                                "1",
                                "--delta",
                                "1e-3",
                                "--out",
                                path("x"))
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("binary");
        Files.writeString(
                folder.resolve("docs.yaml"),
                "unit: record\nsize: 400\ncorpus: {format: docword," + " vocabulary: words.txt}\n");
        assertThat(fit("--epsilon", "1", "--delta", "1e-3", "--out", path("x"))
                        .failed(ExitCode.BAD_DATA)
                        .errors())
                .contains("docs.txt");
        assertThat(folder.resolve("x")).doesNotExist();
    }
}
