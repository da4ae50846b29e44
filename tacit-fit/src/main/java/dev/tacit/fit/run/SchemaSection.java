package dev.tacit.fit.run;

import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.MissingPolicy;
import dev.tacit.data.schema.NumberTransform;
import dev.tacit.data.schema.Schema;
import dev.tacit.fit.text.Rounded;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was declared about the records and used as if public, so that whoever signs for it can judge it. */
final class SchemaSection {
    private static final int MOST_NAMES = 12;

    private SchemaSection() {}

    /** The section; bounds that were bought are no declaration. */
    static Section of(Schema schema, boolean boughtBounds) {
        String bought = boughtBounds
                ? " Bounds that the schema left open were bought from the budget and are shown as they were released."
                : "";
        String prose =
                "All of this was used as if public, and none of it is protected. It must come from knowledge about"
                        + " the records, not from looking at them: a bound that is somebody's value, or a category that only one"
                        + " person has, gives them away." + bought;
        if (schema.corpus().isPresent()) {
            String corpus = "Records are documents over a declared vocabulary of "
                    + schema.corpus().get().vocabulary().size() + " words; their number was declared to be "
                    + schema.size()
                    + ".";
            return new Section("What was declared", List.of(prose, corpus), List.of());
        }
        List<List<String>> rows = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            rows.add(List.of(column.name(), role(schema, column), type(column), declared(column), missing(column)));
        }
        String unit = "One " + schema.privacyUnit().name() + " is protected"
                + schema.unit()
                        .idColumn()
                        .map(id -> ", known by the column " + id + ", with at most "
                                + schema.unit().maxRecords() + " records")
                        .orElse("")
                + "; neighbours: " + schema.neighbours().label() + "; the number of units was declared to be "
                + schema.size() + "."
                + schema.encoding()
                        .formula()
                        .map(formula -> " Formula: " + formula + ".")
                        .orElse("");
        return new Section(
                "What was declared",
                List.of(prose, unit),
                List.of(Table.of(
                        "",
                        List.of(
                                Table.Column.text("column"),
                                Table.Column.text("used as"),
                                Table.Column.text("type"),
                                Table.Column.text("bounds or categories"),
                                Table.Column.text("if missing")),
                        rows)));
    }

    private static String role(Schema schema, ColumnSchema column) {
        if (schema.target().equals(Optional.of(column.name()))) {
            return "target";
        }
        if (schema.unit().idColumn().equals(Optional.of(column.name()))) {
            return "person";
        }
        return column instanceof ColumnSchema.IgnoredColumn ? "-" : "feature";
    }

    private static String type(ColumnSchema column) {
        if (column instanceof ColumnSchema.NumberColumn number) {
            return (number.count() ? "count" : "number")
                    + (number.transform() == NumberTransform.NONE
                            ? ""
                            : ", " + number.transform().label());
        }
        if (column instanceof ColumnSchema.CategoryColumn) {
            return "category";
        }
        return column instanceof ColumnSchema.BinaryColumn ? "binary" : "ignored";
    }

    private static String declared(ColumnSchema column) {
        if (column instanceof ColumnSchema.NumberColumn number) {
            String cuts = number.cuts().isEmpty()
                    ? ""
                    : "; cuts "
                            + names(number.cuts().stream().map(Rounded::asGiven).toList());
            return number.bounds().map(SchemaSection::words).orElse("bought") + cuts;
        }
        if (column instanceof ColumnSchema.CategoryColumn category) {
            return names(category.categories()) + (category.other() ? ", any other" : "");
        }
        if (column instanceof ColumnSchema.BinaryColumn binary) {
            return "1 for " + names(List.copyOf(binary.positive()))
                    + (binary.negative().isEmpty() ? "" : ", 0 for " + names(List.copyOf(binary.negative())));
        }
        return "-";
    }

    private static String words(Bounds bounds) {
        return Rounded.asGiven(bounds.lower()) + " to " + Rounded.asGiven(bounds.upper());
    }

    private static String names(List<String> names) {
        List<String> shown = names.subList(0, Math.min(names.size(), MOST_NAMES));
        String more = names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "";
        return String.join(", ", shown) + more;
    }

    private static String missing(ColumnSchema column) {
        if (column instanceof ColumnSchema.IgnoredColumn) {
            return "-";
        }
        if (column.missing() instanceof MissingPolicy.Constant constant) {
            return constant.value();
        }
        return column.missing() instanceof MissingPolicy.OwnColumn ? "a column of its own" : "record left out";
    }
}
