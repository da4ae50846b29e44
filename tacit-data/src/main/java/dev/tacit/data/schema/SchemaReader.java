package dev.tacit.data.schema;

import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.IgnoredColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.SchemaNode.Scalar;
import dev.tacit.door.unit.Neighbours;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** From a tree with lines to a schema; the first thing that is wrong is said with its place. */
final class SchemaReader {
    /** The bounds of a column whose holder has not declared them yet. */
    static final String REQUIRED = "REQUIRED";

    /** The bounds of a column whose holder buys them from the budget. */
    static final String PRIVATE = "PRIVATE";

    private final String name;
    private final Path folder;

    private SchemaReader(String name, Path folder) {
        this.name = name;
        this.folder = folder;
    }

    /**
     * @param folder where files that the schema names are, relative to it
     */
    static Schema read(SchemaNode root, String name, Path folder) {
        return new SchemaReader(name, folder).schema(root);
    }

    private Schema schema(SchemaNode root) {
        SchemaFields fields = SchemaFields.of(root, "a schema", name);
        refuseDraft(fields);
        UnitSchema unit = unit(fields.node(
                "unit",
                "say who is protected: unit: record, or unit: "
                        + "{person: ID_COLUMN, maxRecords: 3} if people have several rows"));
        Neighbours neighbours = fields.has("neighbours") ? neighbours(fields) : Neighbours.ADD_REMOVE;
        long size = size(fields.node("size", "declare the public number of units (size: 10000)"));
        Optional<String> target = fields.has("target") ? Optional.of(fields.text("target")) : Optional.empty();
        FileFormat format = fields.has("format") ? format(fields.object("format")) : FileFormat.DEFAULT;
        Encoding encoding = encoding(fields, target.isPresent());
        if (fields.has("corpus")) {
            CorpusSchema corpus = corpus(fields.object("corpus"));
            fields.end();
            return located(
                    root,
                    () -> new Schema(unit, neighbours, size, target, format, encoding, List.of(), Optional.of(corpus)));
        }
        List<ColumnSchema> columns = columns(fields.object("columns"), target);
        fields.end();
        return located(root, () -> new Schema(unit, neighbours, size, target, format, encoding, columns));
    }

    private CorpusSchema corpus(SchemaFields fields) {
        String format = fields.text("format");
        SchemaNode vocabulary = fields.node("vocabulary");
        List<String> words = vocabulary.value() instanceof Scalar file
                ? VocabularyFile.read(folder.resolve(file.text()), SchemaFields.place(vocabulary, name))
                : fields.texts("vocabulary");
        fields.end();
        return located(fields.itself(), () -> new CorpusSchema(CorpusSchema.Format.ofLabel(format), words));
    }

    /** A draft that leaves several things open says all of them at once. */
    private void refuseDraft(SchemaFields fields) {
        List<String> open = new ArrayList<>();
        collectRequired(fields.itself(), "", open);
        if (open.size() > 1) {
            throw new SchemaException(name + " still says " + REQUIRED + " in " + open.size() + " places: "
                    + String.join(", ", open) + "; replace each by what you know and not by what the data show");
        }
        for (String key : List.of("unit", "size")) {
            if (fields.has(key) && fields.is(key, REQUIRED)) {
                throw fields.problem(
                        fields.node(key),
                        key + " is still " + REQUIRED + ": replace it by what you declare about the data");
            }
        }
    }

