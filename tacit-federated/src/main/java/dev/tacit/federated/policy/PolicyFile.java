package dev.tacit.federated.policy;

import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.YamlTree;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** The file {@code policy.yaml}; a key that is left out allows everything. */
public final class PolicyFile {
    private PolicyFile() {}

    /** Reads a file. */
    public static Policy read(Path file) {
        return of(JsonFields.of(YamlTree.read(file), file.toString()));
    }

    static Policy of(JsonFields yaml) {
        try {
            Policy policy = new Policy(
                    number(yaml, "epsilon-at-most"),
                    number(yaml, "epsilon-alone-at-most"),
                    number(yaml, "delta-at-most"),
                    count(yaml, "parties-at-least"),
                    count(yaml, "colluders-at-least"),
                    count(yaml, "releases-at-most"),
                    names(yaml, "models"),
                    names(yaml, "methods"));
            yaml.end();
            return policy;
        } catch (JsonFieldException e) {
            throw new StudyException(e.getMessage(), e);
        }
    }

    private static OptionalDouble number(JsonFields yaml, String name) {
        if (!yaml.has(name)) {
            return OptionalDouble.empty();
        }
        double value = yaml.number(name);
        if (!(value > 0)) {
            throw new JsonFieldException(yaml.pathOf(name), "must be a positive number");
        }
        return OptionalDouble.of(value);
    }

    private static OptionalInt count(JsonFields yaml, String name) {
        if (!yaml.has(name)) {
            return OptionalInt.empty();
        }
        long value = yaml.integer(name);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new JsonFieldException(yaml.pathOf(name), "must be a whole number from 0 to " + Integer.MAX_VALUE);
        }
        return OptionalInt.of((int) value);
    }

    private static Set<String> names(JsonFields yaml, String name) {
        Set<String> names = new HashSet<>();
        if (yaml.has(name)) {
            yaml.list(name).forEach(each -> names.add(String.valueOf(each)));
            if (names.isEmpty()) {
                throw new JsonFieldException(yaml.pathOf(name), "must name at least one");
            }
        }
        return names;
    }
}
