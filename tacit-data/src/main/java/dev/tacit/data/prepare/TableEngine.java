package dev.tacit.data.prepare;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import java.util.Optional;

/**
 * Where the records of a table are read and added up: on this machine, or on many.
 *
 * <p>Releases do not depend on it, to the last bit, and neither do sketches: a fit may begin on one engine and end on another.
 */
public interface TableEngine extends AutoCloseable {
    /** Opens a table as a fit sees it, and sketches its records. */
    default Preparation.Sketched openSketched(String data, Schema schema, SketchKey key) {
        return openSketched(data, schema, key, Optional.empty());
    }

    /**
     * The same with invented records among the others; the sketch is of those of the table.
     *
     * @param beside invented records, each a unit
     */
    Preparation.Sketched openSketched(String data, Schema schema, SketchKey key, Optional<RecordSource> beside);

    /** Opens a table as a fit sees it. */
    PrivateDataset open(String data, Schema schema);

    /** Opens a table as the purchase of bounds sees it. */
    PrivateDataset openForBounds(String data, Schema schema);

    /** Sketches the records of a table. */
    RecordSketch sketch(String data, Schema schema, SketchKey key);

    /**
     * Refuses releases that this engine cannot compute, before anything is charged.
     *
     * @throws EngineException with a sentence that says why
     */
    void require(ReleasePlan plan);

    /** Gives up what the engine holds; tables are closed before. */
    @Override
    void close();
}
