package dev.tacit.federated.study;

import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The file {@code study.yaml}: for people to read, with one canonical form behind it. */
public final class StudyFile {
    private StudyFile() {}

    /** Reads a file. */
    public static Study read(Path file) {
        return of(YamlTree.read(file), file.toString());
    }

    /** Reads a text. */
    static Study parse(String yaml) {
        return of(YamlTree.parse(yaml, "study"), "study");
    }

    private static Study of(Map<?, ?> tree, String name) {
        try {
            return Study.fromYaml(YamlFields.of(tree));
        } catch (StudyException | SchemaException | ArithmeticException | IllegalArgumentException e) {
            throw new StudyException(name + ": " + e.getMessage(), e);
        }
    }

    /** The text of a study; reading it gives back an equal one. */
    public static String write(Study study) {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(study.words()).append('\n');
        text.append("# Every party compares these eight words with the others, by telephone, before it approves.\n");
        Map<String, Object> json = study.toJson();
        json.forEach((key, value) -> {
            if (key.equals("schema")) {
                text.append("schema:\n")
                        .append(SchemaYaml.write(study.fitted().schema()).indent(2));
            } else if (key.equals("parties")) {
                text.append("parties:\n");
                ((List<?>) value)
                        .forEach(party ->
                                text.append("  - ").append(Json.write(party)).append('\n'));
            } else {
                text.append(key).append(": ").append(Json.write(value)).append('\n');
            }
        });
        return text.toString();
    }
}
