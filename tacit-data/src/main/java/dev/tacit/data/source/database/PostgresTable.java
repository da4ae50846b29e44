package dev.tacit.data.source.database;

import dev.tacit.data.source.DataException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A table of a Postgres database, as {@code postgres://user@host/database?table=schema.name}; passwords come from where
 * Postgres' own programs take them ({@code PGPASSWORD} or {@code .pgpass}).
 */
final class PostgresTable {
    private static final String USAGE = "a Postgres URL is postgres://user@host/database?table=schema.name";

    private PostgresTable() {}

    /** What stands after FROM. */
    static String scan(Connection connection, String url) {
        String table = "";
        String address;
        try {
            URI uri = new URI(url);
            String parameters = uri.getRawQuery() == null ? "" : uri.getRawQuery();
            StringBuilder others = new StringBuilder();
            for (String parameter : parameters.split("&", -1)) {
                if (parameter.startsWith("table=")) {
                    table = URLDecoder.decode(parameter.substring("table=".length()), StandardCharsets.UTF_8);
                } else if (!parameter.isEmpty()) {
                    others.append(others.length() == 0 ? '?' : '&').append(parameter);
                }
            }
            address = url.contains("?") ? url.substring(0, url.indexOf('?')) + others : url;
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new DataException(USAGE);
        }
        if (table.isEmpty()) {
            throw new DataException(USAGE + ", and this one names no table");
        }
        load(connection);
        int dot = table.indexOf('.');
        String schema = dot < 0 ? "public" : table.substring(0, dot);
        return "postgres_scan(" + DuckDbTable.quoted(address) + ", " + DuckDbTable.quoted(schema) + ", "
                + DuckDbTable.quoted(table.substring(dot + 1)) + ")";
    }

    private static void load(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOAD postgres");
        } catch (SQLException e) {
            throw new DataException(
                    "reading from Postgres needs DuckDB's postgres extension, which is not installed for this user and "
                            + "is not downloaded unasked; install it once with DuckDB (INSTALL postgres) or export the "
                            + "table to Parquet",
                    e);
        }
    }
}
