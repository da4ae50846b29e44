package dev.tacit.data.formula;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.MissingPolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a formula predicts: 0 or 1 for a binary column, the place in the list for a category, otherwise a number between
 * bounds.
 */
public final class Response {
    /** What kind of column it is. */
    public enum Kind {
        /** One of two values. */
        BINARY,
        /** One of several declared values. */
        CATEGORY,
        /** A whole number from 0. */
        COUNT,
        /** A number. */
        NUMBER
    }

    private final String label;
    private final ColumnSchema column;
    private final Kind kind;
    private final Interval range;
    private final NumberExpression number;
    private final int place;

    private Response(String label, ColumnSchema column, Kind kind, Interval range, NumberExpression number, int place) {
        this.label = label;
        this.column = column;
        this.kind = kind;
        this.range = range;
        this.number = number;
        this.place = place;
    }

    static Response of(Formula formula, Cells cells) {
        Node node = formula.response();
        Set<String> names = new HashSet<>(Formula.names(node));
        if (names.size() != 1) {
            throw formula.problem("the response is one column or a function of one", node.at());
        }
        if (node instanceof Node.Name name) {
            ColumnSchema column = cells.column(name);
            if (column.missing() instanceof MissingPolicy.OwnColumn) {
                throw formula.problem(
                        "the response takes missing: refuse or {constant: value} in the schema, not missing: category",
                        node.at());
            }
            if (!(column instanceof NumberColumn)) {
                int place = cells.place(column);
                Kind kind = column instanceof BinaryColumn ? Kind.BINARY : Kind.CATEGORY;
                return new Response(
                        name.name(),
                        column,
                        kind,
                        new Interval(0, declared(column).size() - 1.0),
                        null,
                        place);
            }
        }
        NumberExpression number = NumberExpression.of(node, cells, formula);
        ColumnSchema column = cells.column(new Node.Name(names.iterator().next(), node.at()));
        boolean count = node instanceof Node.Name && ((NumberColumn) column).count();
        return new Response(
                node.toString(), column, count ? Kind.COUNT : Kind.NUMBER, number.range(), number, cells.place(column));
    }

    private static List<String> declared(ColumnSchema column) {
        return column instanceof CategoryColumn category ? category.categories() : Cells.levels(column);
    }

    /** As it stands in the formula. */
    public String label() {
        return label;
    }

    /** The name of its column. */
    public String column() {
        return column.name();
    }

    /** What kind of column it is. */
    public Kind kind() {
        return kind;
    }

    /** The least value. */
    public double lower() {
        return range.lower();
    }

    /** The greatest value. */
    public double upper() {
        return range.upper();
    }

    /** The values of a column that is not a number, in the order of their labels; for a binary one, negative first. */
    public List<String> classes() {
        return column instanceof NumberColumn ? List.of() : List.copyOf(declared(column));
    }

    /** The label of a record, or NaN if it has none that is declared. */
    double of(double[] values) {
        if (number != null) {
            return number.of(values);
        }
        return values[place] <= range.upper() ? values[place] : Double.NaN;
    }
}
