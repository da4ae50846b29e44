package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.MissingPolicy;
import dev.tacit.data.schema.NumberTransform;
import dev.tacit.json.Json;
import java.util.ArrayList;
import java.util.List;

/** The encoded columns of one declared column. */
abstract class ColumnEncoder {
    private final List<String> names;
    private final double codeIfMissing;
    private final int missingColumn;

    /** The first encoded column. */
    protected final int first;

    private ColumnEncoder(ColumnSchema column, int first, List<String> names) {
        this.first = first;
        this.codeIfMissing = column.codeIfMissing();
        this.names = new ArrayList<>(names);
        if (column.missing() instanceof MissingPolicy.OwnColumn) {
            this.missingColumn = first + names.size();
            this.names.add(column.name() + "=(missing)");
        } else {
            this.missingColumn = -1;
        }
    }

    static ColumnEncoder of(ColumnSchema column, int first) {
        if (column instanceof NumberColumn number) {
            return new NumberEncoder(number, first);
        }
        if (column instanceof CategoryColumn category) {
            return new CategoryEncoder(category, first);
        }
        return new BinaryEncoder((BinaryColumn) column, first);
    }

    List<String> names() {
        return names;
    }

    /** How many of the encoded columns can differ from zero in one row, each being at most 1 in size. */
    int mostNonZeros() {
        return 1;
    }

    /** Writes the encoded columns in ascending order; false if the row is refused. */
    final boolean encode(double code, EncodedRows row) {
        double known = Double.isNaN(code) ? codeIfMissing : code;
        if (!Double.isNaN(known)) {
            encodeKnown(known, row);
            return true;
        }
        if (missingColumn >= 0) {
            row.put(missingColumn, 1);
            return true;
        }
        return false;
    }

    /** Writes the encoded columns of a cell that is not missing. */
    abstract void encodeKnown(double code, EncodedRows row);

    private static final class NumberEncoder extends ColumnEncoder {
        private final Bounds bounds;
        private final NumberTransform transform;
        private final double[] cuts;
        private final boolean scale;
        private final boolean center;
        private final double least;
        private final double range;

        NumberEncoder(NumberColumn column, int first) {
            super(column, first, names(column));
            this.bounds = column.bounds().orElse(new Bounds(0, 1));
            this.transform = column.transform();
            this.cuts = column.cuts().stream().mapToDouble(Double::doubleValue).toArray();
            this.scale = column.scale();
            this.center = column.center();
            this.least = transform.apply(bounds.lower());
            this.range = transform.apply(bounds.upper()) - least;
        }

        private static List<String> names(NumberColumn column) {
            List<String> names = new ArrayList<>();
            if (column.scale()) {
                names.add(column.name());
            }
            String from = "";
            for (double cut : column.cuts()) {
                names.add(column.name() + "[" + from + ".." + number(cut) + ")");
                from = number(cut);
            }
            if (!column.cuts().isEmpty()) {
                names.add(column.name() + "[" + from + "..]");
            }
            return names;
        }

        private static String number(double value) {
            return value == Math.rint(value) && Math.abs(value) < 1e15
                    ? Long.toString((long) value)
                    : Json.write(value);
        }

        @Override
        int mostNonZeros() {
            return (scale ? 1 : 0) + (cuts.length == 0 ? 0 : 1);
        }

        @Override
        void encodeKnown(double code, EncodedRows row) {
            double clamped = bounds.clamp(code);
            int column = first;
            if (scale) {
                double share = Math.max(0, Math.min(1, (transform.apply(clamped) - least) / range));
                row.put(column, center ? 2 * share - 1 : share);
                column++;
            }
            if (cuts.length > 0) {
                int bin = 0;
                while (bin < cuts.length && clamped >= cuts[bin]) {
                    bin++;
                }
                row.put(column + bin, 1);
            }
        }
    }

    private static final class CategoryEncoder extends ColumnEncoder {
        CategoryEncoder(CategoryColumn column, int first) {
            super(column, first, names(column));
        }

        private static List<String> names(CategoryColumn column) {
            List<String> names = new ArrayList<>();
            for (String category : column.categories()) {
                names.add(column.name() + "=" + category);
            }
            if (column.other()) {
                names.add(column.name() + "=(other)");
            }
            return names;
        }

        @Override
        void encodeKnown(double code, EncodedRows row) {
            row.put(first + (int) code, 1);
        }
    }

    private static final class BinaryEncoder extends ColumnEncoder {
        BinaryEncoder(BinaryColumn column, int first) {
            super(column, first, List.of(column.name() + "=" + column.positive().get(0)));
        }

        @Override
        void encodeKnown(double code, EncodedRows row) {
            row.put(first, code);
        }
    }
}
