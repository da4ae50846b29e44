package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerTerms;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is wrong with a fit is one sentence and an exit code: nothing is charged, no folder stays behind, and no
 * cell is repeated.
 */
class FitErrorsTest {
    /** In every table; it must not come back. */
    private static final String SECRET = "4711";

    private static final String SCHEMA = FitTables.loansSchema(300);

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path table;
    private Path schema;
    private Path ledger;
    private Path out;

    /** What is wrong, what it should be called, and how it comes about. */
    private record Case(String name, ExitCode expected, Mistake mistake) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Spoils the files of a test or the command line of a fit. */
    @FunctionalInterface
    private interface Mistake {
        void make(FitErrorsTest test, List<String> args) throws IOException;
    }

    @BeforeEach
    void write() {
        tables = new FitTables(folder);
        List<String> rows = new ArrayList<>(FitTables.loans(300, 1));
        rows.add(0, SECRET + "," + SECRET + ",miner,yes");
        table = tables.table("loans.csv", rows);
        schema = tables.write("loans.schema.yaml", SCHEMA);
        ledger = folder.resolve("loans.ledger");
        PrivacyBudget budget = new PrivacyBudget(3, 1e-5);
        PrivacyUnit unit = PrivacyUnit.record(Neighbours.ADD_REMOVE);
        FileLedger.create(ledger, LedgerTerms.of(unit, budget), LedgerView.accounting());
        out = folder.resolve("out");
    }

    private static void set(List<String> args, String option, String value) {
        int at = args.indexOf(option);
        if (at >= 0) {
            args.set(at + 1, value);
        } else {
            args.addAll(List.of(option, value));
        }
    }

    private static void remove(List<String> args, String option) {
        int at = args.indexOf(option);
        args.subList(at, at + 2).clear();
    }

    private static Case usage(String name, String... more) {
        return new Case(name, ExitCode.USAGE, (test, args) -> args.addAll(List.of(more)));
    }

    /** An option with a value that it cannot have. */
    private static Case value(String option, String value) {
        return new Case(option + " " + value, ExitCode.USAGE, (test, args) -> set(args, option, value));
    }

    private static Case beyondLimits(String method, String setting) {
        return usage(method + " with " + setting, "--method", method, "--set", setting);
    }

    private static Case lacks(String option) {
        return new Case("no " + option, ExitCode.USAGE, (test, args) -> remove(args, option));
    }

    private static Case data(String name, ExitCode expected, String text) {
        return new Case(name, expected, (test, args) -> test.tables.write("loans.csv", text));
    }

    private static Case declared(String name, String text) {
        return new Case(name, ExitCode.CONFIG, (test, args) -> test.tables.write("loans.schema.yaml", text));
    }

    private static Case place(String name, Mistake mistake) {
        return new Case(name, ExitCode.CONFIG, mistake);
    }

