package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.NoInputException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kinds of files, and what is said about files that cannot be read. */
class TableFormsTest {
    private static final Schema SCHEMA = SchemaYaml.read("""
            unit: record
            size: 10
            target: y
            encoding: {intercept: false}
            columns:
              a: {type: number, bounds: [0, 10], missing: category}
              b: {type: category, categories: [u, v], missing: category}
              y: {type: binary, positive: 1}
            """);
    private static final List<List<Double>> EXPECTED = List.of(
            List.of(0.1, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
            List.of(0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0),
            List.of(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0));
    private static final String CSV = "a,b,y\n1,u,1\n,w,0\n12,,1\n";

    @TempDir
    Path folder;

    private List<List<Double>> rows(String name, String text) throws IOException {
        return Tables.rows(Tables.write(folder, name, text), SCHEMA);
    }

    @Test
    void textFilesOfEveryFormGiveTheSameRows() throws IOException {
        assertThat(rows("t.csv", CSV)).isEqualTo(EXPECTED);
        assertThat(rows("t.tsv", CSV.replace(',', '\t'))).isEqualTo(EXPECTED);
        assertThat(rows("t.txt", CSV.replace("\n", "\r\n"))).isEqualTo(EXPECTED);
        assertThat(rows("mark.csv", "\ufeff" + CSV)).isEqualTo(EXPECTED);
        assertThat(rows("end.csv", CSV.strip())).isEqualTo(EXPECTED);
        assertThat(rows("blank.csv", "\n" + CSV.replace("\n", "\n\n") + "\n  \n"))
                .isEqualTo(EXPECTED);
        assertThat(rows(
                        "quoted.csv",
                        "\"a\" , \"y\",\"x,\"\"x\",b\n\"1\",\"1\",\"p,\nq\",\"u\"\n,0,\"\"\"\",w\n12,1,,\"\"\r\n"))
                .isEqualTo(EXPECTED);
        Path file = folder.resolve("t.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(CSV.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(Tables.rows(file, SCHEMA)).isEqualTo(EXPECTED);
    }

    @Test
    void theFormatIsAsDeclared() throws IOException {
        Schema declared = SchemaYaml.read(SchemaYaml.write(SCHEMA)
                .replace(
                        "columns:",
                        "format: {header: false, delimiter: \";\", comment: \"|\", quote: none}\ncolumns:"));
        Path file = Tables.write(folder, "t.data", "|comment \"\n1;u;1;extra\n; w ;0\n12;;1\n");
        assertThat(Tables.rows(file, declared)).isEqualTo(EXPECTED);
        Path quote = Tables.write(folder, "q.data", "1;\"u;1\n;w;0\n12;;1\n");
        assertThat(Tables.rows(quote, declared).get(0)).isEqualTo(List.of(0.1, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0));
        Path empty = Tables.write(folder, "empty.data", "");
        assertThatThrownBy(() -> Tables.rows(empty, declared)).hasMessage("empty.data is empty");
    }

    @Test
    void parquetAndJsonGiveTheSameRows() throws IOException, SQLException {
        String ndjson =
                "{\"a\": 1, \"b\": \"u\", \"y\": 1}\n{\"b\": \"w\", \"y\": 0}\n{\"a\": \"12\", \"b\": null, \"y\": 1.0}\n";
        assertThat(rows("t.ndjson", ndjson)).isEqualTo(EXPECTED);
        assertThat(rows("lines.json", ndjson)).isEqualTo(EXPECTED);
        assertThat(rows("t.json", " [" + ndjson.strip().replace("\n", ",\n") + "]"))
                .isEqualTo(EXPECTED);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t AS SELECT * FROM (VALUES (1::DOUBLE, 'u', true, 'z'), (NULL, 'w', false, 'z'), "
                            + "(12, NULL, true, 'z')) AS rows (a, b, y, z)");
            Path typed = folder.resolve("it's [1]*.parquet");
            statement.execute("COPY t TO '" + typed.toString().replace("'", "''") + "' (FORMAT parquet)");
            Schema truth = SchemaYaml.read(SchemaYaml.write(SCHEMA).replace("positive: \"1\"", "positive: \"true\""));
            assertThat(Tables.rows(typed, truth)).isEqualTo(EXPECTED);
            Path text = folder.resolve("text.parquet");
            statement.execute(
                    "COPY (SELECT CASE WHEN a = 12 THEN 'inf' ELSE a::VARCHAR END AS a, b, y::DOUBLE AS y FROM t) TO '"
                            + text + "' (FORMAT parquet)");
            assertThat(Tables.rows(text, SCHEMA)).isEqualTo(EXPECTED);
        }
    }

    @Test
    void aHeaderAloneIsADataSetWithoutRecords() throws IOException {
        assertThat(rows("h.csv", "a,b,y\n")).isEmpty();
        assertThat(rows("h2.csv", "a,b,y")).isEmpty();
        assertThat(rows("h.json", " [ ] ")).isEmpty();
    }

    @Test
    void whatIsWrongWithAFileIsSaidInOneSentence() throws IOException {
        assertThatThrownBy(() -> Tables.rows(folder.resolve("none.csv"), SCHEMA))
                .isInstanceOf(NoInputException.class)
                .hasMessageStartingWith("there is no file ");
        assertThatThrownBy(() -> Tables.rows(folder.resolve("none.parquet"), SCHEMA))
                .isInstanceOf(NoInputException.class);
        assertThatThrownBy(() -> Tables.rows(folder, SCHEMA)).isInstanceOf(NoInputException.class);
        assertThatThrownBy(() -> Tables.rows(Path.of("/dev/null"), SCHEMA)).isInstanceOf(NoInputException.class);
        refused("empty.csv", "", "empty.csv is empty, and its first line should hold the names of columns");
        refused(
                "binary.csv",
                "PAR1\0\1\2,b\n1,2\n",
                "the first line of binary.csv is not text in UTF-8; is it a text file "
                        + "with the names of columns in its first line?");
        refused("twice.csv", "a,b,b,y\n", "the header of twice.csv has the column \"b\" twice; rename one of them");
        assertThat(rows("spare.csv", "z,a,b,z,y\n,1,u,,1\n")).hasSize(1);
        for (String first : List.of("a,c,y", "secret,1,2", "a,B,y", "1,1,1")) {
            String needed = first.startsWith("a") ? "b" : "a";
            refused(
                    "lacks.csv",
                    first + "\nsecret,1,1\n",
                    "the header of lacks.csv has no column \"" + needed
                            + "\"; write it in the schema as in the file, capital letters included, or declare that "
                            + "there is no header (format: {header: false})");
        }
        refused(
                "semicolon.csv",
                "a;b;y\n1;u;1\n",
                "the header of semicolon.csv is a single column at delimiter \",\" and has no "
                        + "\"a\"; declare the delimiter that the file uses (format: {delimiter: \";\"})");
        refused("t.parquet", "not parquet", "t.parquet cannot be read; is it a whole Parquet file?");
        for (String empty : List.of("", " \n", "\ufeff")) {
            refused("e.json", empty, "e.json is empty");
            refused("e.jsonl", empty, "e.jsonl is empty");
        }
        refused("t.csv.gz", "not gzip", "t.csv.gz cannot be decompressed to its end; is it a whole gzip file?");
        assertThatThrownBy(() -> Preparation.open("postgres://host/db", SCHEMA, Tables.options(folder, 0)))
                .hasMessage(
                        "a Postgres URL is postgres://user@host/database?table=schema.name, and this one names no table");
    }

    private void refused(String name, String text, String sentence) throws IOException {
        Path file = Tables.write(folder, name, text);
        assertThatThrownBy(() -> Tables.rows(file, SCHEMA))
                .isInstanceOf(DataException.class)
                .hasMessage(sentence);
    }

    @Test
    void rowsToBePredictedAreReadWithoutTheTarget() throws IOException {
        Path file = Tables.write(folder, "new.csv", "a,b\n1,u\n,w\n");
        EncodedTable table = EncodedTable.read(file, SCHEMA, false);
        assertThat(table.rows()).isEqualTo(2);
        assertThat(Tables.rows(table.blocks().get(0), false).get(0))
                .isEqualTo(EXPECTED.get(0).subList(0, 6));
        assertThatThrownBy(() -> EncodedTable.read(file, SCHEMA, true))
                .hasMessageStartingWith("the header of new.csv has no column \"y\";");
        assertThat(EncodedTable.read(Tables.write(folder, "t.csv", CSV), SCHEMA, true)
                        .labels())
                .containsExactly(1, 0, 1);
        Path gap = Tables.write(folder, "gap.csv", CSV + "5,u,\n");
        assertThatThrownBy(() -> EncodedTable.read(gap, SCHEMA, true))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("row 4 of gap.csv has no usable value in column \"y\"");
    }
}
