package dev.tacit.data.source.database;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.source.CellCoder;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.ContentMark;
import dev.tacit.data.source.ContentText;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.PersonMark;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.VoidReason;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;

/**
 * A Parquet file or a Postgres table, read by DuckDB.
 *
 * <p>Columns of numbers are taken as doubles, everything else as text, by casts that make a value missing instead of
 * failing. Bytes that are not UTF-8 are replaced, and a record with a text of more than {@value #LONGEST_CELL} bytes in a
 * column that is read is void; both are left to DuckDB, so that no cell has to fit into the Java heap. DuckDB loads and
 * downloads no extension that was not asked for.
 */
public final class DuckDbTable implements TableSource {
    /** Rows of several chunks of DuckDB that are handed on together. */
    private static final int BATCH_ROWS = 4096;

    /** How many bytes a text may have. */
    public static final int LONGEST_CELL = 1 << 20;

    private static final List<String> NUMBER_TYPES = List.of(
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "BIGINT",
            "HUGEINT",
            "UTINYINT",
            "USMALLINT",
            "UINTEGER",
            "UBIGINT",
            "UHUGEINT",
            "FLOAT",
            "DOUBLE",
            "DECIMAL");

    private final DataLocation location;
    private final RowLayout layout;
    private final Connection connection;
    private final String query;
    private final boolean[] asDouble;
    private final Optional<ContentCells> cells;

    private DuckDbTable(
            DataLocation location,
            RowLayout layout,
            Connection connection,
            String query,
            boolean[] asDouble,
            Optional<ContentCells> cells) {
        this.location = location;
        this.layout = layout;
        this.connection = connection;
        this.query = query;
        this.asDouble = asDouble;
        this.cells = cells;
    }

    public static DuckDbTable open(DataLocation location, RowLayout layout, ReadingOptions options) {
        return open(location, layout, connect(options));
    }

