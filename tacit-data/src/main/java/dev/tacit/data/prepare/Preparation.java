package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.PersonIndex;
import dev.tacit.data.prepare.rows.RowCollector;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.SketchKey;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.table.Tables;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.sum.Summation;
import dev.tacit.engine.JoinedSummation;
import dev.tacit.engine.LocalSummation;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads a table and encodes it as a private data set, by its schema only.
 *
 * <p>A record that is void, a row with a missing value that its schema refuses, or without a person where persons are protected, is left out:
 * it contributes nothing, and nobody is told. So what becomes of a row depends on that row alone (and on which other
 * rows its person has), and the data set with one unit less differs by that unit's records. Under replace-one neighbours,
 * where the number of records is public, such a row keeps its place as a record of which nothing is a number, which the
 * door counts as zero.
 */
public final class Preparation {
    private Preparation() {}

    /** A file. */
    public static PrivateDataset open(Path file, Schema schema, PreparationOptions options) {
        return open(DataLocation.of(file), schema, options);
    }

    /** A file or a {@code postgres:} URL. */
    public static PrivateDataset open(String pathOrUrl, Schema schema, PreparationOptions options) {
        return open(DataLocation.of(pathOrUrl), schema, options);
    }

    /**
     * A table.
     *
     * @throws dev.tacit.data.source.NoInputException if there is no such table
     * @throws DataException if the table's form does not fit the schema; never because of a record
     */
    public static PrivateDataset open(DataLocation location, Schema schema, PreparationOptions options) {
        return dataset(records(location, schema, options, Optional.empty()), Optional.empty(), schema, options);
    }

    /**
     * A table, and the sketch of its records.
     *
     * @param dataset the private data set
     * @param sketch for the holder's own files
     */
    public record Sketched(PrivateDataset dataset, RecordSketch sketch) {}

    /**
     * Opens a table as {@link #open} does and sketches its records in the same pass.
     *
     * @param beside invented records, each a unit, that are put beside those of the table
     */
    public static Sketched openSketched(
            DataLocation location,
            Schema schema,
            PreparationOptions options,
            SketchKey key,
            Optional<RecordSource> beside) {
        RecordSketch.Builder sketch =
                new RecordSketch.Builder(key, schema.unit().idColumn().isPresent());
        RecordSource records = records(location, schema, options, Optional.of(new Sketching(key, sketch)));
        return new Sketched(dataset(records, beside, schema, options), sketch.build());
    }

    /**
     * A data set of encoded records behind a seam, with what the schema declares about them.
     *
     * @param beside invented records, each a unit, that are put beside those behind the seam
     */
    public static PrivateDataset dataset(Summation records, Optional<RecordSource> beside, Schema schema) {
        Summation all = beside.<Summation>map(invented -> JoinedSummation.of(records, invented))
                .orElse(records);
        PrivateDataset data = PrivateDataset.of(all, schema.privacyUnit(), schema.size());
        boolean byColumns =
                schema.corpus().isEmpty() && schema.encoding().formula().isEmpty();
        return byColumns ? data.withRowNorm(FeatureEncoder.of(schema).largestNorm()) : data;
    }

    /** Under which key records are sketched, and where to. */
    private record Sketching(SketchKey key, RecordSketch.Builder sketch) {}

    private static PrivateDataset dataset(
            RecordSource records, Optional<RecordSource> beside, Schema schema, PreparationOptions options) {
        return dataset(new LocalSummation(records, options.reading().threads()), beside, schema);
    }

    private static RecordSource records(
            DataLocation location, Schema schema, PreparationOptions options, Optional<Sketching> sketching) {
        return schema.corpus().isPresent()
                ? Documents.privateRecords(location.address(), schema.corpus().get(), sketching.map(Sketching::sketch))
                : records(location, RecordEncoder.of(schema), options, sketching);
    }

    static RecordSource records(DataLocation location, RowEncoder encoder, PreparationOptions options) {
        return records(location, encoder, options, Optional.empty());
    }

    private static RecordSource records(
            DataLocation location, RowEncoder encoder, PreparationOptions options, Optional<Sketching> sketching) {
        RowLayout layout =
                sketching.map(s -> encoder.layout().withContents(s.key())).orElse(encoder.layout());
        try (TableSource table = Tables.open(location, layout, options.reading())) {
            return records(table, encoder, options, sketching);
        }
    }

    static RecordSource records(TableSource table, RowEncoder encoder, PreparationOptions options) {
        return records(table, encoder, options, Optional.empty());
    }

    private static RecordSource records(
            TableSource table, RowEncoder encoder, PreparationOptions options, Optional<Sketching> sketching) {
        Schema schema = encoder.layout().schema();
        long most = schema.size() > Long.MAX_VALUE / schema.unit().maxRecords()
                ? Long.MAX_VALUE
                : schema.size() * schema.unit().maxRecords();
        Optional<String> id = encoder.layout().idColumn();
        PersonIndex persons = id.isPresent() ? new PersonIndex(schema.unit().maxRecords()) : null;
        PartEncoder part = new PartEncoder(encoder);
        RowCollector collector = new RowCollector(encoder.shape(), most, options.memoryBytes(), options.spillFolder());
        try {
            table.read(part::encode, batch -> {
                sketching.ifPresent(s -> s.sketch().add(batch.coded()));
                collect(batch, persons, collector);
            });
            return collector.finish(persons == null ? null : persons.order(schema.size()));
        } catch (RuntimeException e) {
            collector.abandon();
            throw e;
        }
    }

    private static void collect(PartEncoder.Batch batch, PersonIndex persons, RowCollector collector) {
        int rows = batch.encoded().rows();
        if (persons == null) {
            collector.add(batch.encoded(), 0, rows);
            return;
        }
        for (int row = 0; row < rows; row++) {
            long high = batch.coded().idHalf(batch.from()[row], 0);
            long low = batch.coded().idHalf(batch.from()[row], 1);
            if ((high != 0 || low != 0) && persons.add(high, low)) {
                collector.add(batch.encoded(), row, 1);
            }
        }
    }
}
