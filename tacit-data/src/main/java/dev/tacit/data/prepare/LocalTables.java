package dev.tacit.data.prepare;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import java.util.Optional;

/** Tables that this machine reads and adds up. */
public final class LocalTables implements TableEngine {
    private final PreparationOptions options;

    /** With so many threads; results do not depend on it. */
    public LocalTables(int threads) {
        PreparationOptions standard = PreparationOptions.standard();
        this.options = new PreparationOptions(
                standard.memoryBytes(),
                standard.spillFolder(),
                new ReadingOptions(threads, standard.reading().databaseBytes()));
    }

    @Override
    public Preparation.Sketched openSketched(String data, Schema schema, SketchKey key, Optional<RecordSource> beside) {
        return Preparation.openSketched(DataLocation.of(data), schema, options, key, beside);
    }

    @Override
    public PrivateDataset open(String data, Schema schema) {
        return Preparation.open(data, schema, options);
    }

    @Override
    public PrivateDataset openForBounds(String data, Schema schema) {
        return PrivateBounds.open(DataLocation.of(data), schema, options);
    }

    @Override
    public RecordSketch sketch(String data, Schema schema, SketchKey key) {
        return RecordSketch.of(DataLocation.of(data), schema, key, options.reading());
    }

    /** All releases can be computed here. */
    @Override
    public void require(ReleasePlan plan) {}

    @Override
    public void close() {}
}
