package dev.tacit.spark;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.noise.ReplayNoise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** A table of people who do not exist, in all formats, with cells that are missing, odd, and of every type. */
final class People {
    static final int ROWS = 21_000;

    private People() {}

    /** What is declared; the unit and the neighbours as given, and the target. */
    static Schema schema(String unit, String neighbours, String target, boolean wide) {
        return SchemaYaml.read("""
                unit: %s
                neighbours: %s
                size: %d
                target: %s
                format: {quote: none}
                columns:
                  id: {type: ignore}
                  age: {type: number, bounds: [18, 90]}
                  income: {type: number, bounds: [0, 250000], missing: category}
                  debt: {type: number, bounds: [0, 5000]%s}
                  job: {type: category, categories: [baker, miner, clerk]%s}
                  visits: {type: count, bounds: [0, 20], missing: {constant: 1}}
                  late: {type: binary, positive: "true", negative: "false"}
                """.formatted(
                        unit, neighbours, ROWS, target, wide ? ", cuts: " + cuts() : "", wide ? ", other: true" : ""));
    }

    private static String cuts() {
        StringBuilder cuts = new StringBuilder("[");
        for (int i = 1; i < 40; i++) {
            cuts.append(i == 1 ? "" : ", ").append(125 * i);
        }
        return cuts.append("]").toString();
    }

    static Schema records() {
        return schema("record", "add-remove", "late", false);
    }

    static Schema persons() {
        return schema("{person: id, maxRecords: 2}", "add-remove", "late", false);
    }

    /** As CSV without quotes, from a seed. */
    static Path csv(Path file, int rows, long seed) {
        ReplayNoise random = ReplayNoise.ofSeed(seed);
        StringBuilder text = new StringBuilder("id,age,income,debt,job,visits,late,born\n");
        for (int row = 0; row < rows; row++) {
            long id = (long) (0.6 * rows * uniform(random));
            double age = 18 + 72 * uniform(random);
            double income = 20000 + 100000 * uniform(random) * uniform(random);
            String job = new String[] {"baker", "miner", "clerk", "thief", ""}[(int) (5 * uniform(random))];
            boolean late = uniform(random) < 1 / (1 + StrictMath.exp(2 - age / 40 + income / 80000));
            text.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%.2f,%s,%d,%s,%s\n",
                    uniform(random) < 0.01 ? "" : Long.toString(id),
                    uniform(random) < 0.01 ? "" : uniform(random) < 0.01 ? "Infinity" : Double.toString(age),
                    uniform(random) < 0.05 ? "" : Double.toString(income),
                    5000 * uniform(random),
                    job,
                    (int) (12 * uniform(random) * uniform(random)),
                    late,
                    "19" + (10 + (int) (89 * uniform(random))) + "-03-1" + (int) (10 * uniform(random))));
        }
        try {
            return Files.writeString(file, text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same rows with typed columns. */
    static Path parquet(Path csv, Path file) {
        sql("COPY (SELECT CASE WHEN id = '' THEN NULL ELSE id::BIGINT END AS id, TRY_CAST(age AS DOUBLE) AS age,"
                + " TRY_CAST(income AS FLOAT) AS income, debt::DECIMAL(9, 2) AS debt,"
                + " CASE WHEN job = '' THEN NULL ELSE job END AS job, visits::SMALLINT AS visits,"
                + " late::BOOLEAN AS late, born::DATE AS born, born::TIMESTAMP AS moment"
                + " FROM read_csv('" + csv + "', all_varchar = true, nullstr = '~'))"
                + " TO '" + file + "' (FORMAT PARQUET, ROW_GROUP_SIZE 2048)");
        return file;
    }

    static void sql(String statement) {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement run = connection.createStatement()) {
            run.execute("SET threads = 1");
            run.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double uniform(ReplayNoise random) {
        return (random.nextLong() >>> 11) * 0x1p-53;
    }
}
