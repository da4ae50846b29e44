package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.source.DataException;
import dev.tacit.data.source.OneDatabase;
import dev.tacit.data.source.ReadingOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Taking a unit away from a file takes its own rows away and changes no other, for every format and whatever cells hold.
 *
 * <p>By default few files are tried; {@code -Dtacit.readers.files=100000} tries that many of each format.
 */
class ReaderPropertyTest {
    private static final int FILES = Integer.getInteger("tacit.readers.files", 0);
    private static final int QUICK = 60;

    /** Starting DuckDB anew for a file takes twenty times as long as reading it. */
    private static final int WITH_A_DATABASE_EACH = 4;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void aUnitIsItsOwnRowsAndNothingElse(WrittenFormat format) {
        ReaderProperty records = new ReaderProperty(format, false, folder);
        ReaderProperty persons = new ReaderProperty(format, format != WrittenFormat.TEXT, folder);
        for (int seed = 0; seed < (format == WrittenFormat.PARQUET ? WITH_A_DATABASE_EACH : files()); seed++) {
            ReaderProperty property = seed % 4 == 3 ? persons : records;
            assertThat(property.violation(seed, property::read)).isEmpty();
        }
    }

    @Test
    void aUnitIsItsOwnRowsInManyFilesOfOneDatabase() {
        ReaderProperty records = new ReaderProperty(WrittenFormat.PARQUET, false, folder);
        ReaderProperty persons = new ReaderProperty(WrittenFormat.PARQUET, true, folder);
        try (OneDatabase database = new OneDatabase(new ReadingOptions(1, 256 << 20))) {
            for (int seed = 0; seed < files(); seed++) {
                ReaderProperty property = seed % 4 == 3 ? persons : records;
                assertThat(property.violation(seed, file -> property.read(file, database)))
                        .isEmpty();
            }
        }
    }

    private static int files() {
        return Math.max(QUICK, FILES);
    }

    /** A reader that ends records where some programs see the end of a line, as this one once did for documents. */
    @ParameterizedTest
    @EnumSource
    void aReaderOfLinesIsFound(WrittenFormat format) {
        assertThat(found(format, ReaderPropertyTest::lines)).isTrue();
    }

    private static List<?> lines(byte[] file) {
        List<String> lines =
                new ArrayList<>(new BufferedReader(new StringReader(new String(file, StandardCharsets.ISO_8859_1)))
                        .lines()
                        .toList());
        return lines.subList(Math.min(1, lines.size()), lines.size());
    }

    /** Readers that cut where these once did, or where a careless one does. */
    @Test
    void carelessReadersAreFound() {
        assertThat(found(WrittenFormat.CSV, file -> quotesGivenUp(file, 40, false)))
                .isTrue();
        assertThat(found(WrittenFormat.CSV, file -> quotesGivenUp(file, Integer.MAX_VALUE, true)))
                .isTrue();
        assertThat(found(WrittenFormat.CSV_BACKSLASH, file -> quotesGivenUp(file, Integer.MAX_VALUE, false)))
                .isTrue();
        assertThat(found(WrittenFormat.CSV, file -> quotesGivenUp(file, Integer.MAX_VALUE, false)))
                .isFalse();
        assertThat(found(WrittenFormat.JSON_ARRAY, ReaderPropertyTest::bracketsWithoutStrings))
                .isTrue();
        assertThat(found(WrittenFormat.PARQUET, this::strictParquet)).isTrue();
    }

    /** Records by quotes, which are given up after some bytes; or not looked at where a comment begins. */
    private static List<?> quotesGivenUp(byte[] bytes, int most, boolean commentsAreLines) {
        String file = new String(bytes, StandardCharsets.ISO_8859_1);
        List<String> records = new ArrayList<>();
        int start = file.indexOf('\n') + 1;
        while (start < file.length()) {
            int end = start;
            boolean quoted = false;
            int opened = start;
            boolean comment = commentsAreLines && file.charAt(start) == '#';
            while (end < file.length() && (quoted || file.charAt(end) != '\n')) {
                if (file.charAt(end) == '"' && !comment) {
                    quoted = !quoted;
                    opened = end;
                }
                quoted &= end - opened < most;
                end++;
            }
            records.add(file.substring(start, end));
            start = end + 1;
        }
        return records;
    }

    private static List<?> bracketsWithoutStrings(byte[] bytes) {
        String file = new String(bytes, StandardCharsets.ISO_8859_1).strip();
        List<String> records = new ArrayList<>();
        int depth = 0;
        int start = 1;
        for (int i = 1; i < file.length(); i++) {
            char c = file.charAt(i);
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            if ((c == ',' && depth == 0) || depth < 0) {
                records.add(file.substring(start, i).strip());
                start = i + 1;
            }
        }
        return records;
    }

    private List<?> strictParquet(byte[] bytes) {
        try {
            Path file = Files.write(folder.resolve("strict.parquet"), bytes);
            List<String> rows = new ArrayList<>();
            try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                    Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT * FROM read_parquet('" + file + "')")) {
                while (result.next()) {
                    rows.add(result.getString(1));
                }
            }
            return rows;
        } catch (IOException | SQLException e) {
            throw new DataException("stopped", e);
        }
    }

    private boolean found(WrittenFormat format, Function<byte[], List<?>> twin) {
        ReaderProperty property = new ReaderProperty(format, false, folder);
        for (int seed = 0; seed < 10 * QUICK; seed++) {
            Optional<String> violation = property.violation(seed, twin);
            if (violation.isPresent()) {
                return true;
            }
        }
        return false;
    }
}
