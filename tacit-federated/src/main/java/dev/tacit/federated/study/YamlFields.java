package dev.tacit.federated.study;

import dev.tacit.text.Spelling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keys and values of a file in YAML, read key by key; a complaint names the key, and its caller the file. */
public final class YamlFields {
    private final Map<?, ?> fields;

    /** What stands before a key, for example {@code parties[1].}. */
    private final String place;

    private final Set<String> asked = new LinkedHashSet<>();

    private YamlFields(Map<?, ?> fields, String place) {
        this.fields = fields;
        this.place = place;
    }

    /** The keys of a file. */
    public static YamlFields read(Path file) {
        return of(YamlTree.read(file));
    }

    static YamlFields of(Map<?, ?> fields) {
        return new YamlFields(fields, "");
    }

    /** A complaint about a key, which must read well after its name. */
    public StudyException problem(String name, String problem) {
        return new StudyException(place + name + " " + problem);
    }

    /** Whether an optional key is there. */
    public boolean has(String name) {
        asked.add(name);
        return fields.containsKey(name);
    }

    /** Any value. */
    Object value(String name) {
        if (!has(name)) {
            throw new StudyException("the key " + place + name + " is missing"
                    + Spelling.nearest(name, unasked())
                            .map(near -> "; is " + near + " meant to be it?")
                            .orElse(""));
        }
        return fields.get(name);
    }

    /** A text. */
    String text(String name) {
        if (value(name) instanceof String text) {
            return text;
        }
        throw problem(name, "must be a text; put it in quotes");
    }

    /** A number. */
    public double number(String name) {
        if (value(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw problem(name, "must be a number");
    }

    /** A number without fraction and exponent that fits 64 bits. */
    long integer(String name) {
        if (value(name) instanceof Long integer) {
            return integer;
        }
        throw problem(name, "must be a whole number, written without fraction or exponent");
    }

    /** A whole number between two others. */
    public int count(String name, int least, int most) {
        long value = integer(name);
        if (value < least || value > most) {
            throw problem(name, "must be a whole number from " + least + " to " + most);
        }
        return (int) value;
    }

    /** A list. */
    public List<?> list(String name) {
        Object value = value(name);
        if (value instanceof List<?> list) {
            return list;
        }
        throw problem(name, "must be a list" + (value instanceof String text ? ": [" + text + "]" : ", in [ and ]"));
    }

    /** Keys and values below a key. */
    Map<?, ?> map(String name) {
        if (value(name) instanceof Map<?, ?> map) {
            return map;
        }
        throw problem(name, "must be names and values, or {}");
    }

    /** A list each entry of which has keys of its own. */
    List<YamlFields> entries(String name) {
        List<YamlFields> entries = new ArrayList<>();
        for (Object value : list(name)) {
            String entry = name + "[" + entries.size() + "]";
            if (!(value instanceof Map<?, ?> keys)) {
                throw problem(entry, "must be keys and values");
            }
            entries.add(new YamlFields(keys, place + entry + "."));
        }
        return entries;
    }

    /** Refuses keys that nobody asked for. */
    public void end() {
        List<String> unknown = unasked();
        if (!unknown.isEmpty()) {
            String name = unknown.get(0);
            throw new StudyException("there is no key " + place + name + Spelling.hint(name, asked) + "; the keys are "
                    + String.join(", ", asked));
        }
    }

    private List<String> unasked() {
        return fields.keySet().stream()
                .map(String::valueOf)
                .filter(name -> !asked.contains(name))
                .toList();
    }
}
