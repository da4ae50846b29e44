package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.Schema;
import dev.tacit.fit.Fit;
import dev.tacit.fit.FittedModel;
import dev.tacit.fit.formula.TermRow;
import dev.tacit.fit.predict.PredictedRow;
import dev.tacit.fit.predict.PredictionRequest;
import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library and the command line do the same thing, and each reads what the other wrote. */
class ProgramConformanceTest {
    private static final String FORMULA = "late ~ age + debt*job";

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path table;
    private Path schema;
    private Path fresh;

    @BeforeEach
    void write() {
        tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(300, 1));
        fresh = tables.table("new.csv", FitTables.loans(20, 2));
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(300));
    }

    private Path byCommand(String name, String... more) {
        Path out = folder.resolve(name);
        List<String> args = Stream.concat(
                        Stream.of(
                                "fit",
                                table.toString(),
                                "--schema",
                                schema.toString(),
                                "--epsilon",
                                "2",
                                "--delta",
                                "1e-5",
                                "--simulate",
                                "--seed",
                                "7",
                                "--out",
                                out.toString()),
                        Arrays.stream(more))
                .toList();
        CliRun.of(args.toArray(String[]::new)).succeeded();
        return out;
    }

    private Path byProgram(String name, UnaryOperator<Fit.Builder> more) throws IOException {
        Path out = folder.resolve(name);
        more.apply(Fit.of(table, Schema.read(schema)).epsilon(2).delta(1e-5).simulated(7))
                .build()
                .run(out);
        return out;
    }

    /** Times, and hashes of texts that have a time or a run's random name in them. */
    private static String withoutTimes(String text) {
        return text.replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME").replaceAll("[0-9a-f]{64}", "HASH");
    }

    private static void requireSame(Path one, Path other) throws IOException {
        List<String> names = names(one);
        assertThat(names(other)).isEqualTo(names);
        assertThat(names).contains("posterior.json", "release.json", "report.html", "privacy-statement.txt");
        for (String name : names) {
            String first = Files.readString(one.resolve(name));
            String second = Files.readString(other.resolve(name));
            if (List.of("posterior.json", "likelihood.json", "check.json", "trace.csv")
                    .contains(name)) {
                assertThat(second).as(name).isEqualTo(first);
            } else {
                assertThat(withoutTimes(second)).as(name).isEqualTo(withoutTimes(first));
            }
        }
        try (Stream<Path> sealed = Files.list(one.resolve("sealed"))) {
            List<String> kept =
                    sealed.map(file -> file.getFileName().toString()).sorted().toList();
            try (Stream<Path> others = Files.list(other.resolve("sealed"))) {
                assertThat(others.map(file -> file.getFileName().toString()).sorted())
                        .isEqualTo(kept);
            }
        }
    }

    private static List<String> names(Path dir) throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theSameFitByAFormulaLeavesTheSameFolder() throws IOException {
        requireSame(
                byCommand("command", "--formula", FORMULA, "--prior", "age ~ normal(0, 0.1)", "--twins", "2"),
                byProgram(
                        "program",
                        fit -> fit.formula(FORMULA)
                                .prior("age ~ normal(0, 0.1)")
                                .twins(2)));
    }

    @Test
    void theSameFitOfAModelLeavesTheSameFolder() throws IOException {
        requireSame(
                byCommand(
                        "command",
                        "--model",
                        "logistic-regression",
                        "--method",
                        "residual-newton",
                        "--set",
                        "rounds=4",
                        "--spend-on-count",
                        "0.02",
                        "--no-twins"),
                byProgram(
                        "program",
                        fit -> fit.model("logistic-regression")
                                .method("residual-newton")
                                .setting("rounds", 4)
                                .spendOnCount(0.02)
                                .withoutTwins()));
    }

    /** The test is not empty: another seed is another folder. */
    @Test
    void anotherSeedIsSeen() throws IOException {
        Path one = byCommand("command", "--formula", FORMULA, "--no-twins");
        Path other =
                byProgram("program", fit -> fit.formula(FORMULA).simulated(8).withoutTwins());
        assertThat(Files.readString(other.resolve("posterior.json")))
                .isNotEqualTo(Files.readString(one.resolve("posterior.json")));
    }

    @Test
    void aProgramReadsWhatTheCommandLineWrote() throws IOException {
        Path out = byCommand("command", "--formula", FORMULA, "--twins", "2");
        FittedModel model = FittedModel.read(out);
        List<PredictedRow> rows =
                model.predict(PredictionRequest.of(fresh).withLevel(0.9).identifiedBy("age"));
        List<Map<String, Object>> printed =
                list(CliRun.of("predict", out.toString(), fresh.toString(), "--level", "0.9", "--id", "age", "--json")
                        .succeeded()
                        .output());
        assertThat(rows).hasSameSizeAs(printed);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(printed.get(i))
                    .containsEntry("age", rows.get(i).identifier().orElseThrow())
                    .containsAllEntriesOf(rows.get(i).values());
        }
        List<TermRow> terms = model.summary(0.9);
        Map<?, ?> summary = (Map<?, ?>) Json.read(CliRun.of("summary", out.toString(), "--level", "0.9", "--json")
                .succeeded()
                .output());
        List<?> shown = (List<?>) summary.get("terms");
        assertThat(shown).hasSameSizeAs(terms);
        for (int i = 0; i < terms.size(); i++) {
            assertThat(((Map<?, ?>) shown.get(i)).get("lower"))
                    .isEqualTo(terms.get(i).lower());
        }
    }

    private static List<Map<String, Object>> list(String json) {
        return ((List<?>) ((Map<?, ?>) Json.read(json)).get("predictions"))
                .stream().map(CliRun::object).toList();
    }

    @Test
    void theCommandLineReadsWhatAProgramWrote() throws IOException {
        String out = byProgram("program", fit -> fit.formula(FORMULA).twins(2)).toString();
        for (List<String> verb : List.of(
                List.of("summary", out, "--exp"),
                List.of("predict", out, fresh.toString()),
                List.of("score", out, fresh.toString()),
                List.of("report", out),
                List.of("diagnose", out, "--twins", "2"),
                List.of("refit", out, "--prior", "age ~ normal(0, 0.01)", "--out", out + "-2", "--no-twins"),
                List.of("compare", out, out + "-2"))) {
            CliRun.of(verb.toArray(String[]::new)).succeeded();
        }
    }

    /** An interrupted run of one can be resumed by the other: both say the same about what was asked for. */
    @Test
    void bothMeanTheSameRun() throws IOException {
        Path out = byProgram("program", fit -> fit.formula(FORMULA).withoutTwins());
        assertThat(CliRun.of(
                                "fit",
                                table.toString(),
                                "--schema",
                                schema.toString(),
                                "--formula",
                                FORMULA,
                                "--epsilon",
                                "2",
                                "--delta",
                                "1e-5",
                                "--simulate",
                                "--seed",
                                "7",
                                "--resume",
                                "--out",
                                out.toString())
                        .succeeded()
                        .output())
                .contains("holds the complete fit already");
    }
}
