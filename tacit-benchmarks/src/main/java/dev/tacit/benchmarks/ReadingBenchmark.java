package dev.tacit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.SchemaYaml;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;

/**
 * Times reading and encoding a text file of 500,000 rows and 90 columns beside DuckDB's own sums over the same file.
 *
 * <p>Start it with {@code tacit-benchmarks/run reading}. The file is made in the folder for temporary files, takes about
 * 0.8 GB, and is deleted. Both read it several times in turn; the table has the medians.
 */
public final class ReadingBenchmark {
    private static final int ROWS = 500_000;
    private static final int COLUMNS = 90;
    private static final int TIMES = 5;

    private ReadingBenchmark() {}

    /** Prints both times and their ratio. */
    public static void main(String[] arguments) throws IOException, SQLException {
        Path file = Files.createTempFile("tacit-reading-", ".csv");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT " + columns("random() * 100 AS c%1$d", ", ") + " FROM range(" + ROWS
                    + ")) TO '" + file + "' (HEADER)");
            String sums = "SELECT " + columns("sum(c%1$d)", ", ") + " FROM read_csv('" + file
                    + "', header = true, auto_detect = false, columns = {" + columns("'c%1$d': 'DOUBLE'", ", ") + "})";
            String schema = "unit: record\nsize: " + ROWS + "\ncolumns:\n"
                    + columns("  c%1$d: {type: number, bounds: [0, 100]}", "\n") + "\n";
            double[] theirs = new double[TIMES];
            double[] theirProcessor = new double[TIMES];
            double[] ours = new double[TIMES];
            double[] ourProcessor = new double[TIMES];
            for (int time = 0; time < TIMES; time++) {
                Stopwatch watch = new Stopwatch();
                try (ResultSet result = statement.executeQuery(sums)) {
                    result.next();
                }
                theirs[time] = watch.seconds();
                theirProcessor[time] = watch.processorSeconds();
                watch = new Stopwatch();
                Preparation.open(file, SchemaYaml.read(schema), PreparationOptions.standard())
                        .close();
                ours[time] = watch.seconds();
                ourProcessor[time] = watch.processorSeconds();
            }
            System.out.printf(
                    Locale.ROOT,
                    "%,d rows, %d columns, %.2f GB of text, %d processors, Java %s%n",
                    ROWS,
                    COLUMNS,
                    Files.size(file) * 1e-9,
                    Runtime.getRuntime().availableProcessors(),
                    Runtime.version());
            print("DuckDB, sums of all columns", median(theirs), median(theirProcessor));
            print("tacit, read and encoded", median(ours), median(ourProcessor));
            System.out.printf(
                    Locale.ROOT,
                    "%-30s %6.2f              %6.2f%n",
                    "ratio",
                    median(ours) / median(theirs),
                    median(ourProcessor) / median(theirProcessor));
        } finally {
            Files.delete(file);
        }
    }

    private static void print(String what, double seconds, double processorSeconds) {
        System.out.printf(
                Locale.ROOT, "%-30s %6.2f s            %6.2f s of processors%n", what, seconds, processorSeconds);
    }

    /** Time, and the processors' time of the whole process: on a busy machine only the second can be compared. */
    private static final class Stopwatch {
        private static final OperatingSystemMXBean SYSTEM =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

        private final long start = System.nanoTime();
        private final long processorStart = SYSTEM.getProcessCpuTime();

        double seconds() {
            return (System.nanoTime() - start) * 1e-9;
        }

        double processorSeconds() {
            return (SYSTEM.getProcessCpuTime() - processorStart) * 1e-9;
        }
    }

    private static String columns(String pattern, String separator) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < COLUMNS; column++) {
            text.append(column == 0 ? "" : separator).append(pattern.replace("%1$d", Integer.toString(column)));
        }
        return text.toString();
    }

    private static double median(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
