package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.ContentMark;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.OneDatabase;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.SketchKey;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.database.DuckDbTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records of a Parquet file are marked as if DuckDB had written and hashed all of their cells, as it did when the first ledgers were
 * written: these must know their records for good.
 */
class ParquetMarksTest {
    private static final SketchKey KEY = new SketchKey(new byte[SketchKey.BYTES]);
    private static final ReadingOptions OPTIONS = new ReadingOptions(1, 256 << 20);
    private static final String NUMBER = "number, bounds: [0, 10]";
    private static final RowLayout CONTENTS = RowLayout.ofContents(
            SchemaYaml.read("unit: record\nsize: 10\ncolumns: {a: {type: " + NUMBER + "}}\n"), KEY);
    private static final List<String> NUMBERS = List.of(
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

    /** Types of columns, each with odd values. */
    private static final String[][] ODD = {
        {"DOUBLE", "'nan'", "'inf'", "'-inf'", "-0.0", "0", "5e-324", "-2.2250738585072009e-308", "1e308", "0.1"},
        {"FLOAT", "'nan'", "'inf'", "'-inf'", "'-0.0'", "0", "1e-45", "-3.4028234e38", "0.1", "-1.5"},
        {"BIGINT", "-9223372036854775808", "9223372036854775807", "0", "-1", "9", "10"},
        {
            "VARCHAR",
            "''",
            "','",
            "'a,b'",
            "'\u00e9\u4e16\ud83d\ude00'",
            "'\"'",
            "chr(0)",
            "'nan'",
            "repeat('x', 1048577)"
        },
        {"BLOB", "'\\xff\\x00,'::BLOB", "''::BLOB", "repeat('y', 1048577)::BLOB"},
        {"BOOLEAN", "true", "false"},
        {"TINYINT", "-128", "127", "0"},
        {"SMALLINT", "-32768", "32767", "0"},
        {"INTEGER", "-2147483648", "2147483647", "0"},
        {"UTINYINT", "255", "0"},
        {"USMALLINT", "65535", "0"},
        {"UINTEGER", "4294967295", "0"},
        {"UBIGINT", "18446744073709551615", "9223372036854775808", "0"},
        {"HUGEINT", "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728", "0"},
        {"UHUGEINT", "340282366920938463463374607431768211455", "0"},
        {"DECIMAL(4,1)", "-999.9", "0.1", "0"},
        {"DECIMAL(18,3)", "-999999999999999.999", "0.001"},
        {"DECIMAL(38,10)", "1234567890123456789012345678.0123456789", "-0.0000000001"},
        {"DATE", "'1970-01-01'", "'9999-12-31'", "'0001-01-01 (BC)'", "'-infinity'", "'infinity'"},
        {"TIMESTAMP", "'2024-02-29 23:59:59.999999'", "'1582-10-04'", "'infinity'", "'-infinity'"},
        {"TIMESTAMP_NS", "'2024-02-29 23:59:59.123456789'"},
        {"TIMESTAMP_S", "'2024-02-29 23:59:59'"},
        {"TIMESTAMP WITH TIME ZONE", "'2024-02-29 23:59:59+00'", "'infinity'"},
        {"TIME", "'00:00:00'", "'23:59:59.999999'"},
        {"INTERVAL", "'1 day'", "'3 months'"},
        {"UUID", "'00000000-0000-0000-0000-00000000000a'"},
        {"ENUM('u', 'v,w')", "'u'", "'v,w'"},
        {"VARCHAR[]", "['a,b', NULL, '']", "[]"},
        {"BOOLEAN[]", "[true, NULL]"},
        {"STRUCT(a INTEGER, b DOUBLE[])", "{'a': 1, 'b': [0.5, 'nan'::DOUBLE]}", "{'a': NULL, 'b': NULL}"},
        {"MAP(VARCHAR, INTEGER)", "MAP {'k,': 1}", "MAP {}"},
    };

    /** Their text is not hashed and has commas. */
    private static final String[][] LISTS_OF_NUMBERS = {
        {"INTEGER[]", "[1, NULL, -3]", "[]", "range(200000)"},
        {"DOUBLE[]", "['nan'::DOUBLE, '-0.0'::DOUBLE, 0.1]", "[NULL]"},
        {"DECIMAL(4,1)[]", "[0.1, -999.9]"},
        {"UBIGINT[][]", "[[18446744073709551615], NULL]"},
    };

    @TempDir
    Path folder;

    private final Connection writer = DuckDbTable.connect(OPTIONS);
    private final OneDatabase reader = new OneDatabase(OPTIONS);

    @AfterEach
    void close() throws SQLException {
        writer.close();
        reader.close();
    }

    /** As DuckDB has marked records from the first version on. Not to be changed with the program. */
    private static String marked(String name, String type) {
        String cell = "\"" + name.replace("\"", "\"\"") + "\"";
        if (type.equals("FLOAT") || type.equals("DOUBLE")) {
            return "CASE WHEN isnan(" + cell + ") THEN 'nan' ELSE format('{:a}', " + cell + "::DOUBLE) END";
        }
        if (type.equals("VARCHAR") || type.equals("BLOB")) {
            return "sha256(" + cell + ")";
        }
        if (type.startsWith("TIMESTAMP")) {
            return "TRY(epoch_us(" + cell + ")::VARCHAR)";
        }
        String text = "TRY_CAST(" + cell + " AS VARCHAR)";
        boolean plain = type.equals("BOOLEAN")
                || type.equals("DATE")
                || NUMBERS.stream().anyMatch(type::startsWith);
        return plain ? text : "sha256(" + text + ")";
    }

    private List<RecordSketch.Hash> expected(Path file) throws SQLException {
        String table = "read_parquet('" + file + "', utf8_validation = 'replace')";
        CodedRows rows = new CodedRows(CONTENTS, 1);
        try (Statement statement = writer.createStatement()) {
            List<String> cells = new ArrayList<>();
            try (ResultSet columns = statement.executeQuery("DESCRIBE SELECT * FROM " + table)) {
                while (columns.next()) {
                    cells.add("COALESCE(" + marked(columns.getString(1), columns.getString(2)) + ", '')");
                }
            }
            ContentMark mark = new ContentMark(Optional.of(KEY));
            try (ResultSet hashes =
                    statement.executeQuery("SELECT sha256(" + String.join(" || ',' || ", cells) + ") FROM " + table)) {
                while (hashes.next()) {
                    byte[] hash = hashes.getString(1).getBytes(StandardCharsets.US_ASCII);
                    int row = rows.rows();
                    rows.beginRow();
                    mark.cell(hash, 0, hash.length);
                    mark.mark(rows, row);
                }
            }
        }
        return hashes(rows);
    }

    private static List<RecordSketch.Hash> hashes(CodedRows rows) {
        List<RecordSketch.Hash> hashes = new ArrayList<>();
        for (int row = 0; row < rows.rows(); row++) {
            hashes.add(new RecordSketch.Hash(rows.contentHalf(row, 0), rows.contentHalf(row, 1)));
        }
        return hashes;
    }

    private List<RecordSketch.Hash> read(Path file, RowLayout layout) {
        List<RecordSketch.Hash> hashes = new ArrayList<>();
        try (TableSource table = reader.open(DataLocation.of(file), layout)) {
            table.read(ParquetMarksTest::hashes, hashes::addAll);
        }
        return hashes;
    }

    /** Some columns are read for themselves too. */
    private static RowLayout columns(String type, String... names) {
        StringBuilder columns = new StringBuilder();
        for (String name : names) {
            columns.append("  ").append(name).append(": {type: ").append(type).append("}\n");
        }
        Schema schema = SchemaYaml.read("unit: record\nsize: 10\ncolumns:\n" + columns);
        return RowLayout.ofPrivateRecords(schema).withContents(KEY);
    }

    private Path write(String name, String select) throws SQLException {
        Path file = folder.resolve(name);
        try (Statement statement = writer.createStatement()) {
            statement.execute("COPY (" + select + ") TO '" + file + "' (FORMAT parquet)");
        }
        return file;
    }

    /** Rows of missing cells but for one, and rows of odd values in all columns. */
    private static String select(List<String[]> columns, Random random) {
        List<String> rows = new ArrayList<>();
        rows.add(row(columns, column -> 0));
        for (int one = 0; one < columns.size(); one++) {
            for (int value = 1; value < columns.get(one).length; value++) {
                int thisOne = one;
                int thisValue = value;
                rows.add(row(columns, column -> column == thisOne ? thisValue : 0));
            }
        }
        for (int many = 0; many < 20; many++) {
            rows.add(row(columns, column -> random.nextInt(columns.get(column).length)));
        }
        return String.join(" UNION ALL ", rows);
    }

    private static String row(List<String[]> columns, IntUnaryOperator value) {
        List<String> cells = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            String[] values = columns.get(column);
            int which = value.applyAsInt(column);
            cells.add("CAST(" + (which == 0 ? "NULL" : values[which]) + " AS " + values[0] + ") AS c" + column);
        }
        return "SELECT " + String.join(", ", cells);
    }

