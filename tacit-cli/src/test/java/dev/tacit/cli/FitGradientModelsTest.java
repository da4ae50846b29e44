package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.json.Json;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every model that gradients can fit is reached from a table with a schema, and learns something from it. */
class FitGradientModelsTest {
    private static final int ROWS = 1500;
    private static final int STEPS = 100;

    @TempDir
    private Path folder;

    private Path table;

    /** Two features; a count, a number, a yes/no, one of three colours and a waiting time that depend on them. */
    @BeforeEach
    void write() throws IOException {
        RandomStream random = RandomStream.ofSeed(20261115);
        StringBuilder csv = new StringBuilder("a,b,count,amount,yes,colour,wait\n");
        for (int row = 0; row < ROWS; row++) {
            double a = random.uniform();
            double b = random.uniform();
            double rate = Math.exp(0.5 + 1.5 * a - b);
            int count = 0;
            for (double time = random.exponential(); time < rate && count < 20; time += random.exponential()) {
                count++;
            }
            double amount = Math.max(0, Math.min(10, 3 + 4 * a - 2 * b + 0.5 * random.normal()));
            boolean yes = random.uniform() < 1 / (1 + Math.exp(-4 * a + 2));
            double[] scores = {3 * a, 3 * b, 1};
            String colour = "blue";
            double best = Double.NEGATIVE_INFINITY;
            for (int c = 0; c < 3; c++) {
                double score = scores[c] - Math.log(random.exponential());
                if (score > best) {
                    best = score;
                    colour = List.of("red", "green", "blue").get(c);
                }
            }
            csv.append(String.format(
                    Locale.ROOT,
                    "%.4f,%.4f,%d,%.4f,%s,%s,%.4f%n",
                    a,
                    b,
                    count,
                    amount,
                    yes ? "y" : "n",
                    colour,
                    Math.min(10, random.exponential() / 0.8)));
        }
        table = Files.writeString(folder.resolve("table.csv"), csv);
    }

    private Path schema(String target) throws IOException {
        String all = """
                unit: record
                size: %d
                %s
                columns:
                  a: {type: number, bounds: [0, 1]}
                  b: {type: number, bounds: [0, 1]}
                  count: {type: number, bounds: [0, 20]}
                  amount: {type: number, bounds: [0, 10]}
                  yes: {type: binary, positive: "y"}
                  colour: {type: category, categories: [red, green, blue], other: false}
                  wait: {type: number, bounds: [0, 10]}
                """.formatted(ROWS, target.equals("none") ? "encoding: {intercept: false}" : "target: " + target);
        for (String column : List.of("a", "b", "count", "amount", "yes", "colour", "wait")) {
            boolean used = target.equals("none")
                    ? column.equals("colour")
                    : column.equals("a") || column.equals("b") || column.equals(target);
            if (!used) {
                all = all.replaceAll("(?m)^  " + column + ": .*$", "  " + column + ": {type: ignore}");
            }
        }
        return Files.writeString(folder.resolve(target + ".yaml"), all);
    }

    private CliRun fit(String model, Path schema, Path out, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "fit",
                table.toString(),
                "--schema",
                schema.toString(),
                "--model",
                model,
                "--method",
                "dpvi",
                "--epsilon",
                "2",
                "--delta",
                "1e-5",
                "--simulate",
                "--seed",
                "5",
                "--json",
                "--set",
                "sampling=full",
                "--out",
                out.toString()));
        args.addAll(List.of(more));
        return CliRun.of(args.toArray(String[]::new)).succeeded();
    }

    private Map<String, Object> score(Path out) {
        return CliRun.object(
                Json.read(CliRun.of("score", out.toString(), table.toString(), "--on-training-data", "--json")
                        .succeeded()
                        .output()));
    }

    /** The bound lies between the score of the truth and that of the best constant. */
    @ParameterizedTest
    @CsvSource({
        "logistic-regression, yes, expectation, accuracy, 0.68, 1",
        "logistic-regression, yes, draws, accuracy, 0.68, 1",
        "poisson-regression, count, expectation, rmse, 1.0, 1.85",
        "poisson-regression, count, draws, rmse, 1.0, 1.85",
        "linear-regression, amount, aligned, rmse, 0.4, 0.9",
        "softmax-regression, colour, draws, accuracy, 0.5, 1",
        "neural-network, colour, draws, accuracy, 0.45, 1",
        "neural-network, amount, aligned, rmse, 0.4, 1.2",
        "beta-bernoulli, yes, draws, logLikelihood, -0.7, -0.6",
        "gamma-exponential, wait, draws, rmse, 0.8, 1.5",
        "dirichlet-categorical, none, draws, logLikelihood, -1.1, -1.0"
    })
    void modelsAreFittedByGradients(
            String model, String target, String gradients, String metric, double from, double to) throws IOException {
        Path out = folder.resolve("fit");
        fit(model, schema(target), out, "--set", "gradients=" + gradients, "--set", "steps=" + STEPS);
        Map<String, Object> scores = score(out);
        System.out.println(model + " " + target + " " + gradients + " " + scores);
        assertThat(((Number) scores.get(metric)).doubleValue()).as(metric).isBetween(from, to);
        CliRun.of("predict", out.toString(), table.toString()).succeeded();
    }

    @Test
    void aFullCovarianceAndAStoredTraceCanBeAskedFor() throws IOException {
        Path out = folder.resolve("fit");
        fit("logistic-regression", schema("yes"), out, "--set", "family=full-rank", "--set", "steps=" + STEPS);
        assertThat(((Number) score(out).get("accuracy")).doubleValue()).isGreaterThan(0.68);
        Path traced = folder.resolve("traced");
        fit("beta-bernoulli", schema("yes"), traced, "--set", "trace=stored", "--set", "steps=40");
        assertThat(traced.resolve("trace.csv")).content().startsWith("parameter1,parameter2,gradient1,gradient2\n");
        assertThat(Files.readAllLines(traced.resolve("trace.csv"))).hasSize(1 + 20);
    }

    @Test
    void aTargetThatDoesNotFitIsRefused() throws IOException {
        for (List<String> pair : List.of(
                List.of("softmax-regression", "amount"),
                List.of("poisson-regression", "yes"),
                List.of("neural-network", "none"),
                List.of("linear-regression", "colour"))) {
            CliRun.of(
                            "fit",
                            table.toString(),
                            "--schema",
                            schema(pair.get(1)).toString(),
                            "--model",
                            pair.get(0),
                            "--method",
                            "dpvi",
                            "--epsilon",
                            "1",
                            "--delta",
                            "1e-5",
                            "--out",
                            folder.resolve("none").toString())
                    .failed(ExitCode.USAGE);
        }
    }
}
