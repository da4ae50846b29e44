package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.run.method.MethodCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The documentation lists the models and methods that there are, no more and no fewer. Its tables are found by a comment in front
 * of them, in whichever page they are: {@code <!-- models -->} before the table of all models with their methods, {@code <!-- models of
 * dpvi -->} before that of the models of a method.
 */
class CatalogueDocumentsTest {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Path TREE = tree();

    private static Path tree() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** The rows of the only table below a marker, each as its cells; the heading is left out. */
    private static List<List<String>> table(String marker) throws IOException {
        List<List<List<String>>> found = new ArrayList<>();
        for (Path page : pages()) {
            List<String> lines = Files.readAllLines(page);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).strip().equals("<!-- " + marker + " -->")) {
                    found.add(rows(lines.subList(i + 1, lines.size())));
                }
            }
        }
        assertThat(found)
                .as("tables in README.md or docs below <!-- %s -->", marker)
                .hasSize(1);
        return found.get(0);
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(TREE.resolve("README.md")));
        try (Stream<Path> files = Files.walk(TREE.resolve("docs"))) {
            pages.addAll(files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList());
        }
        return pages;
    }

    private static List<List<String>> rows(List<String> lines) {
        return lines.stream()
                .dropWhile(String::isBlank)
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> List.of(line.substring(1).split("(?<!\\\\)\\|", -1)))
                .toList();
    }

    /** What is set as code in a cell; of {@code `gamma-`, `beta-regression`} the first is short for {@code gamma-regression}. */
    private static List<String> names(String cell) {
        List<String> names = new ArrayList<>();
        Matcher code = CODE.matcher(cell);
        while (code.find()) {
            names.add(code.group(1));
        }
        if (names.isEmpty()) {
            return names;
        }
        String last = names.get(names.size() - 1);
        String ending = last.substring(last.lastIndexOf('-') + 1);
        return names.stream()
                .map(name -> name.endsWith("-") ? name + ending : name)
                .toList();
    }

    @Test
    void theTableOfModelsIsTheCatalogue() throws IOException {
        Map<String, List<String>> documented = new LinkedHashMap<>();
        for (List<String> row : table("models")) {
            if (!row.get(0).strip().startsWith("a formula")) {
                for (String model : names(row.get(0))) {
                    assertThat(documented.put(model, names(row.get(1))))
                            .as(model)
                            .isNull();
                }
            }
        }
        Map<String, List<String>> known = new LinkedHashMap<>();
        MethodCatalogue.models().forEach(model -> known.put(model, MethodCatalogue.methods(model)));
        assertThat(documented).containsExactlyInAnyOrderEntriesOf(known);
    }

    @Test
    void theTableOfModelsWithGradientsIsTheCatalogue() throws IOException {
        assertThat(table("models of dpvi").stream().flatMap(row -> names(row.get(0)).stream()))
                .containsExactlyInAnyOrderElementsOf(MethodCatalogue.entries().stream()
                        .filter(entry -> entry.method().equals("dpvi"))
                        .map(MethodCatalogue.Entry::model)
                        .toList());
    }
}
