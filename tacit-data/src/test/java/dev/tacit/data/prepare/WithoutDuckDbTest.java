package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.table.SchemaDraft;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that leaves DuckDB out: its classes are loaded again, from the same class path without DuckDB's jar. */
class WithoutDuckDbTest {
    private static final String NEEDED =
            " is read by DuckDB, which is not on the class path; add org.duckdb:duckdb_jdbc to "
                    + "the program's dependencies, or write the table as CSV or JSON";

    @TempDir
    Path folder;

    /** What runs in the class loader without DuckDB; it is called by name, with types of the JDK only. */
    public static final class Program {
        private Program() {}

        /** The rows of a table, or why it cannot be read. */
        public static String rows(String file) {
            Schema schema = SchemaYaml.read("""
                    unit: record
                    size: 2
                    target: y
                    encoding: {intercept: false}
                    columns:
                      a: {type: number, bounds: [0, 10]}
                      y: {type: binary, positive: 1}
                    """);
            try {
                return Tables.rows(Path.of(file), schema).toString();
            } catch (DataException e) {
                return e.getMessage();
            }
        }

        /** The draft of a schema, or why there is none. */
        public static String draft(String table) {
            try {
                return SchemaDraft.draft(table);
            } catch (DataException e) {
                return e.getMessage();
            }
        }

        /** Whether a class of DuckDB can be found from here. */
        public static String duckDb(String name) {
            try {
                return Class.forName(name, false, Program.class.getClassLoader())
                        .getName();
            } catch (ClassNotFoundException e) {
                return "none";
            }
        }
    }

    private static String call(String method, String argument) throws IOException, ReflectiveOperationException {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.contains("duckdb")) {
                classPath.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> program = loader.loadClass(Program.class.getName());
            return (String) program.getMethod(method, String.class).invoke(null, argument);
        } catch (InvocationTargetException e) {
            throw new AssertionError(method + " of " + argument + " fails", e.getCause());
        }
    }

    @Test
    void itIsNotThere() throws Exception {
        assertThat(Program.duckDb("org.duckdb.DuckDBDriver")).isEqualTo("org.duckdb.DuckDBDriver");
        assertThat(call("duckDb", "org.duckdb.DuckDBDriver")).isEqualTo("none");
    }

    @Test
    void textAndJsonAreReadAndDrafted() throws Exception {
        Path csv = Tables.write(folder, "people.csv", "a,y\n1,1\n5,0\n");
        Path json = Tables.write(folder, "people.jsonl", "{\"a\":1,\"y\":1}\n{\"a\":5,\"y\":0}\n");
        for (Path file : List.of(csv, json)) {
            assertThat(call("rows", file.toString())).isEqualTo("[[0.1, 1.0], [0.5, 0.0]]");
            assertThat(call("draft", file.toString())).contains("\"a\": {type: number, bounds: REQUIRED}");
        }
    }

    @Test
    void aTableThatNeedsDuckDbIsRefusedByASentence() throws Exception {
        Path parquet = Tables.write(folder, "people.parquet", "PAR1");
        assertThat(call("rows", parquet.toString())).isEqualTo("people.parquet" + NEEDED);
        assertThat(call("draft", parquet.toString())).isEqualTo("people.parquet" + NEEDED);
        assertThat(call("draft", "postgres://ada@host/people?table=loans")).isEqualTo("the Postgres table" + NEEDED);
    }
}
