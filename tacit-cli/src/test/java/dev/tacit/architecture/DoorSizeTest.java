package dev.tacit.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The trusted core stays small enough to be read in an evening. */
class DoorSizeTest {
    private static final int MOST_LINES = 1_750;
    private static final Path DOOR = Path.of("..", "tacit-door", "src", "main", "java");

    @Test
    void theDoorHasAtMostSoManyLinesOfCode() throws IOException {
        try (Stream<Path> files = Files.walk(DOOR)) {
            List<Path> sources =
                    files.filter(path -> path.toString().endsWith(".java")).toList();
            assertThat(sources).hasSizeGreaterThan(40);
            assertThat(sources.stream().mapToLong(DoorSizeTest::linesOfCode).sum())
                    .isLessThanOrEqualTo(MOST_LINES);
        }
    }

    /** Neither blank, comment, import nor package. */
    private static long linesOfCode(Path source) {
        try {
            return linesOfCode(Files.readString(source));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long linesOfCode(String text) {
        return text.replaceAll("(?s)/\\*.*?\\*/", "")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty()
                        && !line.startsWith("//")
                        && !line.startsWith("import ")
                        && !line.startsWith("package "))
                .count();
    }

    @Test
    void countsWhatIsCode() {
        assertThat(linesOfCode("package a;\n\nimport b;\n/** c\n * d */\nclass A {\n    // e\n    int f;\n}\n"))
                .isEqualTo(3);
    }
}
