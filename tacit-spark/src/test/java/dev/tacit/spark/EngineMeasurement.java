package dev.tacit.spark;

import com.sun.management.OperatingSystemMXBean;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * The constants of the cost calculator, in processor time: what a row costs to load and a full or sampled pass over it, on the engine
 * of one machine and on Spark, in turns; whole fits on Spark, twice each, so that the first is of a cold process and the second of a
 * warm one; and the same rows fitted twice by Spark MLlib. {@code EngineMeasurement ROWS MLLIB}, with the class path of MLlib, or with
 * {@code engines} in its place: then loading and releases on both engines, and nothing else; or with {@code alone}: then those on Spark.
 *
 * <p>Each of these is in a process of its own, as it is when it is used: the compiler makes other code of a method in a process in
 * which another engine ran it before. It does not make the same of it in every process either, so engines have several turns.
 */
final class EngineMeasurement {
    private static final int COLUMNS = 20;
    private static final int LEAST_PARTS = 8;
    private static final int PART_ROWS = 1_250_000;
    private static final int TIMES = 16;

    /** Releases in which a process still compiles most of what it runs; both engines have as many. */
    private static final int COLD = 8;

    /** Processes of each engine. */
    private static final int TURNS = 3;

    private static final double SAMPLING_RATE = 0.01;
    private static final String HERE = "one machine, one thread";
    private static final String SPARK = "Spark in the process, one thread";
    private static final List<String> METHODS = List.of("residual-newton", "private-likelihood");

    private EngineMeasurement() {}

    /** Prints a line for each engine and way. */
    public static void main(String[] arguments) throws Exception {
        long rows = Long.parseLong(arguments[0]);
        if (arguments.length == 3) {
            inThisProcess(arguments[1], Path.of(arguments[2]), rows);
            return;
        }
        boolean alone = arguments[1].equals("alone");
        Path folder = Files.createTempDirectory("tacit-measurement-");
        Path file = folder.resolve("rows.parquet");
        write(file, rows);
        for (int turn = 0; turn < TURNS; turn++) {
            if (!alone) {
                again(Long.toString(rows), HERE, file.toString());
            }
            again(Long.toString(rows), SPARK, file.toString());
        }
        if (!alone && !arguments[1].equals("engines")) {
            for (String method : METHODS) {
                again(Long.toString(rows), method, file.toString());
            }
            mllib(arguments[1], file, parts(rows));
        }
        Files.delete(file);
        Files.delete(folder);
    }

    private static void inThisProcess(String what, Path file, long rows) {
        if (METHODS.contains(what)) {
            fits(file, rows, what);
            return;
        }
        try (TableEngine engine = what.equals(SPARK) ? spark(rows) : new LocalTables(1)) {
            measure(what, engine, file, schema(rows), rows);
        }
    }

    private static int parts(long rows) {
        return Math.toIntExact(Math.max(LEAST_PARTS, rows / PART_ROWS));
    }

    private static TableEngine spark(long rows) {
        Map<String, String> settings = Map.of("spark.memory.fraction", "0.85"); // 50 million rows in 12 GB
        return SparkEngineProvider.start("local[1]", settings, "", OptionalInt.of(parts(rows)), Clusters.SECRET);
    }

    private static void write(Path file, long rows) throws Exception {
        StringBuilder columns = new StringBuilder();
        for (int i = 0; i < COLUMNS; i++) {
            columns.append("((hash(i * 31 + ")
                    .append(i)
                    .append(") % 1000003) / 1000003.0)::DOUBLE AS x")
                    .append(i)
                    .append(", ");
        }
        People.sql("COPY (SELECT " + columns + "(((hash(i * 31 + 29) % 1000003) / 1000003.0)"
                + " < 1 / (1 + exp(-4 * (x0 - x1 + x2 - x3))))::INTEGER AS y FROM range(" + rows + ") t(i)) TO '" + file
                + "' (FORMAT PARQUET)");
    }

    private static Schema schema(long rows) {
        StringBuilder schema = new StringBuilder("unit: record\nsize: " + rows + "\ntarget: y\ncolumns:\n");
        for (int i = 0; i < COLUMNS; i++) {
            schema.append("  x").append(i).append(": {type: number, bounds: [0, 1]}\n");
        }
        return SchemaYaml.read(schema.append("  y: {type: binary, positive: \"1\", negative: \"0\"}\n")
                .toString());
    }

