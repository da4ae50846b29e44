package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every class that a page of the documentation names exists; pages outlive names otherwise. */
class DocumentedNamesTest {
    private static final Path ROOT = Path.of("..");

    /** A name of at least two words at the beginning of a span of code, or an import. */
    private static final Pattern NAMED = Pattern.compile(
            "`([A-Z][a-z]+(?:[A-Z][a-z]*)+)(?:[.#(][^`]*)?`|^import dev\\.tacit\\.[a-z.]+\\.([A-Z]\\w+);",
            Pattern.MULTILINE);

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w+)");

    /** Names of others: the Java runtime's, NumPy's, a data set's. */
    private static final Set<String> FOREIGN =
            Set.of("SecureRandom", "SplittableRandom", "ThreadLocalRandom", "RandomState", "YearPredictionMSD");

    @Test
    void everyClassThatAPageNamesExists() throws IOException {
        Set<String> declared = new HashSet<>(FOREIGN);
        for (Path module : files(ROOT, 1, "")) {
            if (Files.isDirectory(module.resolve("src"))) {
                for (Path source : files(module.resolve("src"), Integer.MAX_VALUE, ".java")) {
                    Matcher type = DECLARED.matcher(Files.readString(source));
                    while (type.find()) {
                        declared.add(type.group(1));
                    }
                }
            }
        }
        assertThat(declared).hasSizeGreaterThan(1000);

        Set<String> unknown = new TreeSet<>();
        for (Path page : pages()) {
            Matcher named = NAMED.matcher(Files.readString(page));
            while (named.find()) {
                String name = named.group(1) == null ? named.group(2) : named.group(1);
                if (!declared.contains(name)) {
                    unknown.add(name + " in " + ROOT.relativize(page));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = files(ROOT.resolve("docs"), Integer.MAX_VALUE, ".md");
        assertThat(pages).hasSizeGreaterThan(50);
        return Stream.concat(
                        pages.stream(),
                        Stream.of("README.md", "SECURITY.md", "CONTRIBUTING.md").map(ROOT::resolve))
                .toList();
    }

    private static List<Path> files(Path folder, int depth, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }
}
