package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lines of the documentation are at most 120 characters long, except in tables, blocks of code and formulas. */
class DocumentLinesTest {
    private static final int LONGEST = 120;

    /** The numbers of lines of text that are too long, from 1. */
    private static List<Integer> tooLong(List<String> lines) {
        List<Integer> found = new ArrayList<>();
        boolean code = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            code ^= line.strip().startsWith("```");
            boolean text = !code && !line.startsWith("|") && !line.startsWith("    ");
            if (text && line.codePointCount(0, line.length()) > LONGEST) {
                found.add(i + 1);
            }
        }
        return found;
    }

    @Test
    void linesAreShort() throws IOException {
        Path tree = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(tree.resolve("docs"))) {
            tree = tree.getParent();
        }
        List<Path> pages = new ArrayList<>();
        for (String name :
                List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/README.md")) {
            pages.add(tree.resolve(name));
        }
        try (Stream<Path> files = Files.walk(tree.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        for (Path page : pages) {
            assertThat(tooLong(Files.readAllLines(page)))
                    .as("lines of %s longer than %d", tree.relativize(page), LONGEST)
                    .isEmpty();
        }
    }

    @Test
    void aLongLineIsFoundAndATableIsNot() {
        String words = "a word ".repeat(LONGEST);
        assertThat(tooLong(List.of("short", words, "| " + words, "```", words, "```", "    " + words, "* " + words)))
                .containsExactly(2, 8);
    }
}
