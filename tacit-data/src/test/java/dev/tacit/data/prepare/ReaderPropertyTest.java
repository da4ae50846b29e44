package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Taking a unit away from a file takes its own rows away and changes no other, for every format and whatever cells hold.
 *
 * <p>By default few files are tried; {@code -Dtacit.readers.files=100000} tries that many of each format.
 */
class ReaderPropertyTest {
    private static final int FILES = Integer.getInteger("tacit.readers.files", 150);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void aUnitIsItsOwnRowsAndNothingElse(WrittenFormat format) {
        ReaderProperty records = new ReaderProperty(format, false, folder);
        ReaderProperty persons = new ReaderProperty(format, format != WrittenFormat.TEXT, folder);
        for (int seed = 0; seed < FILES; seed++) {
            ReaderProperty property = seed % 4 == 3 ? persons : records;
            assertThat(property.violation(seed, property::read)).isEmpty();
        }
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

    private boolean found(WrittenFormat format, Function<byte[], List<?>> twin) {
        ReaderProperty property = new ReaderProperty(format, false, folder);
        for (int seed = 0; seed < 150; seed++) {
            Optional<String> violation = property.violation(seed, twin);
            if (violation.isPresent()) {
                return true;
            }
        }
        return false;
    }
}
