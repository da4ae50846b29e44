package dev.tacit.benchmarks;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints the cost of a release through the door beside numpy's matrix products for the same statistics, both measured
 * now, on this machine.
 *
 * <p>Start it with {@code tacit-benchmarks/run beside-numpy}; it needs {@code python3} with numpy. Times on one thread
 * are CPU times, so that other work on the machine does not matter; the smallest of many passes counts on both sides.
 * Numpy multiplies dense tables and neither clips nor adds noise; a release does all of that on the sparse rows.
 */
public final class BesideNumpy {
    private static final double WARM_UP_SECONDS = 2;
    private static final double MEASURED_SECONDS = 2;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private BesideNumpy() {}

    /** Prints the table. */
    public static void main(String[] arguments) throws IOException, BudgetExhausted {
        new BesideNumpy().print();
    }

    private void print() throws IOException, BudgetExhausted {
        for (int records : new int[] {32_768, 262_144}) {
            StatisticsPassBenchmark one = benchmark(records, 1);
            StatisticsPassBenchmark two = benchmark(records, 2);
            JsonFields numpy = numpy(records);
            System.out.printf(
                    Locale.ROOT,
                    "%d records, %d columns, %d non-zeros. Java %s, numpy %s, one thread of BLAS.%n",
                    records,
                    StatisticsPassBenchmark.COLUMNS,
                    StatisticsPassBenchmark.NON_ZEROS,
                    Runtime.version(),
                    numpy.text("numpy"));
            row("residual sum", records, numpy.number("residualSum"), one::residualSum, two::residualSum);
            row(
                    "first and second order",
                    records,
                    numpy.number("firstAndSecondOrder"),
                    one::firstAndSecondOrder,
                    two::firstAndSecondOrder);
        }
    }

    private static StatisticsPassBenchmark benchmark(int records, int threads) throws BudgetExhausted {
        StatisticsPassBenchmark benchmark = new StatisticsPassBenchmark();
        benchmark.records = records;
        benchmark.threads = threads;
        benchmark.open();
        return benchmark;
    }

    private void row(String name, int records, double numpySeconds, Runnable oneThread, Runnable twoThreads) {
        double cpu = least(oneThread, threads::getCurrentThreadCpuTime);
        double wallOfOne = least(oneThread, System::nanoTime);
        double wallOfTwo = least(twoThreads, System::nanoTime);
        double perRecord = 1e9 / records;
        System.out.printf(
                Locale.ROOT,
                "  %-24s tacit %7.1f ns a record   numpy %7.1f ns   ratio %.2f   two threads %.2f times as fast%n",
                name,
                cpu * perRecord,
                numpySeconds * perRecord,
                numpySeconds / cpu,
                wallOfOne / wallOfTwo);
    }

    private interface Clock {
        long nanoseconds();
    }

    /** The least time of many runs; warming up is measured in CPU time, so that a busy machine warms up as well. */
    private double least(Runnable work, Clock clock) {
        long start = threads.getCurrentThreadCpuTime();
        while ((threads.getCurrentThreadCpuTime() - start) * 1e-9 < WARM_UP_SECONDS) {
            work.run();
        }
        double least = Double.POSITIVE_INFINITY;
        start = threads.getCurrentThreadCpuTime();
        while ((threads.getCurrentThreadCpuTime() - start) * 1e-9 < MEASURED_SECONDS) {
            long before = clock.nanoseconds();
            work.run();
            least = Math.min(least, (clock.nanoseconds() - before) * 1e-9);
        }
        return least;
    }

    private static JsonFields numpy(int records) throws IOException {
        return python(
                "statistics.py",
                records,
                StatisticsPassBenchmark.COLUMNS,
                StatisticsPassBenchmark.NON_ZEROS,
                MEASURED_SECONDS);
    }

    /** The answer of a script of this package, with one thread of BLAS. */
    static JsonFields python(String name, Object... arguments) throws IOException {
        return pythonAt("python3", name, arguments);
    }

    /** The same of a given interpreter. */
    static JsonFields pythonAt(String interpreter, String name, Object... arguments) throws IOException {
        Path script = Files.createTempFile("tacit", ".py");
        try (InputStream source = BesideNumpy.class.getResourceAsStream(name)) {
            Files.write(script, source.readAllBytes());
            List<String> command = new ArrayList<>(List.of(interpreter, script.toString()));
            for (Object argument : arguments) {
                command.add(argument.toString());
            }
            ProcessBuilder builder = new ProcessBuilder(command);
            for (String library : new String[] {"OPENBLAS", "MKL", "OMP"}) {
                builder.environment().put(library + "_NUM_THREADS", "1");
            }
            Process process =
                    builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (answer.isBlank()) {
                throw new IOException("python3 with the libraries of " + name + " is needed to compare with it");
            }
            return JsonFields.of(Json.read(answer), "");
        } finally {
            Files.delete(script);
        }
    }
}
