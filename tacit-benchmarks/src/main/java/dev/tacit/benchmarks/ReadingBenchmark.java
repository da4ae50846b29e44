package dev.tacit.benchmarks;

import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.SchemaYaml;
import java.io.IOException;
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
            double[] ours = new double[TIMES];
            for (int time = 0; time < TIMES; time++) {
                long start = System.nanoTime();
                try (ResultSet result = statement.executeQuery(sums)) {
                    result.next();
                }
                theirs[time] = (System.nanoTime() - start) * 1e-9;
                start = System.nanoTime();
                Preparation.open(file, SchemaYaml.read(schema), PreparationOptions.standard())
                        .close();
                ours[time] = (System.nanoTime() - start) * 1e-9;
            }
            System.out.printf(
                    Locale.ROOT,
                    "%,d rows, %d columns, %.2f GB of text, %d processors, Java %s%n",
                    ROWS,
                    COLUMNS,
                    Files.size(file) * 1e-9,
                    Runtime.getRuntime().availableProcessors(),
                    Runtime.version());
            System.out.printf(Locale.ROOT, "DuckDB, sums of all columns     %.2f s%n", median(theirs));
            System.out.printf(Locale.ROOT, "tacit, read and encoded         %.2f s%n", median(ours));
            System.out.printf(Locale.ROOT, "ratio                           %.2f%n", median(ours) / median(theirs));
        } finally {
            Files.delete(file);
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