    static Stream<Case> badTables() {
        return Stream.of(
                data("unknown column", ExitCode.BAD_DATA, "age,dept,job,late\n50,4711,miner,yes\n"),
                data("missing target", ExitCode.BAD_DATA, "age,debt,job\n50,4711,miner\n"),
                data("empty file", ExitCode.BAD_DATA, ""),
                data("blank file", ExitCode.BAD_DATA, "\n\n\n"),
                data("no header", ExitCode.BAD_DATA, "4711,4712,miner,yes\n50,4711,miner,yes\n"),
                data("no header, cells alike", ExitCode.BAD_DATA, "4711,4711,miner,yes\n50,4711,miner,yes\n"),
                data("column twice", ExitCode.BAD_DATA, "age,debt,debt,job,late\n50,4711,1,miner,yes\n"),
                data("wrong delimiter", ExitCode.BAD_DATA, "age;debt;job;late\n50;4711;miner;yes\n"),
                new Case("binary garbage", ExitCode.BAD_DATA, (test, args) -> {
                    byte[] garbage = new byte[10_000];
                    new Random(4).nextBytes(garbage);
                    Files.write(test.table, garbage);
                }),
                new Case("garbage that ends in .gz", ExitCode.BAD_DATA, (test, args) -> {
                    args.set(
                            1,
                            Files.write(test.folder.resolve("loans.csv.gz"), new byte[100])
                                    .toString());
                }),
                new Case("gzip that was cut off", ExitCode.BAD_DATA, (test, args) -> {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
                        gzip.write(Files.readAllBytes(test.table));
                    }
                    byte[] half = Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2);
                    args.set(
                            1,
                            Files.write(test.folder.resolve("loans.csv.gz"), half)
                                    .toString());
                }),
                new Case("text that ends in .parquet", ExitCode.BAD_DATA, (test, args) -> {
                    args.set(
                            1,
                            Files.copy(test.table, test.folder.resolve("loans.parquet"))
                                    .toString());
                }),
                new Case("no such file", ExitCode.NO_INPUT, (test, args) -> Files.delete(test.table)),
                new Case("a folder", ExitCode.NO_INPUT, (test, args) -> args.set(1, test.folder.toString())));
    }

    static Stream<Case> badSchemas() {
        return Stream.of(
                new Case("no such schema", ExitCode.NO_INPUT, (test, args) -> Files.delete(test.schema)),
                declared("empty schema", ""),
                declared("not YAML", "{{{"),
                new Case("binary schema", ExitCode.CONFIG, (test, args) -> {
                    Files.write(test.schema, new byte[] {(byte) 0xff, 0, 1, (byte) 0xfe});
                }),
                declared("REQUIRED bounds", SCHEMA.replace("[0, 1000]", "REQUIRED")),
                declared("REQUIRED size", SCHEMA.replace("size: 300", "size: REQUIRED")),
                declared("PRIVATE bounds", SCHEMA.replace("[0, 1000]", "PRIVATE")),
                declared("unknown key", SCHEMA + "frobnicate: 1\n"),
                declared("unknown key of a column", SCHEMA.replace("[0, 1000]", "[0, 1000], frobnicate: 1")),
                declared("target that is no column", SCHEMA.replace("target: late", "target: dead")),
                declared("size 0", SCHEMA.replace("size: 300", "size: 0")),
                new Case("no target", ExitCode.USAGE, (test, args) -> {
                    test.tables.write("loans.schema.yaml", SCHEMA.replace("target: late\n", ""));
                }),
                new Case("target of another kind", ExitCode.USAGE, (test, args) -> {
                    set(args, "--model", "linear-regression");
                }));
    }

    static Stream<Case> badBudgets() {
        return Stream.of(
                new Case("budget larger than the ledger's", ExitCode.BUDGET_EXHAUSTED, (test, args) -> {
                    set(args, "--epsilon", "8");
                }),
                new Case("budget that no noise keeps", ExitCode.USAGE, (test, args) -> {
                    set(args, "--epsilon", "1e-11");
                    set(args, "--delta", "1e-11");
                }),
                new Case("budget whose noise has no sampler", ExitCode.CONFIG, (test, args) -> {
                    set(args, "--epsilon", "1e-9");
                    set(args, "--delta", "1e-8");
                }),
                usage("share that buys nothing", "--spend-on-count", "1e-300"),
                new Case("ledger of another unit", ExitCode.CONFIG, (test, args) -> {
                    test.tables.write(
                            "loans.schema.yaml",
                            SCHEMA.replace("unit: record", "unit: record\nneighbours: replace-one"));
                }),
                new Case("ledger that is none", ExitCode.BAD_DATA, (test, args) -> {
                    set(
                            args,
                            "--ledger",
                            test.tables.write("not.ledger", "hello\nworld\n").toString());
                }),
                new Case("ledger that is a folder", ExitCode.CONFIG, (test, args) -> {
                    set(args, "--ledger", test.folder.toString());
                }),
                new Case("ledger without a folder", ExitCode.CONFIG, (test, args) -> {
                    set(args, "--ledger", test.folder.resolve("no/such.ledger").toString());
                }),
                new Case("another budget of the ledger", ExitCode.CONFIG, (test, args) -> {
                    set(args, "--ledger-epsilon", "5");
                }),
                value("--ledger-epsilon", "0.5"),
                value("--ledger-epsilon", "many"),
                value("--epsilon", "0"),
                value("--epsilon", "-1"),
                value("--epsilon", "NaN"),
                value("--epsilon", "Infinity"),
                value("--epsilon", "one"),
                value("--delta", "0"),
                value("--delta", "1"),
                value("--delta", "-1e-5"),
                value("--delta", "NaN"),
                lacks("--epsilon"),
                lacks("--delta"),
                usage("not private for an epsilon", "--not-private"));
    }

    static Stream<Case> badCommands() {
        return Stream.of(
                lacks("--schema"),
                lacks("--model"),
                lacks("--out"),
                value("--model", "crystal-ball"),
                value("--method", "crystal-ball"),
                new Case("method of another model", ExitCode.USAGE, (test, args) -> {
                    set(args, "--method", "residual-newton");
                    set(args, "--model", "linear-regression");
                }),
                usage("unknown setting", "--set", "frobnicate=1"),
                usage("setting twice", "--set", "rounds=1", "--set", "rounds=2"),
                usage("setting without a value", "--set", "rounds"),
                usage("setting that is no number", "--set", "rounds=some"),
                usage("setting that is out of range", "--set", "rounds=0"),
                usage("setting that is not finite", "--set", "ridge=NaN"),
                beyondLimits("dpvi", "rate=1000"),
                beyondLimits("dpvi", "rate=1e-320"),
                beyondLimits("dpvi", "startScale=1e20"),
                beyondLimits("dpvi", "scaleWeight=1e-320"),
                beyondLimits("dpvi", "l2Bound=1e-320"),
                beyondLimits("dpvi", "priorPrecision=1e-320"),
                beyondLimits("dpvi", "sampling=poisson:1e-30"),
                beyondLimits("residual-newton", "momentum=1e20"),
                beyondLimits("residual-newton", "squareWeight=1e-320"),
                beyondLimits("residual-newton", "residualClip=1e308"),
                beyondLimits("residual-newton", "firstShare=1e-320"),
                beyondLimits("dp-sep", "startShare=1e-320"),
                beyondLimits("dp-sep", "steps=2147483647"),
                usage("rate out of range", "--method", "private-vb", "--set", "sampling=poisson:2"),
                usage("seed without a simulation", "--seed", "7"),
                usage("seed below 0", "--simulate", "--seed", "-7"),
                usage("seed that is no number", "--simulate", "--seed", "x"),
                value("--threads", "0"),
                value("--threads", "1e9"),
                value("--spend-on-bounds", "2"),
                usage("option twice", "--epsilon", "2"),
                usage("two tables", "more.csv"),
                value("--out", "a\0b"));
    }

    static Stream<Case> badPlaces() {
        return Stream.of(
                place("resume without a run", (test, args) -> args.add("--resume")),
                place("folder below a file", (test, args) -> {
                    set(args, "--out", test.table.resolve("below").toString());
                }),
                place("folder below no folder", (test, args) -> {
                    set(args, "--out", test.folder.resolve("no/such").toString());
                }));
    }

    @ParameterizedTest
    @MethodSource({"badTables", "badSchemas", "badBudgets", "badCommands", "badPlaces"})
    void isOneSentenceAndCostsNothing(Case wrong) throws IOException {
        List<String> args =
                FitTables.fit(table, schema, out, "--epsilon", "1", "--delta", "1e-5", "--ledger", ledger.toString());
        wrong.mistake().make(this, args);
        String before = Files.readString(ledger);
        CliRun run = FitTables.run(args).failed(wrong.expected());
        assertThat(run.errors() + run.output()).doesNotContain(SECRET);
        assertThat(out).doesNotExist();
        assertThat(Files.readString(ledger)).isEqualTo(before);
        assertThat(CliRun.of("ledger", "show", ledger.toString(), "--json")
                        .succeeded()
                        .json()
                        .get("entries"))
                .isEqualTo(List.of());
    }

    @ParameterizedTest
    @MethodSource({"badTables", "badPlaces"})
    void asJsonNothingIsPrinted(Case wrong) throws IOException {
        List<String> args = FitTables.fit(table, schema, out, "--epsilon", "1", "--delta", "1e-5", "--json");
        wrong.mistake().make(this, args);
        assertThat(FitTables.run(args).failed(wrong.expected()).output()).isEmpty();
    }

    @Test
    void anExistingFolderIsNotTouched() throws IOException {
        Files.createDirectory(out);
        Path mine = Files.writeString(out.resolve("mine.txt"), "mine", StandardCharsets.UTF_8);
        List<String> args = FitTables.fit(table, schema, out, "--epsilon", "1", "--delta", "1e-5");
        assertThat(FitTables.run(args).failed(ExitCode.CONFIG).errors()).contains("--out");
        assertThat(mine).hasContent("mine");
        assertThat(out.resolve("sealed")).doesNotExist();
        set(args, "--out", mine.toString());
        FitTables.run(args).failed(ExitCode.CONFIG);
        assertThat(mine).hasContent("mine");
    }
}
