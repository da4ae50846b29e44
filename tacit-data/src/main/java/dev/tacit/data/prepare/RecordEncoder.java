package dev.tacit.data.prepare;

import dev.tacit.data.schema.Schema;
import java.util.List;

/** How a record becomes what a model sees: by the schema's formula or by its columns. */
interface RecordEncoder extends RowEncoder {
    /** The names of the encoded columns. */
    List<String> names();

    /** For private records. */
    static RecordEncoder of(Schema schema) {
        return schema.encoding().formula().isPresent() ? DesignEncoder.of(schema) : FeatureEncoder.of(schema);
    }

    /** For rows to be predicted (without labels) or scored (with labels). */
    static RecordEncoder ofPublicRows(Schema schema, boolean needTarget) {
        return schema.encoding().formula().isPresent()
                ? DesignEncoder.ofPublicRows(schema, needTarget)
                : FeatureEncoder.ofPublicRows(schema, needTarget);
    }
}
