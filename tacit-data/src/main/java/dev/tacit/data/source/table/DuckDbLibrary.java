package dev.tacit.data.source.table;

import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;

/**
 * Whether DuckDB is there: Tacit reads text and JSON by itself, and a program that reads nothing else can leave DuckDB's
 * large jar out.
 */
final class DuckDbLibrary {
    private static final String DRIVER = "org.duckdb.DuckDBDriver";

    private DuckDbLibrary() {}

    /** Refuses, before any class of DuckDB is needed, a table that only DuckDB can read. */
    static void requireFor(DataLocation location) {
        try {
            Class.forName(DRIVER, false, DuckDbLibrary.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new DataException(
                    location.name()
                            + " is read by DuckDB, which is not on the class path; add org.duckdb:duckdb_jdbc to "
                            + "the program's dependencies, or write the table as CSV or JSON",
                    e);
        }
    }
}
