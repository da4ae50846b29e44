package dev.tacit.data.schema;

import dev.tacit.data.schema.SchemaNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The keys of one part of a schema, asked for one by one; a key that nobody asked for is refused. */
final class SchemaFields {
    private final Map<?, ?> map;
    private final SchemaNode itself;
    private final String what;
    private final String name;
    private final Set<String> asked = new LinkedHashSet<>();

    private SchemaFields(Map<?, ?> map, SchemaNode itself, String what, String name) {
        this.map = map;
        this.itself = itself;
        this.what = what;
        this.name = name;
    }

    static SchemaFields of(SchemaNode node, String what, String name) {
        if (node.value() instanceof Map<?, ?> map) {
            return new SchemaFields(map, node, what, name);
        }
        throw new SchemaException(place(node, name) + ": " + what + " is a list of keys and values");
    }

    static String place(SchemaNode node, String name) {
        return node.line() > 0 ? name + ", line " + node.line() : name;
    }

    SchemaNode itself() {
        return itself;
    }

    /** What the part is called in messages. */
    String what() {
        return what;
    }

    Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        map.keySet().forEach(key -> keys.add((String) key));
        return keys;
    }

    boolean has(String key) {
        asked.add(key);
        return map.containsKey(key);
    }

    SchemaNode node(String key) {
        return node(key, what + " has no \"" + key + "\"");
    }

    SchemaNode node(String key, String sentenceIfAbsent) {
        if (!has(key)) {
            throw problem(itself, sentenceIfAbsent);
        }
        return (SchemaNode) map.get(key);
    }

    /** Whether the key's value is this word. */
    boolean is(String key, String word) {
        return node(key).value() instanceof Scalar scalar && scalar.text().equals(word);
    }

    SchemaFields object(String key) {
        return of(node(key), key, name);
    }

    String text(String key) {
        return text(node(key), key);
    }

    List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        for (SchemaNode element : elements(key)) {
            texts.add(text(element, key));
        }
        return texts;
    }

    List<String> textOrTexts(String key) {
        return node(key).value() instanceof List ? texts(key) : List.of(text(key));
    }

    double number(String key) {
        return number(node(key), key);
    }

    List<Double> numbers(String key) {
        List<Double> numbers = new ArrayList<>();
        for (SchemaNode element : elements(key)) {
            numbers.add(number(element, key));
        }
        return numbers;
    }

    long integer(String key) {
        return integer(node(key), key, name);
    }

    boolean flag(String key, boolean ifAbsent) {
        if (!has(key)) {
            return ifAbsent;
        }
        if (node(key).value() instanceof Scalar scalar && !scalar.quoted()) {
            if (scalar.text().equals("true")) {
                return true;
            }
            if (scalar.text().equals("false")) {
                return false;
            }
        }
        throw problem(node(key), subject(key) + " is true or false");
    }

    /** Refuses keys that nobody asked for. */
    void end() {
        for (Object key : map.keySet()) {
            if (!asked.contains((String) key)) {
                throw problem(
                        (SchemaNode) map.get(key),
                        what + " has an unknown key \"" + key + "\" (known here: " + String.join(", ", asked) + ")");
            }
        }
    }

    SchemaException problem(SchemaNode node, String sentence) {
        return new SchemaException(place(node, name) + ": " + sentence);
    }

    static long integer(SchemaNode node, String key, String name) {
        if (node.value() instanceof Scalar scalar && !scalar.quoted()) {
            try {
                return Long.parseLong(scalar.text().replace("_", ""));
            } catch (NumberFormatException e) {
                // said below, like everything else that is not a whole number
            }
        }
        throw new SchemaException(place(node, name) + ": " + key + " is a whole number");
    }

    private String subject(String key) {
        return what.startsWith("column") ? key + " of " + what : key;
    }

    private List<SchemaNode> elements(String key) {
        SchemaNode node = node(key);
        if (!(node.value() instanceof List<?> list)) {
            throw problem(node, subject(key) + " is a list in brackets");
        }
        return list.stream().map(SchemaNode.class::cast).toList();
    }

    private String text(SchemaNode node, String key) {
        if (node.value() instanceof Scalar scalar) {
            return scalar.text();
        }
        throw problem(node, subject(key) + " is a text; write it in quotes if it is empty or \"null\"");
    }

    private double number(SchemaNode node, String key) {
        if (node.value() instanceof Scalar scalar && !scalar.quoted()) {
            try {
                return Double.parseDouble(scalar.text().replace("_", ""));
            } catch (NumberFormatException e) {
                // said below
            }
        }
        throw problem(node, subject(key) + " must be numbers");
    }
}
