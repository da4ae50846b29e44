package dev.tacit.data.catalogue.canonical;

import java.util.LinkedHashMap;
import java.util.Map;

/** A {@code schema.yaml} of public facts for a canonical table. */
public final class SchemaText {
    private final String comment;
    private final long size;
    private final Map<String, SchemaColumn> columns = new LinkedHashMap<>();
    private String unit = "record";
    private String target = "";
    private String missing = "";
    private String rowNorm = "none";
    private boolean intercept = true;

    /**
     * @param comment one line saying where bounds and categories come from
     * @param size the published number of units
     */
    public SchemaText(String comment, long size) {
        this.comment = comment;
        this.size = size;
    }

    /** A person, told by a column, is protected, with at most this many rows. */
    public SchemaText person(String column, int maxRecords) {
        unit = "{person: " + column + ", maxRecords: " + maxRecords + "}";
        return this;
    }

    public SchemaText target(String column) {
        target = column;
        return this;
    }

    /** How the file writes a missing value; the empty text unless said. */
    public SchemaText missing(String text) {
        missing = text;
        return this;
    }

    /** Each row is divided by its own length. */
    public SchemaText unitRows() {
        rowNorm = "unit";
        return this;
    }

    public SchemaText withoutIntercept() {
        intercept = false;
        return this;
    }

    public SchemaText column(String name, SchemaColumn column) {
        columns.put(name, column);
        return this;
    }

    public String text() {
        StringBuilder yaml = new StringBuilder();
        yaml.append("# ").append(comment).append('\n');
        yaml.append("unit: ").append(unit).append('\n');
        yaml.append("neighbours: add-remove\n");
        yaml.append("size: ").append(size).append('\n');
        if (!target.isEmpty()) {
            yaml.append("target: ").append(target).append('\n');
        }
        yaml.append("format: {header: true, delimiter: \",\", missing: [")
                .append(SchemaColumn.quoted(missing))
                .append("]}\n");
        yaml.append("encoding: {intercept: ")
                .append(intercept)
                .append(", rowNorm: ")
                .append(rowNorm);
        yaml.append("}\ncolumns:\n");
        columns.forEach((name, column) -> yaml.append("  ")
                .append(name)
                .append(": ")
                .append(column.text())
                .append('\n'));
        return yaml.toString();
    }
}
