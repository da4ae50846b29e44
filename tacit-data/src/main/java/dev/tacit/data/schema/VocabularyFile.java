package dev.tacit.data.schema;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A public list of words, one a line, folded to lower case. */
final class VocabularyFile {
    private VocabularyFile() {}

    static List<String> read(Path file, String place) {
        List<String> words = new ArrayList<>();
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new SchemaException(place + ": the vocabulary " + file.getFileName() + " is not a regular file");
        }
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                if (!line.isBlank()) {
                    words.add(line.strip().toLowerCase(Locale.ROOT));
                }
            }
        } catch (IOException e) {
            throw new SchemaException(
                    place + ": the vocabulary " + file.getFileName() + " cannot be read as a text in UTF-8; name a file"
                            + " with one word a line, relative to the schema");
        }
        return words;
    }
}