    private static void collectRequired(SchemaNode node, String path, List<String> open) {
        if (node.value() instanceof Scalar scalar && scalar.text().equals(REQUIRED)) {
            open.add(path + (node.line() > 0 ? " (line " + node.line() + ")" : ""));
        } else if (node.value() instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                String inside = path.isEmpty() || path.equals("columns") ? key.toString() : key + " of " + path;
                collectRequired((SchemaNode) value, inside, open);
            });
        }
    }

    private UnitSchema unit(SchemaNode node) {
        if (node.value() instanceof Scalar scalar && scalar.text().equals("record")) {
            return UnitSchema.record();
        }
        if (!(node.value() instanceof Map)) {
            throw problem(node, "unit is record or {person: ID_COLUMN, maxRecords: 3}");
        }
        SchemaFields fields = SchemaFields.of(node, "unit", name);
        String person = fields.text("person");
        long most = fields.integer("maxRecords");
        fields.end();
        return located(node, () -> UnitSchema.person(person, (int) Math.max(0, Math.min(Integer.MAX_VALUE, most))));
    }

    private Neighbours neighbours(SchemaFields fields) {
        try {
            return Neighbours.ofLabel(fields.text("neighbours"));
        } catch (IllegalArgumentException e) {
            throw problem(fields.node("neighbours"), e.getMessage());
        }
    }

    private long size(SchemaNode node) {
        long size = SchemaFields.integer(node, "size", name);
        if (size < 1) {
            throw problem(node, "size is the public number of units, 1 or more");
        }
        return size;
    }

    private FileFormat format(SchemaFields fields) {
        boolean header = fields.flag("header", true);
        Optional<Character> delimiter = character(fields, "delimiter");
        Optional<Character> comment = character(fields, "comment");
        List<String> missing = new ArrayList<>(fields.has("missing") ? fields.texts("missing") : List.of());
        missing.removeIf(String::isEmpty);
        boolean trim = fields.flag("trim", true);
        if (fields.has("quote") && !fields.is("quote", "none") && !fields.is("quote", "\"")) {
            throw problem(fields.node("quote"), "quote is none or \"\\\"\", the default");
        }
        boolean quoted = !fields.has("quote") || !fields.is("quote", "none");
        if (fields.has("escape") && !fields.is("escape", "backslash") && !fields.is("escape", "none")) {
            throw problem(fields.node("escape"), "escape is backslash or none, the default");
        }
        boolean escaped = fields.has("escape") && fields.is("escape", "backslash");
        fields.end();
        return located(
                fields.itself(), () -> new FileFormat(header, delimiter, comment, missing, trim, quoted, escaped));
    }

    private Optional<Character> character(SchemaFields fields, String key) {
        if (!fields.has(key)) {
            return Optional.empty();
        }
        String text = fields.text(key);
        String character = text.equals("tab") || text.equals("\\t") ? "\t" : text;
        if (character.length() != 1) {
            throw problem(fields.node(key), key + " is one character in quotes, or tab");
        }
        return Optional.of(character.charAt(0));
    }

    private Encoding encoding(SchemaFields schema, boolean intercept) {
        if (!schema.has("encoding")) {
            return new Encoding(intercept, new RowNorm.None());
        }
        SchemaFields fields = schema.object("encoding");
        if (fields.has("formula")) {
            String formula = fields.text("formula");
            fields.end();
            return Encoding.ofFormula(formula);
        }
        boolean constant = fields.flag("intercept", intercept);
        RowNorm norm = fields.has("rowNorm") ? rowNorm(fields.node("rowNorm")) : new RowNorm.None();
        fields.end();
        return new Encoding(constant, norm);
    }

    private RowNorm rowNorm(SchemaNode node) {
        if (node.value() instanceof Scalar scalar && scalar.text().equals("none")) {
            return new RowNorm.None();
        }
        if (node.value() instanceof Scalar scalar && scalar.text().equals("unit")) {
            return new RowNorm.Unit();
        }
        if (!(node.value() instanceof Map)) {
            throw problem(node, "rowNorm is none, unit or {atMost: 1.0}");
        }
        SchemaFields fields = SchemaFields.of(node, "rowNorm", name);
        double bound = fields.number("atMost");
        fields.end();
        return located(node, () -> new RowNorm.AtMost(bound));
    }

    private List<ColumnSchema> columns(SchemaFields fields, Optional<String> target) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (String column : fields.keys()) {
            SchemaNode node = fields.node(column);
            SchemaFields declared = SchemaFields.of(node, "column \"" + column + "\"", name);
            boolean isTarget = target.equals(Optional.of(column));
            columns.add(located(node, () -> column(column, declared, isTarget)));
            declared.end();
        }
        if (columns.isEmpty()) {
            throw problem(fields.itself(), "no columns are declared");
        }
        return columns;
    }

    private ColumnSchema column(String column, SchemaFields fields, boolean isTarget) {
        String type = fields.has("type") ? fields.text("type") : "";
        return switch (type) {
            case "number" -> number(column, fields, isTarget, false);
            case "count" -> number(column, fields, isTarget, true);
            case "category" -> category(column, fields);
            case "binary" ->
                new BinaryColumn(
                        column,
                        fields.has("positive") ? fields.textOrTexts("positive") : List.of(),
                        fields.has("negative") ? fields.textOrTexts("negative") : List.of(),
                        missing(fields));
            case "ignore" -> new IgnoredColumn(column);
            default ->
                throw SchemaException.of(
                        column,
                        (type.isEmpty() ? "has no type" : "has an unknown type")
                                + "; types are number, count, category, binary and ignore");
        };
    }

    private CategoryColumn category(String column, SchemaFields fields) {
        if (fields.has("categories") && fields.is("categories", REQUIRED)) {
            throw SchemaException.of(
                    column,
                    "still says categories: " + REQUIRED + "; replace it by the values that cells can have "
                            + "(categories: [a, b]), from what you know and not from the data, or declare {type: ignore}");
        }
        return new CategoryColumn(
                column,
                fields.has("categories") ? fields.texts("categories") : List.of(),
                fields.flag("other", true),
                fields.has("reference") ? Optional.of(fields.text("reference")) : Optional.empty(),
                missing(fields));
    }

    private NumberColumn number(String column, SchemaFields fields, boolean isTarget, boolean count) {
        if (!fields.has("bounds")) {
            List.of("transform", "center", "cuts", "scale", "missing").forEach(fields::has);
            fields.end(); // a misspelt key is named first
            throw SchemaException.of(
                    column,
                    "has no bounds, and reading them from the data would reveal someone's value; declare them "
                            + "(bounds: [0, 500000]) or buy them from the budget (bounds: " + PRIVATE
                            + " and --spend-on-bounds 0.05)");
        }
        if (fields.is("bounds", REQUIRED)) {
            throw SchemaException.of(
                    column,
                    "still says bounds: " + REQUIRED + "; replace it by the range that values can have "
                            + "(bounds: [0, 500000]), from what you know and not from the data");
        }
        Optional<Bounds> bounds = Optional.empty();
        if (!fields.is("bounds", PRIVATE)) {
            List<Double> ends = fields.numbers("bounds");
            if (ends.size() != 2) {
                throw SchemaException.of(column, "needs two bounds, as in bounds: [0, 500000]");
            }
            if (ends.get(0) >= ends.get(1)) {
                throw SchemaException.of(column, "has its bounds reversed: the smaller number comes first");
            }
            bounds = Optional.of(new Bounds(ends.get(0), ends.get(1)));
        }
        return new NumberColumn(
                column,
                bounds,
                fields.has("transform") ? transform(column, fields.text("transform")) : NumberTransform.NONE,
                fields.has("cuts") ? fields.numbers("cuts") : List.of(),
                isTarget || fields.flag("scale", true),
                fields.flag("center", false),
                count,
                missing(fields));
    }

    private static NumberTransform transform(String column, String label) {
        for (NumberTransform transform : NumberTransform.values()) {
            if (transform.label().equals(label)) {
                return transform;
            }
        }
        throw SchemaException.of(column, "has an unknown transform; transforms are none, log1p and sqrt");
    }

    private MissingPolicy missing(SchemaFields fields) {
        if (!fields.has("missing") || fields.is("missing", "refuse")) {
            return new MissingPolicy.Refuse();
        }
        if (fields.is("missing", "category")) {
            return new MissingPolicy.OwnColumn();
        }
        SchemaNode node = fields.node("missing");
        if (!(node.value() instanceof Map)) {
            throw problem(
                    node, fields.what() + " says what missing cells become: refuse, category or {constant: value}");
        }
        SchemaFields constant = SchemaFields.of(node, "missing", name);
        String value = constant.text("constant");
        constant.end();
        return new MissingPolicy.Constant(value);
    }

    private <T> T located(SchemaNode node, Supplier<T> part) {
        try {
            return part.get();
        } catch (SchemaException e) {
            throw e.getMessage().startsWith(name) ? e : e.at(SchemaFields.place(node, name));
        }
    }

    private SchemaException problem(SchemaNode node, String sentence) {
        return new SchemaException(SchemaFields.place(node, name) + ": " + sentence);
    }
}
