package dev.tacit.data.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a schema with its line.
 *
 * @param value null, a {@link Scalar}, a list of nodes, or a map from keys to nodes
 * @param line counted from 1; 0 if it has none
 */
record SchemaNode(Object value, int line) {
    /**
     * A single value as it is spelled.
     *
     * @param text without quotes
     * @param quoted whether it can only be a text
     */
    record Scalar(String text, boolean quoted) {}

    /** A node of a JSON value. */
    static SchemaNode ofJson(Object json) {
        if (json instanceof Map<?, ?> map) {
            Map<String, SchemaNode> nodes = new LinkedHashMap<>();
            map.forEach((key, value) -> nodes.put((String) key, ofJson(value)));
            return new SchemaNode(nodes, 0);
        }
        if (json instanceof List<?> list) {
            List<SchemaNode> nodes = new ArrayList<>();
            list.forEach(value -> nodes.add(ofJson(value)));
            return new SchemaNode(nodes, 0);
        }
        if (json == null) {
            return new SchemaNode(null, 0);
        }
        return new SchemaNode(new Scalar(String.valueOf(json), json instanceof String), 0);
    }
}
