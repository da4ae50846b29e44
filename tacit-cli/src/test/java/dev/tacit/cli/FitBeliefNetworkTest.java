package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Belief networks from the command line: pictures of crosses, 4 × 4 grey pixels each. */
class FitBeliefNetworkTest {
    private static final int SIZE = 3000;
    private static final int WIDTH = 4;

    @TempDir
    private Path folder;

    private FitTables tables;

    @BeforeEach
    void declare() {
        tables = new FitTables(folder);
    }

    /** One row and one column of each picture are bright; one pixel in twenty is wrong. */
    private static String pictures(String column, int rows, long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        StringBuilder csv = new StringBuilder();
        for (int j = 0; j < WIDTH * WIDTH; j++) {
            csv.append(j == 0 ? "" : ",").append(column).append(j);
        }
        for (int row = 0; row < rows; row++) {
            int across = random.nextInt(2);
            int down = random.nextInt(2);
            csv.append('\n');
            for (int j = 0; j < WIDTH * WIDTH; j++) {
                boolean on = (j / WIDTH == 2 * across) ^ (j % WIDTH == 2 * down) ^ (random.uniform() < 0.05);
                csv.append(j == 0 ? "" : ",").append(on ? 200 + random.nextInt(56) : random.nextInt(100));
            }
        }
        return csv.append('\n').toString();
    }

    private static String schema(String column, String more) {
        StringBuilder yaml = new StringBuilder("unit: record\nsize: " + SIZE + "\n" + more + "columns:\n");
        for (int j = 0; j < WIDTH * WIDTH; j++) {
            yaml.append("  ").append(column).append(j).append(": {type: number, bounds: [0, 255]}\n");
        }
        return yaml.toString();
    }

    private CliRun fit(String column, String more, String name, String... settings) {
        Path table = tables.write(name + ".csv", pictures(column, SIZE, 1));
        Path schema = tables.write(name + ".yaml", schema(column, more));
        List<String> args = FitTables.fit(
                table,
                schema,
                folder.resolve(name),
                "--model",
                "sigmoid-belief-network",
                "--epsilon",
                "8",
                "--delta",
                "1e-5",
                "--simulate",
                "--seed",
                "3",
                "--set",
                "hiddenUnits=4");
        for (String setting : settings) {
            args.add(setting);
        }
        return FitTables.run(args);
    }

    @Test
    void aFitIsDrawnDescribedAndScored() throws IOException {
        fit("pixel", "encoding: {intercept: false}\n", "crosses", "--set", "l2Bound=2")
                .succeeded();
        Path out = folder.resolve("crosses");
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("What hidden units draw", "Pictures drawn from the model", "data:image/png;base64,");
        Path test = tables.write("test.csv", pictures("pixel", 500, 2));
        Map<String, Object> scores = CliRun.of("score", out.toString(), test.toString(), "--json")
                .succeeded()
                .json();
        double constant = (Double) scores.get("constantReconstructionAccuracy");
        assertThat((Double) scores.get("reconstructionAccuracy")).isGreaterThan(constant + 0.05);
        assertThat((Double) scores.get("heldOutNats")).isLessThan((Double) scores.get("constantHeldOutNats"));
        String described = CliRun.of("predict", out.toString(), test.toString())
                .succeeded()
                .output();
        assertThat(described.lines().findFirst().orElseThrow())
                .startsWith("hidden-1,hidden-2,hidden-3,hidden-4,")
                .endsWith("reconstructed pixel15");
        assertThat(described.lines()).hasSize(501);
    }

    @Test
    void columnsThatAreNotAPictureAreListed() throws IOException {
        fit("answer-", "encoding: {intercept: false}\n", "answers", "--set", "pictureWidth=0", "--set", "steps=3")
                .succeeded();
        assertThat(Files.readString(folder.resolve("answers").resolve("report.html")))
                .contains("What hidden units switch on", "answer-7");
    }

    @Test
    void theClosedFormIsAnotherMethod() {
        CliRun run = fit(
                        "pixel",
                        "encoding: {intercept: false}\n",
                        "closed",
                        "--method",
                        "private-vb",
                        "--set",
                        "prior=shrinking",
                        "--set",
                        "steps=3")
                .succeeded();
        assertThat(run.output()).contains("What hidden units draw");
    }

    @Test
    void whatABeliefNetworkCannotUseIsRefused() {
        assertThat(fit("pixel", "encoding: {intercept: true}\n", "intercept")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("intercept: false");
        assertThat(fit("pixel", "target: pixel3\nencoding: {intercept: false}\n", "target")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("declare no target");
        assertThat(fit("pixel", "encoding: {intercept: false}\n", "width", "--set", "pictureWidth=5")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("pictureWidth");
        assertThat(folder.resolve("width")).doesNotExist();
    }
}
