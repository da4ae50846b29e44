package dev.tacit.fit.artefact;

import dev.tacit.data.prepare.FeatureEncoder;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.Schema;
import dev.tacit.run.method.DataShape;

/** From what a schema declares to what a model needs. */
public final class DataShapes {
    private DataShapes() {}

    public static DataShape of(Schema schema) {
        if (schema.corpus().isPresent()) {
            return new DataShape(
                    schema.corpus().get().vocabulary(),
                    Double.POSITIVE_INFINITY,
                    new DataShape.Target.None(),
                    schema.size(),
                    true);
        }
        if (schema.encoding().formula().isPresent()) {
            return FormulaShapes.of(schema);
        }
        FeatureEncoder encoder = FeatureEncoder.of(schema);
        return new DataShape(encoder.names(), encoder.largestNorm(), target(schema), schema.size());
    }

    private static DataShape.Target target(Schema schema) {
        ColumnSchema column = schema.targetColumn().orElse(null);
        if (column instanceof ColumnSchema.BinaryColumn) {
            return new DataShape.Target.Binary();
        }
        if (column instanceof ColumnSchema.NumberColumn number
                && number.bounds().isPresent()) {
            return new DataShape.Target.Numeric(
                    number.bounds().get().lower(), number.bounds().get().upper());
        }
        if (column instanceof ColumnSchema.CategoryColumn category) {
            return new DataShape.Target.Category(category.categories());
        }
        return new DataShape.Target.None();
    }
}
