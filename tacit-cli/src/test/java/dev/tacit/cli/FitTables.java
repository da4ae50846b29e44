package dev.tacit.cli;

import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Small synthetic tables with their schemas, in the folder of a test. */
record FitTables(Path folder) {
    static final String HEADER = "age,debt,job,late";

    /** Rows of loans: {@code late} follows a logistic model of the other columns. */
    static List<String> loans(int rows, long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            double age = 20 + Math.floor(60 * random.uniform());
            double debt = Math.floor(1000 * random.uniform());
            boolean miner = random.uniform() < 0.4;
            double margin = -1.5 + 0.006 * debt - 0.03 * (age - 50) + (miner ? 0.5 : -0.5);
            boolean late = random.uniform() < 1 / (1 + Math.exp(-margin));
            lines.add(String.format(
                    Locale.ROOT, "%.0f,%.0f,%s,%s", age, debt, miner ? "miner" : "baker", late ? "yes" : "no"));
        }
        return lines;
    }

    static String loansSchema(long size) {
        return """
                unit: record
                size: %d
                target: late
                columns:
                  age: {type: number, bounds: [20, 80]}
                  debt: {type: number, bounds: [0, 1000]}
                  job: {type: category, categories: [miner, baker], other: false}
                  late: {type: binary, positive: "yes", negative: "no"}
                """.formatted(size);
    }

    Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path table(String name, List<String> rows) {
        return write(name, HEADER + "\n" + String.join("\n", rows) + "\n");
    }

    /** The command line of a fit of loans, without what it costs. */
    static List<String> fit(Path table, Path schema, Path out, String... more) {
        List<String> args = new ArrayList<>(
                List.of("fit", table.toString(), "--schema", schema.toString(), "--out", out.toString()));
        if (!List.of(more).contains("--model")) {
            args.addAll(List.of("--model", "logistic-regression"));
        }
        args.addAll(List.of(more));
        return args;
    }

    static CliRun run(List<String> args) {
        return CliRun.of(args.toArray(String[]::new));
    }
}
