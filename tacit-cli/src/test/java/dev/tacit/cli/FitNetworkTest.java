package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.numerics.RandomStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Neural networks from the command line: fit, score, diagnose, refuse. */
class FitNetworkTest {
    private static final int SIZE = 2000;

    @TempDir
    private Path folder;

    private FitTables tables;

    @BeforeEach
    void declare() {
        tables = new FitTables(folder);
    }

    /** y = a wave in x; a straight line leaves a root mean square of 0.7. */
    private static String waves(int rows, long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        StringBuilder csv = new StringBuilder("x,z,y,high\n");
        for (int row = 0; row < rows; row++) {
            double x = 6 * random.uniform() - 3;
            double z = 2 * random.uniform() - 1;
            double y = Math.cos(1.5 * x) + 0.1 * random.normal();
            csv.append(String.format(Locale.ROOT, "%.6f,%.6f,%.6f,%s%n", x, z, y, y > 0 ? "yes" : "no"));
        }
        return csv.toString();
    }

    private Path schema(String target) {
        return tables.write(
                target + ".yaml",
                "unit: record\nsize: " + SIZE + "\ntarget: " + target + "\ncolumns:\n"
                        + "  x: {type: number, bounds: [-3, 3], center: true}\n"
                        + "  z: {type: number, bounds: [-1, 1], center: true}\n"
                        + (target.equals("y")
                                ? "  y: {type: number, bounds: [-2, 2]}\n  high: {type: ignore}\n"
                                : "  high: {type: binary, positive: \"yes\"}\n  y: {type: ignore}\n"));
    }

    private CliRun fit(String target, String name, String hiddenUnits) {
        Path table = tables.write("train.csv", waves(SIZE, 1));
        return FitTables.run(FitTables.fit(
                table,
                schema(target),
                folder.resolve(name),
                "--model",
                "neural-network",
                "--epsilon",
                "8",
                "--delta",
                "1e-5",
                "--simulate",
                "--seed",
                "3",
                "--set",
                "hiddenUnits=" + hiddenUnits));
    }

    @Test
    void aNumberIsFittedScoredAndDiagnosed() throws Exception {
        CliRun run = fit("y", "fit", "20");
        assertThat(run.exitCode()).as(run.errors()).isZero();
        assertThat(run.output())
                .contains("centre and spread of columns", "centred sites", "units can change places")
                .doesNotContain("include the privacy noise");
        Path test = tables.write("test.csv", waves(500, 2));
        Map<?, ?> scores = CliRun.of("score", folder.resolve("fit").toString(), test.toString(), "--json")
                .json();
        assertThat(((Number) scores.get("rmse")).doubleValue()).isLessThan(0.45);
        CliRun diagnosis = CliRun.of("diagnose", folder.resolve("fit").toString());
        assertThat(diagnosis.output()).contains("Not checked", "change places");
        assertThat(Files.readString(folder.resolve("fit/report.html")))
                .contains("neural-network", "of single weights mean nothing");
    }

    @Test
    void oneOfTwoClassesInTwoLayers() {
        CliRun run = fit("high", "classes", "20,10");
        assertThat(run.exitCode()).as(run.errors()).isZero();
        Path test = tables.write("test.csv", waves(500, 2));
        Map<?, ?> scores = CliRun.of("score", folder.resolve("classes").toString(), test.toString(), "--json")
                .json();
        assertThat(((Number) scores.get("accuracy")).doubleValue()).isGreaterThan(0.75);
    }

    @Test
    void whatIsNotANetworkIsRefusedInOneSentence() {
        assertThat(fit("y", "bad", "many").failed(ExitCode.USAGE).errors())
                .contains("hiddenUnits must be a whole number");
        assertThat(fit("y", "bad", "3,3,3").failed(ExitCode.USAGE).errors()).contains("one or two hidden layers");
        assertThat(folder.resolve("bad")).doesNotExist();
    }
}
