package dev.tacit.data.schema;

import dev.tacit.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** How numbers and texts are spelled in a schema. */
final class Text {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*(-[A-Za-z0-9_.]+)*");
    private static final List<String> WORDS = List.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]*)?([eE][+-]?[0-9]+)?");

    private Text() {}

    /** The value of a number; a text with zeros in front, such as 007, is a code and not a number. */
    static Optional<Double> value(String text) {
        return NUMBER.matcher(text).matches() ? Optional.of(Double.parseDouble(text) + 0.0) : Optional.empty();
    }

    /** A number without a fraction if it has none. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Json.write(value);
    }

    /** A text that reads back as itself. */
    static String scalar(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
        return plain ? text : Json.write((Object) text);
    }

    /** A value of the JSON form on one line. */
    static String flow(Object value) {
        if (value instanceof Map<?, ?> map) {
            StringBuilder text = new StringBuilder("{");
            String separator = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(separator)
                        .append(scalar((String) entry.getKey()))
                        .append(": ")
                        .append(flow(entry.getValue()));
                separator = ", ";
            }
            return text.append('}').toString();
        }
        if (value instanceof List<?> list) {
            return "[" + String.join(", ", list.stream().map(Text::flow).toList()) + "]";
        }
        if (value instanceof Double number) {
            return number(number);
        }
        return value instanceof String text ? scalar(text) : String.valueOf(value);
    }
}