    @Test
    void everyTypeAndOddValueIsMarkedAsBefore() throws SQLException {
        Path file = write("odd.parquet", select(List.of(ODD), new Random(1)));
        List<RecordSketch.Hash> expected = expected(file);
        assertThat(new HashSet<>(expected)).hasSizeGreaterThan(100);
        assertThat(read(file, CONTENTS)).isEqualTo(expected);
        assertThat(read(file, columns(NUMBER, "c0", "c1", "c2", "c8", "c15"))).isEqualTo(expected);
        assertThat(read(file, columns("category, categories: [u]", "c0", "c2", "c3")))
                .isEqualTo(expected);
    }

    @Test
    void columnsInEveryOrderAreMarkedAsBefore() throws SQLException {
        Random random = new Random(2);
        for (int round = 0; round < 5; round++) {
            List<String[]> columns = new ArrayList<>(List.of(ODD));
            Collections.shuffle(columns, random);
            Path file = write("odd" + round + ".parquet", select(columns.subList(0, 6 * round + 1), random));
            assertThat(read(file, CONTENTS)).as("round " + round).isEqualTo(expected(file));
        }
    }

    @Test
    void aColumnAloneIsMarkedAsBefore() throws SQLException {
        for (String[] column : ODD) {
            Path file = write("one.parquet", select(List.<String[]>of(column), new Random(3)));
            assertThat(read(file, CONTENTS)).as(column[0]).isEqualTo(expected(file));
        }
    }

