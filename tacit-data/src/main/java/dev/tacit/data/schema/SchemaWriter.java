package dev.tacit.data.schema;

import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A schema as a tree of maps, lists, texts and numbers; what equals the default is left out. */
final class SchemaWriter {
    private SchemaWriter() {}

    static Map<String, Object> tree(Schema schema) {
        Map<String, Object> tree = new LinkedHashMap<>();
        UnitSchema unit = schema.unit();
        if (unit.idColumn().isEmpty()) {
            tree.put("unit", "record");
        } else {
            Map<String, Object> person = new LinkedHashMap<>();
            person.put("person", unit.idColumn().get());
            person.put("maxRecords", (long) unit.maxRecords());
            tree.put("unit", person);
        }
        tree.put("neighbours", schema.neighbours().label());
        tree.put("size", schema.size());
        schema.target().ifPresent(target -> tree.put("target", target));
        Map<String, Object> format = format(schema.format());
        if (!format.isEmpty()) {
            tree.put("format", format);
        }
        tree.put("encoding", encoding(schema.encoding()));
        if (schema.corpus().isPresent()) {
            Map<String, Object> corpus = new LinkedHashMap<>();
            corpus.put("format", schema.corpus().get().format().label());
            corpus.put("vocabulary", List.<Object>copyOf(schema.corpus().get().vocabulary()));
            tree.put("corpus", corpus);
            return tree;
        }
        Map<String, Object> columns = new LinkedHashMap<>();
        for (ColumnSchema column : schema.columns()) {
            columns.put(column.name(), column(column));
        }
        tree.put("columns", columns);
        return tree;
    }

    private static Map<String, Object> format(FileFormat format) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (!format.header()) {
            tree.put("header", false);
        }
        format.delimiter().ifPresent(delimiter -> tree.put("delimiter", String.valueOf(delimiter)));
        format.comment().ifPresent(comment -> tree.put("comment", String.valueOf(comment)));
        if (!format.missing().isEmpty()) {
            tree.put("missing", List.<Object>copyOf(format.missing()));
        }
        if (!format.trim()) {
            tree.put("trim", false);
        }
        if (!format.quoted()) {
            tree.put("quote", "none");
        }
        if (format.escaped()) {
            tree.put("escape", "backslash");
        }
        return tree;
    }

    private static Map<String, Object> encoding(Encoding encoding) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (encoding.formula().isPresent()) {
            tree.put("formula", encoding.formula().get());
            return tree;
        }
        tree.put("intercept", encoding.intercept());
        if (encoding.rowNorm() instanceof RowNorm.Unit) {
            tree.put("rowNorm", "unit");
        } else if (encoding.rowNorm() instanceof RowNorm.AtMost atMost) {
            tree.put("rowNorm", Map.of("atMost", atMost.bound()));
        } else {
            tree.put("rowNorm", "none");
        }
        return tree;
    }

    private static Map<String, Object> column(ColumnSchema column) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (column instanceof NumberColumn number) {
            number(number, tree);
        } else if (column instanceof CategoryColumn category) {
            tree.put("type", "category");
            tree.put("categories", List.<Object>copyOf(category.categories()));
            if (!category.other()) {
                tree.put("other", false);
            }
            category.reference().ifPresent(reference -> tree.put("reference", reference));
        } else if (column instanceof BinaryColumn binary) {
            tree.put("type", "binary");
            tree.put("positive", oneOrMore(binary.positive()));
            if (!binary.negative().isEmpty()) {
                tree.put("negative", oneOrMore(binary.negative()));
            }
        } else {
            tree.put("type", "ignore");
        }
        if (column.missing() instanceof MissingPolicy.OwnColumn) {
            tree.put("missing", "category");
        } else if (column.missing() instanceof MissingPolicy.Constant constant) {
            boolean number = column instanceof NumberColumn;
            Object value = number ? (Object) Double.parseDouble(constant.value()) : constant.value();
            tree.put("missing", Map.of("constant", value));
        }
        return tree;
    }

    private static void number(NumberColumn number, Map<String, Object> tree) {
        tree.put("type", number.count() ? "count" : "number");
        tree.put(
                "bounds",
                number.bounds().isEmpty()
                        ? SchemaReader.PRIVATE
                        : List.of(
                                number.bounds().get().lower(),
                                number.bounds().get().upper()));
        if (number.transform() != NumberTransform.NONE) {
            tree.put("transform", number.transform().label());
        }
        if (!number.cuts().isEmpty()) {
            tree.put("cuts", List.<Object>copyOf(number.cuts()));
        }
        if (!number.scale()) {
            tree.put("scale", false);
        }
        if (number.center()) {
            tree.put("center", true);
        }
    }

    private static Object oneOrMore(List<String> values) {
        return values.size() == 1 ? values.get(0) : List.<Object>copyOf(values);
    }
}
