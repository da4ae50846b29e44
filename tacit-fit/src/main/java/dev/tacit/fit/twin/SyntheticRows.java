package dev.tacit.fit.twin;

import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.FileFormat;
import dev.tacit.data.schema.Schema;
import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Records that a schema allows, drawn without looking at any: numbers uniform in their bounds, categories alike. */
public final class SyntheticRows {
    private SyntheticRows() {}

    /** The schema for reading them: the same columns in a plain CSV file. */
    public static Schema schema(Schema schema) {
        return new Schema(
                schema.unit(),
                schema.neighbours(),
                schema.size(),
                schema.target(),
                FileFormat.DEFAULT,
                schema.encoding(),
                schema.columns());
    }

    /** How a number between declared bounds is drawn. */
    @FunctionalInterface
    public interface Numbers {
        double draw(NumberColumn column, RandomStream random);
    }

    /** A CSV file with a header, numbers uniform in their bounds. */
    static String csv(Schema schema, int rows, RandomStream random) {
        return csv(schema, rows, random, SyntheticRows::uniform);
    }

    private static double uniform(NumberColumn column, RandomStream random) {
        Bounds bounds = column.bounds().orElseThrow();
        double values = bounds.upper() - bounds.lower() + (column.count() ? 1 : 0);
        double drawn = bounds.lower() + random.uniform() * values;
        return column.count() ? Math.min(bounds.upper(), Math.floor(drawn)) : drawn;
    }

    /** A CSV file with a header. */
    public static String csv(Schema schema, int rows, RandomStream random, Numbers numbers) {
        StringBuilder csv = new StringBuilder();
        List<String> cells = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            cells.add(quoted(column.name()));
        }
        csv.append(String.join(",", cells)).append('\n');
        for (int row = 0; row < rows; row++) {
            cells.clear();
            for (ColumnSchema column : schema.columns()) {
                cells.add(cell(column, row, random, numbers));
            }
            csv.append(String.join(",", cells)).append('\n');
        }
        return csv.toString();
    }

    private static String cell(ColumnSchema column, int row, RandomStream random, Numbers numbers) {
        if (column instanceof NumberColumn number && number.bounds().isPresent()) {
            double drawn = numbers.draw(number, random);
            return Double.toString(number.count() ? Math.rint(drawn) : drawn);
        }
        if (column instanceof CategoryColumn category) {
            return quoted(category.categories()
                    .get(random.nextInt(category.categories().size())));
        }
        if (column instanceof BinaryColumn binary) {
            List<String> values = new ArrayList<>(binary.positive().subList(0, 1));
            values.add(binary.negative().isEmpty() ? "-" : binary.negative().get(0));
            return quoted(values.get(random.nextInt(2)));
        }
        return Integer.toString(row);
    }

    /** A cell that CSV readers take for the text itself. */
    public static String quotedIfNeeded(String text) {
        return text.matches("[\\w .:+()\\[\\]-]*") ? text : quoted(text);
    }

    /** A cell in quotes. */
    public static String quoted(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
