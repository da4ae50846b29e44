package dev.tacit.federated.policy;

import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.YamlFields;
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
        YamlFields yaml = YamlFields.read(file);
        try {
            return of(yaml);
        } catch (StudyException e) {
            throw new StudyException(file + ": " + e.getMessage(), e);
        }
    }

    private static Policy of(YamlFields yaml) {
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
    }

    private static OptionalDouble number(YamlFields yaml, String name) {
        if (!yaml.has(name)) {
            return OptionalDouble.empty();
        }
        double value = yaml.number(name);
        if (!(value > 0)) {
            throw yaml.problem(name, "must be a positive number");
        }
        return OptionalDouble.of(value);
    }

    private static OptionalInt count(YamlFields yaml, String name) {
        return yaml.has(name) ? OptionalInt.of(yaml.count(name, 0, Integer.MAX_VALUE)) : OptionalInt.empty();
    }

    private static Set<String> names(YamlFields yaml, String name) {
        Set<String> names = new HashSet<>();
        if (yaml.has(name)) {
            yaml.list(name).forEach(each -> names.add(String.valueOf(each)));
            if (names.isEmpty()) {
                throw yaml.problem(name, "must name at least one");
            }
        }
        return names;
    }
}
