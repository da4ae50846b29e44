package dev.tacit.benchmarks;

import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * Shows that ten million records of 20 numbers, 1.7 GB when encoded, can be used with a heap of 2 GB.
 *
 * <p>Start it with {@code tacit-benchmarks/run out-of-core}; the launcher gives it the heap. The Parquet file is made in
 * the folder for temporary files, takes about 1.6 GB, and is deleted.
 */
public final class OutOfCoreDemo {
    private static final long ROWS = 10_000_000;
    private static final int COLUMNS = 20;
    private static final long DATABASE_BYTES = 1L << 30;

    private OutOfCoreDemo() {}

    /** Prints how long reading, a full pass and a hundred sampled batches take. */
    public static void main(String[] arguments) throws IOException, SQLException {
        Path file = Files.createTempFile("tacit-out-of-core-", ".parquet");
        try {
            generate(file);
            StringBuilder yaml = new StringBuilder("unit: record\nsize: " + ROWS + "\ncolumns:\n");
            for (int column = 0; column < COLUMNS; column++) {
                yaml.append("  c").append(column).append(": {type: number, bounds: [0, 100]}\n");
            }
            Schema schema = SchemaYaml.read(yaml.toString());
            int threads = Runtime.getRuntime().availableProcessors();
            PreparationOptions standard = PreparationOptions.standard();
            PreparationOptions options = new PreparationOptions(
                    standard.memoryBytes(), standard.spillFolder(), new ReadingOptions(threads, DATABASE_BYTES));
            System.out.printf(
                    Locale.ROOT,
                    "%,d rows, %d columns, %.2f GB of Parquet, heap of %.2f GB, DuckDB %.2f GB%n",
                    ROWS,
                    COLUMNS,
                    Files.size(file) * 1e-9,
                    Runtime.getRuntime().maxMemory() * 1e-9,
                    DATABASE_BYTES * 1e-9);
            long start = System.nanoTime();
            try (PrivateDataset data = Preparation.open(file, schema, options)) {
                print("read and encoded", start);
                ContributionSum sums =
                        ContributionSum.of(COLUMNS, (block, row, contribution) -> contribution.addRow(0, 1));
                double bound = Math.sqrt(COLUMNS);
                ReleasePlan plan = ReleasePlan.of("full pass", 1, COLUMNS, new SamplingScheme.FullPass())
                        .then(ReleasePlan.of("batches", 100, COLUMNS, new SamplingScheme.PoissonSampling(1e-4)));
                PrivateSession session = data.openNotPrivate(RunRequest.of("demo", plan), ReplayNoise.ofSeed(1));
                start = System.nanoTime();
                NoisySum all = session.release(sums, bound);
                print("full pass", start);
                start = System.nanoTime();
                for (int batch = 0; batch < 100; batch++) {
                    session.release(sums, bound);
                }
                print("100 batches of about 1,000", start);
                System.out.printf(Locale.ROOT, "mean of the first column        %.4f%n", all.value()[0] / ROWS);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void generate(Path file) throws SQLException {
        StringBuilder query = new StringBuilder("COPY (SELECT ");
        for (int column = 0; column < COLUMNS; column++) {
            query.append(column == 0 ? "" : ", ").append("random() * 100 AS c").append(column);
        }
        query.append(" FROM range(").append(ROWS).append(")) TO '").append(file).append("' (FORMAT parquet)");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET preserve_insertion_order = false");
            statement.execute(query.toString());
        }
    }

    private static void print(String what, long start) {
        System.out.printf(Locale.ROOT, "%-31s %.2f s%n", what, (System.nanoTime() - start) * 1e-9);
    }
}
