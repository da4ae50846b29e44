package dev.tacit.data.schema;

import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.IgnoredColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.text.Spelling;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that is known about a table without looking at it; all of it is public.
 *
 * @param unit who is protected
 * @param neighbours which data sets must be hard to tell apart
 * @param size the public number of units
 * @param target the column to be predicted, if any
 * @param format how text files are read
 * @param encoding how rows are encoded
 * @param columns the columns, in the order of the file if it has no header; none if records are documents
 * @param corpus how documents are read, if records are documents
 */
public record Schema(
        UnitSchema unit,
        Neighbours neighbours,
        long size,
        Optional<String> target,
        FileFormat format,
        Encoding encoding,
        List<ColumnSchema> columns,
        Optional<CorpusSchema> corpus) {
    /** Of a table. */
    public Schema(
            UnitSchema unit,
            Neighbours neighbours,
            long size,
            Optional<String> target,
            FileFormat format,
            Encoding encoding,
            List<ColumnSchema> columns) {
        this(unit, neighbours, size, target, format, encoding, columns, Optional.empty());
    }

    public Schema {
        Objects.requireNonNull(corpus, "corpus");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(neighbours, "neighbours");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(encoding, "encoding");
        columns = List.copyOf(columns);
        if (size < 1) {
            throw new SchemaException("size is the public number of units, 1 or more");
        }
        requireDistinctNames(columns);
        for (ColumnSchema column : columns) {
            requireApartFromMissing(column, format);
        }
        if (target.isPresent()) {
            requireTarget(columns, target.get());
        }
        if (unit.idColumn().isPresent()) {
            requireId(find(columns, unit.idColumn().get()), unit.idColumn().get());
        }
        if (corpus.isPresent()
                && (!columns.isEmpty() || target.isPresent() || unit.idColumn().isPresent())) {
            throw new SchemaException("a corpus has no columns, no target and no persons: a record is a document");
        }
        if (corpus.isEmpty() && features(columns, target).isEmpty()) {
            throw new SchemaException("no column is left to learn from: all are ignored or the target");
        }
    }

    /** The column of this name. */
    public ColumnSchema column(String name) {
        return find(columns, name)
                .orElseThrow(() -> new IllegalArgumentException("the schema has no column \"" + name + "\""));
    }

    /** The column to be predicted. */
    public Optional<ColumnSchema> targetColumn() {
        return target.map(this::column);
    }

    /** The columns that are encoded, in order: neither ignored nor the target. */
    public List<ColumnSchema> features() {
        return features(columns, target);
    }

    /** The numbers whose bounds are to be bought from the budget. */
    public List<NumberColumn> columnsWithPrivateBounds() {
        List<NumberColumn> found = new ArrayList<>();
        for (ColumnSchema column : columns) {
            if (column instanceof NumberColumn number && number.bounds().isEmpty()) {
                found.add(number);
            }
        }
        return List.copyOf(found);
    }

    /** Who is protected, as the door wants to know it. */
    public PrivacyUnit privacyUnit() {
        return unit.idColumn().isPresent()
                ? new PrivacyUnit("person", unit.maxRecords(), neighbours)
                : PrivacyUnit.record(neighbours);
    }

    /** The same schema with other columns. */
    public Schema withColumns(List<ColumnSchema> others) {
        return new Schema(unit, neighbours, size, target, format, encoding, others, corpus);
    }

    /** The same schema with rows by a formula, whose response is the target. */
    public Schema withFormula(String formula, String response) {
        return new Schema(
                unit, neighbours, size, Optional.of(response), format, Encoding.ofFormula(formula), columns, corpus);
    }

    /** As a value for {@link dev.tacit.json.Json}, with the keys of the YAML form. */
    public Map<String, Object> toJson() {
        return SchemaWriter.tree(this);
    }

    /**
     * Reads a file in YAML.
     *
     * @throws java.nio.file.NoSuchFileException if there is no such file
     * @throws SchemaException if it is not a schema; the message names the file and the line
     */
    public static Schema read(Path file) throws IOException {
        return SchemaYaml.read(file);
    }

    /** Reads {@link #toJson} back. */
    public static Schema fromJson(Object json) {
        return SchemaReader.read(SchemaNode.ofJson(json), "schema", Path.of(""));
    }

    private static Optional<ColumnSchema> find(List<ColumnSchema> columns, String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    private static List<ColumnSchema> features(List<ColumnSchema> columns, Optional<String> target) {
        return columns.stream()
                .filter(column -> !(column instanceof IgnoredColumn) && !target.equals(Optional.of(column.name())))
                .toList();
    }

    private static void requireDistinctNames(List<ColumnSchema> columns) {
        Set<String> names = new HashSet<>();
        for (ColumnSchema column : columns) {
            if (!names.add(column.name())) {
                throw SchemaException.of(column.name(), "is declared twice");
            }
        }
    }

    private static void requireApartFromMissing(ColumnSchema column, FileFormat format) {
        List<String> declared = new ArrayList<>();
        if (column instanceof CategoryColumn category) {
            declared.addAll(category.categories());
        } else if (column instanceof BinaryColumn binary) {
            declared.addAll(binary.positive());
            declared.addAll(binary.negative());
        }
        for (String value : declared) {
            if (format.missing().contains(value)) {
                throw SchemaException.of(
                        column.name(), "declares \"" + value + "\" as a value, and the format declares it as missing");
            }
            if (format.trim() && !value.equals(value.strip())) {
                throw SchemaException.of(
                        column.name(),
                        "declares a value with white space around it, which is dropped from cells; "
                                + "say trim: false or drop it here too");
            }
        }
    }

    private static void requireTarget(List<ColumnSchema> columns, String name) {
        List<String> names = columns.stream().map(ColumnSchema::name).toList();
        ColumnSchema column = find(columns, name)
                .orElseThrow(() -> new SchemaException(
                        "the target \"" + name + "\" is not one of the declared columns" + Spelling.hint(name, names)));
        if (column instanceof IgnoredColumn) {
            throw SchemaException.of(name, "is the target and cannot be ignored");
        }
        if (column.missing() instanceof MissingPolicy.OwnColumn) {
            throw SchemaException.of(
                    name, "is the target, which takes missing: refuse or {constant: value}, not missing: category");
        }
        if (column instanceof NumberColumn number
                && (number.transform() != NumberTransform.NONE || !number.cuts().isEmpty() || number.center())) {
            throw SchemaException.of(name, "is the target, which takes bounds only: no transform, cuts or center");
        }
    }

    private static void requireId(Optional<ColumnSchema> found, String name) {
        ColumnSchema column = found.orElseThrow(() ->
                new SchemaException("the unit's person column \"" + name + "\" is not one of the declared columns; "
                        + "declare it (" + Text.scalar(name) + ": {type: ignore})"));
        if (!(column instanceof IgnoredColumn)) {
            throw SchemaException.of(name, "tells persons apart and is not learned from; declare it as {type: ignore}");
        }
    }
}
