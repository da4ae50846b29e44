package dev.tacit.data.source.database;

import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.ContentMark;
import dev.tacit.data.source.ContentText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBReadableVector;

/**
 * What DuckDB fetches of records that are marked, and how it becomes the text of {@link ContentText}.
 *
 * <p>Binary numbers and truth values are fetched as such and written in Java, because DuckDB takes several times as long for it. All
 * other cells are written by DuckDB, neighbours as one text; it hashes those without a bound on their length, so that no cell has to
 * fit into the Java heap.
 */
final class ContentCells {
    /** Whole numbers that fit into 64 bits with a sign. */
    private static final Set<String> WHOLE_TYPES =
            Set.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER");

    private enum Kind {
        FRACTION,
        WHOLE,
        TRUTH,
        /** Cells as they are written, with commas between them. */
        WRITTEN,
        /** The SHA-256 of all cells. */
        HASH
    }

    /**
     * A column of DuckDB's result.
     *
     * @param place its number
     */
    private record Fetched(Kind kind, int place) {}

    private final List<Fetched> columns = new ArrayList<>();

    private ContentCells() {}

    /**
     * Adds to what is selected.
     *
     * @param types of all columns of the table, by their names
     * @param doubles places of columns that are already selected as doubles, by their names
     * @param expressions what is selected
     */
    static ContentCells select(Map<String, String> types, Map<String, Integer> doubles, List<String> expressions) {
        ContentCells cells = new ContentCells();
        if (types.values().stream().anyMatch(ContentCells::isListOfNumbers)) {
            List<String> all = new ArrayList<>();
            types.forEach((name, type) -> all.add(written(DuckDbTable.identifier(name), type)));
            cells.fetch(Kind.HASH, "sha256(" + joined(all) + ")", expressions);
            return cells;
        }
        List<String> neighbours = new ArrayList<>();
        types.forEach((name, type) -> {
            String cell = DuckDbTable.identifier(name);
            Kind kind = kind(type);
            if (kind == Kind.WRITTEN) {
                neighbours.add(written(cell, type));
                return;
            }
            cells.fetchWritten(neighbours, expressions);
            if (kind == Kind.FRACTION && doubles.containsKey(name)) {
                cells.columns.add(new Fetched(kind, doubles.get(name)));
            } else {
                String asType = kind == Kind.FRACTION ? "DOUBLE" : kind == Kind.WHOLE ? "BIGINT" : "BOOLEAN";
                cells.fetch(kind, "TRY_CAST(" + cell + " AS " + asType + ")", expressions);
            }
        });
        cells.fetchWritten(neighbours, expressions);
        return cells;
    }

    private void fetchWritten(List<String> neighbours, List<String> expressions) {
        if (!neighbours.isEmpty()) {
            fetch(Kind.WRITTEN, joined(neighbours), expressions);
            neighbours.clear();
        }
    }

    private void fetch(Kind kind, String expression, List<String> expressions) {
        columns.add(new Fetched(kind, expressions.size()));
        expressions.add(expression);
    }

    private static String joined(List<String> cells) {
        return String.join(" || ',' || ", cells);
    }

    private static Kind kind(String type) {
        if (isFraction(type)) {
            return Kind.FRACTION;
        }
        return WHOLE_TYPES.contains(type) ? Kind.WHOLE : type.equals("BOOLEAN") ? Kind.TRUTH : Kind.WRITTEN;
    }

    private static boolean isFraction(String type) {
        return type.equals("FLOAT") || type.equals("DOUBLE");
    }

    /** Whose text is not hashed, and may be of any length. */
    private static boolean isListOfNumbers(String type) {
        return DuckDbTable.isNumber(type) && type.endsWith("]");
    }

    /**
     * A cell as DuckDB writes it, which other readers of the same table can do too: texts are hashed, numbers with a fraction are
     * written as C writes them in base 16, points in time as microseconds since 1970; a missing cell is nothing.
     */
    private static String written(String name, String type) {
        String text = "TRY_CAST(" + name + " AS VARCHAR)";
        if (isFraction(type)) {
            text = "CASE WHEN isnan(" + name + ") THEN 'nan' ELSE format('{:a}', " + name + "::DOUBLE) END";
        } else if (type.equals("VARCHAR") || type.equals("BLOB")) {
            text = "sha256(" + name + ")";
        } else if (type.startsWith("TIMESTAMP")) {
            text = "TRY(epoch_us(" + name + ")::VARCHAR)";
        } else if (!type.equals("BOOLEAN") && !type.equals("DATE") && !DuckDbTable.isNumber(type)) {
            text = "sha256(" + text + ")";
        }
        return "COALESCE(" + text + ", '')";
    }

    /** Marks the rows of a chunk, which are the last ones. */
    void mark(DuckDBDataChunkReader chunk, ContentText text, ContentMark contents, CodedRows rows) {
        int count = (int) chunk.rowCount();
        int firstRow = rows.rows() - count;
        Kind[] kinds = columns.stream().map(Fetched::kind).toArray(Kind[]::new);
        DuckDBReadableVector[] vectors =
                columns.stream().map(column -> chunk.vector(column.place())).toArray(DuckDBReadableVector[]::new);
        for (int row = 0; row < count; row++) {
            if (kinds[0] == Kind.HASH) {
                byte[] hash = DuckDbTable.text(vectors[0], row, false);
                contents.cell(hash, 0, hash.length);
                contents.mark(rows, firstRow + row);
            } else {
                for (int column = 0; column < kinds.length; column++) {
                    add(kinds[column], vectors[column], row, text);
                    text.endCell();
                }
                text.mark(contents, rows, firstRow + row);
            }
        }
    }

    private static void add(Kind kind, DuckDBReadableVector vector, int row, ContentText text) {
        if (!vector.isNull(row)) {
            switch (kind) {
                case FRACTION -> text.addNumber(vector.getDouble(row));
                case WHOLE -> text.addWhole(vector.getLong(row));
                case TRUTH -> text.addPlain(vector.getBoolean(row) ? "true" : "false");
                case WRITTEN, HASH -> text.addPlain(vector.getString(row));
            }
        }
    }
}
