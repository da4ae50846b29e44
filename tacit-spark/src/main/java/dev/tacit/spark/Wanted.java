package dev.tacit.spark;

import dev.tacit.data.prepare.PartEncoder;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.SketchKey;
import dev.tacit.json.Json;
import java.io.Serializable;
import java.util.Optional;

/**
 * What is wanted of a table, as it travels to executors: the schema in our own JSON, so that they need no other reader.
 *
 * @param purpose what records are encoded for
 * @param schemaJson what is declared
 * @param key under which records are sketched, or null if they are not
 * @param secret the key under which parts are digested
 */
record Wanted(Purpose purpose, String schemaJson, SketchKey key, byte[] secret) implements Serializable {
    /** What records are encoded for. */
    enum Purpose {
        FIT,
        BOUNDS,
        /** Not at all; they are sketched. */
        SKETCH
    }

    /**
     * @param sketchKey under which records are sketched, or null if they are not
     */
    static Wanted of(Purpose purpose, Schema schema, SketchKey sketchKey, byte[] secret) {
        return new Wanted(purpose, Json.write(schema.toJson()), sketchKey, secret);
    }

    Schema schema() {
        return Schema.fromJson(Json.read(schemaJson));
    }

    Optional<SketchKey> sketchKey() {
        return Optional.ofNullable(key);
    }

    Optional<RecordSketch.Builder> sketch(Schema schema) {
        boolean persons = schema.unit().idColumn().isPresent();
        return sketchKey().map(key -> new RecordSketch.Builder(key, persons));
    }

    /** Encodes records, unless they are only sketched. */
    Optional<PartEncoder> encoder(Schema schema) {
        return switch (purpose) {
            case FIT -> Optional.of(PartEncoder.of(schema));
            case BOUNDS -> Optional.of(PartEncoder.forBounds(schema));
            case SKETCH -> Optional.empty();
        };
    }

    /** Which columns are read. */
    RowLayout layout(Schema schema) {
        RowLayout cells = encoder(schema)
                .map(PartEncoder::layout)
                .orElseGet(() -> RowLayout.ofContents(schema, sketchKey().orElseThrow()));
        return sketchKey().map(cells::withContents).orElse(cells);
    }
}
