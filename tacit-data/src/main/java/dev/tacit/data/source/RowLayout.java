package dev.tacit.data.source;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which declared columns are read, in the order in which rows are coded.
 *
 * @param schema what is declared
 * @param columns the columns whose cells are coded
 * @param idColumn the column that tells persons apart, if rows are grouped
 * @param contentKey the key under which whole records are marked, if they are
 */
public record RowLayout(
        Schema schema, List<ColumnSchema> columns, Optional<String> idColumn, Optional<SketchKey> contentKey) {
    public RowLayout {
        columns = List.copyOf(columns);
    }

    /** Without marks of whole records. */
    public RowLayout(Schema schema, List<ColumnSchema> columns, Optional<String> idColumn) {
        this(schema, columns, idColumn, Optional.empty());
    }

    /** No cell, but persons if the unit has them, and marks of whole records. */
    public static RowLayout ofContents(Schema schema, SketchKey key) {
        return new RowLayout(schema, List.of(), schema.unit().idColumn(), Optional.of(key));
    }

    /** The same with marks of whole records. */
    public RowLayout withContents(SketchKey key) {
        return new RowLayout(schema, columns, idColumn, Optional.of(key));
    }

    /** All features, then the target if it is needed, and persons if the unit has them. */
    public static RowLayout ofPrivateRecords(Schema schema) {
        return new RowLayout(schema, featuresAnd(schema, true), schema.unit().idColumn());
    }

    /** All features, then the target if it is needed; persons do not matter. */
    public static RowLayout ofPublicRows(Schema schema, boolean needTarget) {
        return new RowLayout(schema, featuresAnd(schema, needTarget), Optional.empty());
    }

    private static List<ColumnSchema> featuresAnd(Schema schema, boolean target) {
        List<ColumnSchema> columns = new ArrayList<>(schema.features());
        if (target) {
            schema.targetColumn().ifPresent(columns::add);
        }
        return columns;
    }

    /** How many numbers a coded row has. */
    public int width() {
        return columns.size();
    }

    /** The names of all columns that a table must have. */
    public List<String> neededNames() {
        List<String> names =
                new ArrayList<>(columns.stream().map(ColumnSchema::name).toList());
        idColumn.ifPresent(names::add);
        return names;
    }
}
