package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.PersonIndex;
import dev.tacit.data.prepare.rows.RowCollector;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.SketchKey;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.table.Tables;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.engine.JoinedSummation;
import dev.tacit.engine.LocalSummation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    /** Under which key records are sketched, and where to. */
    private record Sketching(SketchKey key, RecordSketch.Builder sketch) {}

    private static PrivateDataset dataset(
            RecordSource records, Optional<RecordSource> beside, Schema schema, PreparationOptions options) {
        Summation local = new LocalSummation(records, options.reading().threads());
        PrivateDataset data = PrivateDataset.of(
                beside.<Summation>map(invented -> JoinedSummation.of(local, invented))
                        .orElse(local),
                schema.privacyUnit(),
                schema.size());
        boolean byColumns =
                schema.corpus().isEmpty() && schema.encoding().formula().isEmpty();
        return byColumns ? data.withRowNorm(FeatureEncoder.of(schema).largestNorm()) : data;
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
        RowCollector collector = new RowCollector(encoder.shape(), most, options.memoryBytes(), options.spillFolder());
        try {
            table.read(rows -> encode(rows, encoder), batch -> {
                sketching.ifPresent(s -> s.sketch().add(batch.coded()));
                collect(batch, persons, collector);
            });
            return collector.finish(persons == null ? null : persons.order(schema.size()));
        } catch (RuntimeException e) {
            collector.abandon();
            throw e;
        }
    }

    /** Encoded rows, and the coded rows from which they came, whose persons are needed. */
    private record Batch(CodedRows coded, List<Integer> kept, EncodedRows encoded) {}

    private static Batch encode(CodedRows rows, RowEncoder encoder) {
        EncodedRows encoded = new EncodedRows(encoder.shape(), rows.rows());
        boolean grouped = encoder.layout().idColumn().isPresent();
        boolean keepPlace = !grouped && encoder.layout().schema().neighbours() == Neighbours.REPLACE_ONE;
        List<Integer> kept = new ArrayList<>();
        for (int row = 0; row < rows.rows(); row++) {
            boolean whole = !rows.isVoid(row) && encoder.encode(rows, row, encoded) == RowEncoder.ENCODED;
            if (whole && grouped) {
                kept.add(row);
            } else if (!whole && keepPlace) {
                encoded.addVoid();
            }
        }
        return new Batch(rows, kept, encoded);
    }

    private static void collect(Batch batch, PersonIndex persons, RowCollector collector) {
        int rows = batch.encoded().rows();
        if (persons == null) {
            collector.add(batch.encoded(), 0, rows);
            return;
        }
        for (int row = 0; row < rows; row++) {
            long high = batch.coded().idHalf(batch.kept().get(row), 0);
            long low = batch.coded().idHalf(batch.kept().get(row), 1);
            if ((high != 0 || low != 0) && persons.add(high, low)) {
                collector.add(batch.encoded(), row, 1);
            }
        }
    }
}
