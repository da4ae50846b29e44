package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.Interval;
import dev.tacit.data.formula.Node;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.IgnoredColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.MissingPolicy;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.text.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The declared columns that a formula uses, each with its place in a row of cells. */
public final class Cells {
    /** The level of a category that holds values outside of the declared ones. */
    static final String OTHER = "(other)";

    /** The level of cells that hold nothing usable, if it has its own column. */
    static final String MISSING = "(missing)";

    private final Schema schema;
    private final Formula formula;
    private final List<ColumnSchema> columns = new ArrayList<>();

    Cells(Schema schema, Formula formula) {
        this.schema = schema;
        this.formula = formula;
    }

    List<ColumnSchema> columns() {
        return columns;
    }

    /** Where the column's cell is; the column is used from now on. */
    int place(ColumnSchema column) {
        int place = columns.indexOf(column);
        if (place < 0) {
            columns.add(column);
            return columns.size() - 1;
        }
        return place;
    }

    /** The declared column of a name. */
    ColumnSchema column(Node.Name name) {
        Optional<ColumnSchema> found = schema.columns().stream()
                .filter(column -> column.name().equals(name.name()))
                .findFirst();
        if (found.isEmpty()) {
            List<String> names =
                    schema.columns().stream().map(ColumnSchema::name).toList();
            throw formula.problem(
                    "the schema declares no column \"" + name.name() + "\"" + Spelling.hint(name.name(), names)
                            + "; its columns are " + String.join(", ", names),
                    name.at());
        }
        if (found.get() instanceof IgnoredColumn) {
            throw formula.problem(
                    "the schema says {type: ignore} for column \"" + name.name()
                            + "\"; declare it as a number, a count, a category or binary to use it",
                    name.at());
        }
        return found.get();
    }

    NumberColumn number(Node.Name name) {
        ColumnSchema column = column(name);
        if (column instanceof NumberColumn number) {
            bounds(number);
            return number;
        }
        throw formula.problem("column \"" + name.name() + "\" is a category, and here a number is needed", name.at());
    }

    static Bounds bounds(NumberColumn column) {
        return column.bounds()
                .orElseThrow(() -> new SchemaException("column \"" + column.name()
                        + "\" says bounds: PRIVATE, and a formula needs bounds that are declared (bounds: [0, 500000]); --model with"
                        + " --spend-on-bounds 0.05 can buy them"));
    }

    /** The levels of a column that is not a number. */
    public static List<String> levels(ColumnSchema column) {
        List<String> levels = new ArrayList<>();
        if (column instanceof CategoryColumn category) {
            levels.addAll(category.categories());
            if (category.other()) {
                levels.add(OTHER);
            }
        } else {
            BinaryColumn binary = (BinaryColumn) column;
            String positive = binary.positive().get(0);
            levels.add(
                    binary.negative().isEmpty()
                            ? "not " + positive
                            : binary.negative().get(0));
            levels.add(positive);
        }
        if (column.missing() instanceof MissingPolicy.OwnColumn) {
            levels.add(MISSING);
        }
        return levels;
    }

    /** The place of the level that others are compared with. */
    static int reference(ColumnSchema column) {
        return column instanceof CategoryColumn category
                ? category.reference().map(category.categories()::indexOf).orElse(0)
                : 0;
    }

    /**
     * The values of cells: a number between its bounds, or the place of a level. A number that is missing and has an own
     * column counts as the middle of its bounds.
     */
    static final class Reader {
        private final ColumnSchema[] columns;
        private final double[] ifMissing;
        private final int[] levels;
        private final Set<Integer> mayBeUnknown;

        Reader(List<ColumnSchema> columns) {
            this(columns, Set.of());
        }

        /** @param mayBeUnknown places of cells that may hold nothing usable: they are read as NaN */
        Reader(List<ColumnSchema> columns, Set<Integer> mayBeUnknown) {
            this.mayBeUnknown = mayBeUnknown;
            this.columns = columns.toArray(new ColumnSchema[0]);
            this.ifMissing = new double[columns.size()];
            this.levels = new int[columns.size()];
            for (int i = 0; i < ifMissing.length; i++) {
                ColumnSchema column = columns.get(i);
                levels[i] = column instanceof NumberColumn ? 0 : levels(column).size();
                ifMissing[i] = column.codeIfMissing();
                if (column.missing() instanceof MissingPolicy.OwnColumn) {
                    ifMissing[i] = column instanceof NumberColumn number
                            ? new Interval(
                                            bounds(number).lower(),
                                            bounds(number).upper())
                                    .middle()
                            : levels[i] - 1;
                }
            }
        }

        /**
         * Reads the cells of one row.
         *
         * @return −1, or the place of a missing cell for which the row is refused
         */
        int read(double[] codes, int first, double[] values) {
            for (int i = 0; i < columns.length; i++) {
                double code = Double.isNaN(codes[first + i]) ? ifMissing[i] : codes[first + i];
                if (Double.isNaN(code) && !mayBeUnknown.contains(i)) {
                    return i;
                }
                values[i] = columns[i] instanceof NumberColumn number && !Double.isNaN(code)
                        ? bounds(number).clamp(code)
                        : code;
            }
            return -1;
        }
    }
}