    /** In a process of its own, with the options and the classes of this one. */
    private static void again(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EngineMeasurement.class.getName()));
        command.addAll(List.of(arguments));
        new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** Two fits by one method: the first compiles what it runs, the second is warm. */
    private static void fits(Path file, long rows, String method) {
        Schema schema = schema(rows);
        if (method.equals("private-likelihood")) {
            StringBuilder formula = new StringBuilder("y ~ x0");
            for (int i = 1; i < COLUMNS; i++) {
                formula.append(" + x").append(i);
            }
            schema = FormulaRequest.of(schema, formula.toString(), "bernoulli").schema();
        }
        try (TableEngine spark = spark(rows)) {
            fit("first", spark, file, schema, method, rows);
            fit("second", spark, file, schema, method, rows);
        }
    }

    private static void measure(String name, TableEngine engine, Path file, Schema schema, long rows) {
        double before = processorSeconds();
        try (PrivateDataset data = engine.openSketched(file.toString(), schema, new SketchKey(Clusters.SECRET))
                .dataset()) {
            System.out.printf("%s: load %.2f µs a row%n", name, (processorSeconds() - before) / rows * 1e6);
            pass(name, data, rows, new SamplingScheme.FullPass(), (double) rows);
            pass(name, data, rows, new SamplingScheme.PoissonSampling(SAMPLING_RATE), rows * SAMPLING_RATE);
        }
    }

    /** A class, as the queries of models are: a lambda would be of another class after it travelled, and be compiled twice. */
    private record Residuals(double[] direction) implements ContributionSum.SharedWorker {
        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            double margin = Rows.dot(block, row, direction, 0);
            contribution.addRow(0, block.label(row) - 1 / (1 + Math.exp(-margin)));
        }
    }

    private static void pass(String name, PrivateDataset data, long rows, SamplingScheme sampling, double seen) {
        int columns = data.columns();
        double[] direction = new double[columns];
        Arrays.fill(direction, 0.1);
        ContributionSum residuals = ContributionSum.of(columns, new Residuals(direction));
        PrivateSession session = Recorded.open(data, ReleasePlan.of("residuals", TIMES, columns, sampling));
        double[] nanoseconds = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            double before = processorSeconds();
            session.release(residuals, 1);
            nanoseconds[i] = (processorSeconds() - before) / seen * 1e9;
        }
        String seenAs = seen == rows ? "full pass" : "drawn";
        print(name + ": " + seenAs + ", first " + COLD, Arrays.copyOf(nanoseconds, COLD));
        print(name + ": " + seenAs + ", then " + (TIMES - COLD), Arrays.copyOfRange(nanoseconds, COLD, TIMES));
    }

    private static void fit(String which, TableEngine spark, Path file, Schema schema, String method, long rows) {
        double before = processorSeconds();
        int releases;
        try (PrivateDataset data = spark.openSketched(file.toString(), schema, new SketchKey(Clusters.SECRET))
                .dataset()) {
            releases = Recorded.fit(data, schema, "logistic-regression", method, Map.of(), Recorded.NOTHING)
                            .size()
                    - 1;
        }
        System.out.printf(
                "Spark in a process of its own, one thread, %s, %s fit: %.2f µs a row, %d releases%n",
                method, which, (processorSeconds() - before) / rows * 1e6, releases);
    }

    /** In a process of its own, because its libraries are not ours; with the options that Spark starts processes with. */
    private static void mllib(String classPath, Path file, int parts) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-XX:+UseParallelGC"));
        command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
        command.addAll(List.of(
                "-Xmx" + Runtime.getRuntime().maxMemory(),
                "-cp",
                classPath,
                "dev.tacit.benchmarks.spark.SparkLogistic",
                file.toString(),
                Integer.toString(parts)));
        new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static void print(String what, double[] nanoseconds) {
        Arrays.sort(nanoseconds);
        System.out.printf(
                "%s: %.0f ns a record (median; fastest %.0f, slowest %.0f)%n",
                what, nanoseconds[nanoseconds.length / 2], nanoseconds[0], nanoseconds[nanoseconds.length - 1]);
    }

    private static double processorSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }
}
