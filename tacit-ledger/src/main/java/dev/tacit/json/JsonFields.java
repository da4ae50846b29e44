package dev.tacit.json;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One JSON object read field by field: each field must be there with the type asked for, and no other field may be. */
public final class JsonFields {
    private final Map<?, ?> object;
    private final String path;
    private final Set<String> asked = new LinkedHashSet<>();

    private JsonFields(Map<?, ?> object, String path) {
        this.object = object;
        this.path = path;
    }

    /** The fields of a value that must be an object; the path says where it stands and is empty for the outermost. */
    public static JsonFields of(Object value, String path) {
        if (value instanceof Map<?, ?> object) {
            return new JsonFields(object, path);
        }
        throw new JsonFieldException(path, "must be an object");
    }

    /** The path of the object itself. */
    public String path() {
        return path;
    }

    /** The path of one of the fields. */
    public String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Whether an optional field is there. */
    public boolean has(String name) {
        asked.add(name);
        return object.containsKey(name);
    }

    /** Any value. */
    public Object value(String name) {
        if (!has(name)) {
            throw new JsonFieldException(path, "has no field \"" + name + "\"");
        }
        return object.get(name);
    }

    /** A string. */
    public String text(String name) {
        if (value(name) instanceof String text) {
            return text;
        }
        throw new JsonFieldException(pathOf(name), "must be a string");
    }

    /** A number. */
    public double number(String name) {
        if (value(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw new JsonFieldException(pathOf(name), "must be a number");
    }

    /** A number without fraction and exponent that fits 64 bits. */
    public long integer(String name) {
        if (value(name) instanceof Long integer) {
            return integer;
        }
        throw new JsonFieldException(pathOf(name), "must be an integer written without fraction or exponent");
    }

    /** An array. */
    public List<?> list(String name) {
        if (value(name) instanceof List<?> list) {
            return list;
        }
        throw new JsonFieldException(pathOf(name), "must be an array");
    }

    /** An object. */
    public JsonFields object(String name) {
        return of(value(name), pathOf(name));
    }

    /** Refuses fields that nobody asked for. */
    public void end() {
        if (!asked.containsAll(object.keySet())) {
            throw new JsonFieldException(
                    path, "has a field that does not belong there (known: " + String.join(", ", asked) + ")");
        }
    }
}
