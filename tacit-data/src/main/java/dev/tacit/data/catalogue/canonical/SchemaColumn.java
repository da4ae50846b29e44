package dev.tacit.data.catalogue.canonical;

import dev.tacit.json.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** One column's declaration in a {@code schema.yaml}, in flow style. */
public final class SchemaColumn {
    private final String text;

    private SchemaColumn(String text) {
        this.text = text;
    }

    public static SchemaColumn number(double low, double high) {
        return new SchemaColumn("type: number, bounds: [" + plain(low) + ", " + plain(high) + "]");
    }

    public static SchemaColumn category(List<String> categories) {
        return new SchemaColumn("type: category, categories: ["
                + categories.stream().map(SchemaColumn::quoted).collect(Collectors.joining(", ")) + "]");
    }

    public static SchemaColumn binary(String positive, String negative) {
        return new SchemaColumn("type: binary, positive: " + quoted(positive) + ", negative: " + quoted(negative));
    }

    /** 1 for these values and 0 for every other one. */
    public static SchemaColumn oneOf(List<String> values) {
        return new SchemaColumn("type: binary, positive: ["
                + values.stream().map(SchemaColumn::quoted).collect(Collectors.joining(", ")) + "]");
    }

    public static SchemaColumn ignored() {
        return new SchemaColumn("type: ignore");
    }

    public SchemaColumn log1p() {
        return and("transform: log1p");
    }

    /** Scaled to [−1, 1] instead of [0, 1]. */
    public SchemaColumn centred() {
        return and("center: true");
    }

    public SchemaColumn cuts(double... cuts) {
        return and("cuts: ["
                + DoubleStream.of(cuts).mapToObj(SchemaColumn::plain).collect(Collectors.joining(", ")) + "]");
    }

    /** The list of categories is complete, so no column stands for others. */
    public SchemaColumn complete() {
        return and("other: false");
    }

    public SchemaColumn missingIsACategory() {
        return and("missing: category");
    }

    public SchemaColumn missingIs(double value) {
        return and("missing: {constant: " + plain(value) + "}");
    }

    private SchemaColumn and(String more) {
        return new SchemaColumn(text + ", " + more);
    }

    String text() {
        return "{" + text + "}";
    }

    /** Every JSON string is a YAML string, and quoted it is never taken for a number or a truth value. */
    static String quoted(String text) {
        return Json.write(text);
    }

    /** A whole number without a point, any other as Java writes it. */
    public static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
