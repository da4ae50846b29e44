package dev.tacit.audit.reader;

import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What a file of several units gives is what files of each unit give, together: so taking a unit away takes its own rows
 * away and nothing else.
 *
 * <pre>
 *   S(file) − S(file without u) = S(file of u)   to the last bit,     at most maxRecords rows in a file of u
 * </pre>
 *
 * S is the sum, behind the door and without noise, of rows, labels, their number and a few waves of both, in which a row
 * that took a cell from another one shows.
 */
public final class ReaderCheck {
    private static final int UNITS = 4;
    private static final int WAVES = 3;

    private ReaderCheck() {}

    /**
     * What was checked.
     *
     * @param files how many tables were written and read
     * @param comparisons how often a unit was taken away
     * @param defect the first time that something else changed
     */
    public record Checked(long files, long comparisons, Optional<Defect> defect) {}

    /** Whether files of this name can be written here. */
    public static boolean possible(Schema schema, String fileName) {
        return TableWriter.of(schema, fileName).isPresent()
                && schema.columnsWithPrivateBounds().isEmpty();
    }

    /** The reader of every fit. */
    public static PrivateDataset standardReader(Path file, Schema schema) {
        return Preparation.open(
                file,
                schema,
                new PreparationOptions(1 << 22, file.toAbsolutePath().getParent(), new ReadingOptions(1, 1 << 26)));
    }

    /**
     * Writes tables of odd records, and reads each with one unit less at a time.
     *
     * @param fileName whose ending says which format it has
     * @param tables how many
     * @param reader what reads them
     * @param folder for the files, which are removed again
     */
    public static Checked run(
            Schema schema,
            String fileName,
            int tables,
            long seed,
            BiFunction<Path, Schema, PrivateDataset> reader,
            Path folder) {
        TableWriter writer = TableWriter.of(schema, fileName).orElseThrow();
        Path file = folder.resolve("audit" + writer.ending());
        long read = 0;
        long comparisons = 0;
        try {
            for (int table = 0; table < tables; table++) {
                List<List<List<String>>> units =
                        units(schema, RandomStream.ofSeed(seed).fork(table));
                long[] all = sums(schema, write(file, writer, units), reader);
                read += 1 + 2L * units.size();
                for (int unit = 0; unit < units.size(); unit++) {
                    List<List<List<String>>> others = new ArrayList<>(units);
                    List<List<List<String>>> alone = List.of(others.remove(unit));
                    long[] without = sums(schema, write(file, writer, others), reader);
                    long[] own = sums(schema, write(file, writer, alone), reader);
                    comparisons++;
                    Optional<Defect> defect = compare(schema, all, without, own, table, unit);
                    if (defect.isPresent()) {
                        return new Checked(read, comparisons, defect);
                    }
                }
            }
            return new Checked(read, comparisons, Optional.empty());
        } catch (DataException e) {
            return new Checked(
                    read,
                    comparisons,
                    Optional.of(new Defect(Kind.READER, "a file was refused because of what a record in it holds")));
        } finally {
            delete(file);
        }
    }

    private static Optional<Defect> compare(
            Schema schema, long[] all, long[] without, long[] own, int table, int unit) {
        long[] moved = new long[all.length];
        for (int i = 0; i < moved.length; i++) {
            moved[i] = all[i] - without[i];
        }
        String where = " (table " + (table + 1) + ", unit " + (unit + 1) + ")";
        long one = own[own.length - 1];
        if (!Arrays.equals(moved, own)) {
            return Optional.of(new Defect(
                    Kind.READER, "a file without one unit differs from the whole one by more than that unit" + where));
        }
        if (one > schema.unit().maxRecords()) {
            return Optional.of(new Defect(Kind.READER, "one unit of a file became " + one + " rows" + where));
        }
        return Optional.empty();
    }

    /** Records by unit; persons have up to one record more than count. */
    private static List<List<List<String>>> units(Schema schema, RandomStream random) {
        boolean persons = schema.unit().idColumn().isPresent();
        List<List<List<String>>> units = new ArrayList<>();
        for (int unit = 0; unit < UNITS; unit++) {
            List<List<String>> records = new ArrayList<>();
            int count = persons ? 1 + random.nextInt(Math.min(4, schema.unit().maxRecords() + 1)) : 1;
            for (int record = 0; record < count; record++) {
                records.add(
                        schema.corpus().isPresent()
                                ? document(schema, random)
                                : OddCells.draw(schema, "person " + unit, random));
            }
            units.add(records);
        }
        return units;
    }

    private static List<String> document(Schema schema, RandomStream random) {
        List<String> vocabulary = schema.corpus().orElseThrow().vocabulary();
        List<String> words = new ArrayList<>();
        for (int word = 0; word < 6; word++) {
            words.add(
                    random.nextInt(2) == 0 ? vocabulary.get(random.nextInt(vocabulary.size())) : OddCells.odd(random));
        }
        return words;
    }

    private static Path write(Path file, TableWriter writer, List<List<List<String>>> units) {
        List<List<String>> records = new ArrayList<>();
        units.forEach(records::addAll);
        try {
            return Files.write(file, writer.write(records).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Rows, labels, waves and their number, of which the last is in whole rows. */
    private static long[] sums(Schema schema, Path file, BiFunction<Path, Schema, PrivateDataset> reader) {
        try (PrivateDataset data = reader.apply(file, schema)) {
            int columns = data.columns();
            int dimension = columns + WAVES + 2;
            ContributionSum query = ContributionSum.of(dimension, (block, row, sum) -> {
                double squares = Rows.squaredNorm(block, row);
                double label = block.label(row);
                boolean usable = Double.isFinite(squares);
                if (usable) {
                    sum.addRow(0, 1);
                    double wave = Math.sqrt(squares) + (Double.isFinite(label) ? 3 * label : 0);
                    for (int k = 0; k < WAVES; k++) {
                        sum.add(columns + k, Math.sin((k + 1) * wave));
                    }
                    sum.add(columns + WAVES, Double.isFinite(label) ? label : 0);
                }
                sum.add(columns + WAVES + 1, usable ? 1 : 0);
            });
            ReleasePlan plan = ReleasePlan.of("rows", 1, dimension, new FullPass());
            NoisySum released = data.openNotPrivate(RunRequest.of("audit", plan), ReplayNoise.ofSeed(1))
                    .release(query, largest(schema));
            long[] integers = released.integers().clone();
            int last = integers.length - 1;
            integers[last] = Math.round(released.value()[last]);
            return integers;
        }
    }

    /** No row is clipped: what is compared is what was read. */
    private static double largest(Schema schema) {
        return 1e4 * schema.unit().maxRecords();
    }
}