    /** By a connection of its own, which is closed with the table. */
    public static DuckDbTable open(DataLocation location, RowLayout layout, Connection connection) {
        try {
            return typed(location, layout, connection, table(location, connection));
        } catch (SQLException e) {
            closeQuietly(connection);
            throw unreadable(location);
        } catch (RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    /** A connection to a database in memory that fetches nothing from elsewhere, writes nothing to a disk and keeps no file. */
    public static Connection connect(ReadingOptions options) {
        Properties properties = new Properties();
        properties.setProperty("autoinstall_known_extensions", "false");
        properties.setProperty("autoload_known_extensions", "false");
        properties.setProperty("memory_limit", options.databaseBytes() / (1 << 20) + "MiB");
        properties.setProperty("threads", Integer.toString(options.threads()));
        properties.setProperty("jdbc_stream_results", "true");
        properties.setProperty("temp_directory", "");
        properties.setProperty("enable_external_file_cache", "false");
        try {
            return DriverManager.getConnection("jdbc:duckdb:", properties);
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not start", e);
        }
    }

    /** What stands after FROM. */
    private static String table(DataLocation location, Connection connection) {
        return location.kind() == DataLocation.Kind.POSTGRES
                ? PostgresTable.scan(connection, location.address())
                : "read_parquet(" + literal(location.file().toString()) + ", utf8_validation = 'replace')";
    }

    /** What DuckDB says may hold values, so it goes nowhere. */
    private static DataException unreadable(DataLocation location) {
        return new DataException(
                location.kind() == DataLocation.Kind.POSTGRES
                        ? "the Postgres table cannot be read; check the URL, the table's name and who may read it"
                        : location.name() + " cannot be read; is it a whole Parquet file?");
    }

    private static DuckDbTable typed(DataLocation location, RowLayout layout, Connection connection, String table)
            throws SQLException {
        Map<String, String> types = types(connection, table);
        List<String> expressions = new ArrayList<>();
        List<String> tooLong = new ArrayList<>();
        boolean[] asDouble = new boolean[layout.width()];
        Map<String, Integer> doubles = new HashMap<>();
        for (String name : layout.neededNames()) {
            if (!types.containsKey(name)) {
                throw new DataException(location.name() + " has no column \"" + name + "\"");
            }
            int slot = expressions.size();
            boolean number = slot < layout.width()
                    && layout.columns().get(slot) instanceof NumberColumn
                    && isNumber(types.get(name));
            if (number) {
                asDouble[slot] = true;
                doubles.put(name, slot);
                expressions.add("TRY_CAST(" + identifier(name) + " AS DOUBLE)");
            } else {
                String text = "TRY_CAST(" + identifier(name) + " AS VARCHAR)";
                String isTooLong = "COALESCE(strlen(" + text + "), 0) > " + LONGEST_CELL;
                expressions.add("CASE WHEN " + isTooLong + " THEN NULL ELSE " + text + " END");
                tooLong.add(isTooLong);
            }
        }
        expressions.add(tooLong.isEmpty() ? "FALSE" : String.join(" OR ", tooLong));
        Optional<ContentCells> cells = layout.contentKey().map(key -> ContentCells.select(types, doubles, expressions));
        return new DuckDbTable(location, layout, connection, select(expressions, table), asDouble, cells);
    }

    static boolean isNumber(String type) {
        return NUMBER_TYPES.stream().anyMatch(type::startsWith);
    }

    /** The names of a table's columns, and which of them hold numbers. */
    public static Map<String, Boolean> describe(DataLocation location) {
        try (Connection connection = connect(ReadingOptions.standard())) {
            Map<String, Boolean> isNumber = new LinkedHashMap<>();
            types(connection, table(location, connection)).forEach((name, type) -> isNumber.put(name, isNumber(type)));
            return isNumber;
        } catch (SQLException e) {
            throw unreadable(location);
        }
    }

    private static Map<String, String> types(Connection connection, String table) throws SQLException {
        Map<String, String> types = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("DESCRIBE SELECT * FROM " + table)) {
            while (result.next()) {
                types.put(result.getString(1), result.getString(2));
            }
        }
        return types;
    }

    private static String select(List<String> expressions, String table) {
        return "SELECT " + String.join(", ", expressions) + " FROM " + table;
    }

    /** A file name in SQL, in which characters of patterns mean themselves. */
    private static String literal(String path) {
        return quoted(path.replace("[", "[[]").replace("*", "[*]").replace("?", "[?]"));
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    static String identifier(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    @Override
    public <T> void read(Function<CodedRows, T> step, Consumer<T> inOrder) {
        List<CellCoder> coders = new ArrayList<>();
        for (ColumnSchema column : layout.columns()) {
            coders.add(CellCoder.of(column, layout.schema().format()));
        }
        PersonMark persons = new PersonMark(layout.schema().format());
        ContentMark contents = new ContentMark(layout.contentKey());
        ContentText content = new ContentText();
        boolean trim = layout.schema().format().trim();
        try (DuckDBPreparedStatement statement =
                        connection.prepareStatement(query).unwrap(DuckDBPreparedStatement.class);
                DuckDBChunkedResult result = statement.query()) {
            CodedRows rows = newRows();
            while (result.nextChunk()) {
                DuckDBDataChunkReader chunk = result.chunk();
                code(chunk, coders, persons, trim, rows);
                if (cells.isPresent()) {
                    cells.get().mark(chunk, content, contents, rows);
                }
                if (rows.rows() >= BATCH_ROWS) {
                    inOrder.accept(step.apply(rows));
                    rows = newRows();
                }
            }
            inOrder.accept(step.apply(rows));
        } catch (SQLException e) {
            throw unreadable(location);
        }
    }

    private CodedRows newRows() {
        return new CodedRows(layout, 2 * BATCH_ROWS);
    }

    private void code(
            DuckDBDataChunkReader chunk, List<CellCoder> coders, PersonMark persons, boolean trim, CodedRows rows) {
        int count = (int) chunk.rowCount();
        int firstRow = rows.rows();
        for (int row = 0; row < count; row++) {
            rows.beginRow();
        }
        int width = layout.width();
        for (int slot = 0; slot < width; slot++) {
            DuckDBReadableVector vector = chunk.vector(slot);
            CellCoder coder = coders.get(slot);
            for (int row = 0; row < count; row++) {
                if (asDouble[slot]) {
                    rows.codes()[(firstRow + row) * width + slot] = coder.codeOf(vector.getDouble(row, Double.NaN));
                } else {
                    byte[] text = text(vector, row, trim);
                    rows.setCode(firstRow + row, slot, coder, text, 0, text.length);
                }
            }
        }
        DuckDBReadableVector tooLong = chunk.vector(layout.neededNames().size());
        for (int row = 0; row < count; row++) {
            if (tooLong.getBoolean(row)) {
                rows.setVoid(firstRow + row, VoidReason.TOO_LONG);
            }
        }
        if (layout.idColumn().isPresent()) {
            DuckDBReadableVector vector = chunk.vector(width);
            for (int row = 0; row < count; row++) {
                byte[] text = text(vector, row, trim);
                persons.mark(text, 0, text.length, rows, firstRow + row);
            }
        }
    }

    static byte[] text(DuckDBReadableVector vector, int row, boolean trim) {
        if (vector.isNull(row)) {
            return new byte[0];
        }
        String text = vector.getString(row);
        return (trim ? text.strip() : text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closeQuietly(connection);
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // the database is in memory, so nothing is lost
        }
    }
}
