package dev.tacit.audit.reader;

import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Records of a schema whose cells hold what readers stumble over. */
final class OddCells {
    private static final List<String> PIECES = List.of(
            "\"",
            "\"\"",
            ",",
            ";",
            "\t",
            "|",
            "\n",
            "\r\n",
            "\r",
            "\n\n",
            "#",
            "\\",
            "\\\"",
            "\\\\",
            " ",
            "\u00e9",
            "\0",
            "\ufeff",
            "{",
            "}",
            "[",
            "]",
            ":",
            "null",
            "\",\"",
            "\"\n",
            "\n\"",
            "\u2028",
            "\u0085",
            "\u000b",
            "\f",
            "'",
            "NaN",
            "-Infinity",
            "1e999",
            "4.9e-324",
            "-0",
            "\u001f",
            "#\n",
            "\"#",
            "]}",
            "},{",
            "x".repeat(300));

    private OddCells() {}

    /** The cells of one record, in the order of the columns; the person's is given. */
    static List<String> draw(Schema schema, String person, RandomStream random) {
        List<String> cells = new ArrayList<>();
        boolean allOrdinary = random.nextInt(3) == 0;
        for (ColumnSchema column : schema.columns()) {
            if (schema.unit().idColumn().filter(column.name()::equals).isPresent()) {
                cells.add(person);
            } else {
                cells.add(allOrdinary || random.nextInt(3) > 0 ? ordinary(column, random) : odd(random));
            }
        }
        return cells;
    }

    private static String ordinary(ColumnSchema column, RandomStream random) {
        if (column instanceof NumberColumn number && number.bounds().isPresent()) {
            Bounds bounds = number.bounds().get();
            double drawn = bounds.lower() + (bounds.upper() - bounds.lower()) * random.uniform();
            return number.count() ? Long.toString((long) drawn) : Double.toString(drawn);
        }
        if (column instanceof CategoryColumn category) {
            return category.categories()
                    .get(random.nextInt(category.categories().size()));
        }
        if (column instanceof BinaryColumn binary) {
            return random.nextInt(2) == 0 || binary.negative().isEmpty()
                    ? binary.positive().get(0)
                    : binary.negative().get(0);
        }
        return odd(random);
    }

    static String odd(RandomStream random) {
        StringBuilder text = new StringBuilder();
        for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }
}