    @Test
    void listsOfNumbersAreMarkedAsBefore() throws SQLException {
        for (String[] list : LISTS_OF_NUMBERS) {
            Path file = write("list.parquet", select(List.of(ODD[0], list, ODD[3], ODD[2]), new Random(4)));
            assertThat(read(file, columns(NUMBER, "c0", "c3"))).as(list[0]).isEqualTo(expected(file));
        }
    }

    /** Of several chunks and batches, with columns of one value and of few. */
    @Test
    void manyRecordsAreMarkedAsBefore() throws SQLException {
        Path file = write(
                "many.parquet",
                "SELECT (hash(i) / 1e19) * pow(2.0, i % 2098 - 1074) AS a, 'v' || i % 3 AS b, 0.1::DOUBLE AS c, "
                        + "CASE WHEN i % 5 > 0 THEN (i % 7) / 8.0::FLOAT END AS d, i * i * (i % 2 - 0.5)::BIGINT AS e, "
                        + "NULL::DOUBLE AS f, i % 3 = 0 AS \"g\"\"\", (i / 100)::DECIMAL(9, 2) AS h, i::INTEGER AS j, "
                        + "DATE '2000-01-01' + i::INTEGER AS k FROM range(20000) AS t(i)");
        List<RecordSketch.Hash> expected = expected(file);
        assertThat(new HashSet<>(expected)).hasSize(20_000);
        assertThat(read(file, CONTENTS)).isEqualTo(expected);
        assertThat(read(file, columns(NUMBER, "d", "c", "f", "a", "e", "h", "j")))
                .isEqualTo(expected);
    }

    @Test
    void textsThatAreNotUtf8AreMarkedAsBefore() throws IOException, SQLException {
        Random random = new Random(5);
        for (int round = 0; round < 20; round++) {
            List<OddRecord> records = new ArrayList<>();
            for (int record = 0; record < 20; record++) {
                records.add(OddRecord.draw(random));
            }
            Path file = Files.write(folder.resolve("bytes.parquet"), ParquetFile.of(records));
            assertThat(read(file, CONTENTS)).isEqualTo(expected(file));
        }
    }

    /** The mark was computed by hashlib and hmac of Python. */
    @Test
    void marksStayWhatTheyAre() throws SQLException {
        Path file = write(
                "fixed.parquet",
                "SELECT 0.1::DOUBLE AS a, 0.1::FLOAT AS b, -7::BIGINT AS c, true AS d, 'x,y' AS e, DATE '2024-02-29' AS f, "
                        + "1.50::DECIMAL(5, 2) AS g, TIMESTAMP '2024-02-29 00:00:00' AS h, NULL::INTEGER AS i");
        assertThat(read(file, CONTENTS))
                .containsExactly(new RecordSketch.Hash(4291447717548937752L, 5147669385816709680L));
    }
}
