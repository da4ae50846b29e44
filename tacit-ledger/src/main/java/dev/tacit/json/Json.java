package dev.tacit.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A strict reader and a canonical writer for JSON (RFC 8259).
 *
 * <pre>
 *   object  LinkedHashMap&lt;String, Object&gt;     array  List&lt;Object&gt;     true, false  Boolean     null  null
 *   number  Long without fraction and exponent if it fits, otherwise Double     string  String
 * </pre>
 *
 * Strict: one value and nothing after it, no duplicate keys, no numbers beyond the range of a double, at most
 * {@value #DEEPEST} levels. Canonical: no white space, keys in the map's order, doubles by the fewest digits that
 * read back as the same double, on every JDK (before 19, {@link Double#toString} writes 0.0020 for 2e-3).
 */
public final class Json {
    /** How many arrays and objects may stand inside each other. */
    public static final int DEEPEST = 500;

    private Json() {}

    /** Reads one value. */
    public static Object read(String text) {
        Reader reader = new Reader(text);
        Object value = reader.value(0);
        if (reader.peek() != Reader.END) {
            throw reader.problem("one value is expected, and there is more text after it");
        }
        return value;
    }

    /** Writes one value. */
    public static String write(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, 0, text);
        return text.toString();
    }

    private static void write(Object value, int depth, StringBuilder text) {
        if (depth >= DEEPEST && (value instanceof List || value instanceof Map)) {
            throw new IllegalArgumentException("JSON is not written deeper than " + DEEPEST + " levels");
        }
        if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Integer) {
            text.append(value);
        } else if (value instanceof Double number) {
            text.append(write(number.doubleValue()));
        } else if (value instanceof String string) {
            writeString(string, text);
        } else if (value instanceof List<?> list) {
            text.append('[');
            String separator = "";
            for (Object element : list) {
                text.append(separator);
                write(element, depth + 1, text);
                separator = ",";
            }
            text.append(']');
        } else if (value instanceof Map<?, ?> map) {
            text.append('{');
            String separator = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(separator);
                writeString((String) entry.getKey(), text);
                text.append(':');
                write(entry.getValue(), depth + 1, text);
                separator = ",";
            }
            text.append('}');
        } else {
            throw new IllegalArgumentException("JSON has no " + value.getClass().getSimpleName());
        }
    }

    /** Writes a number by the fewest significant digits that read back as the same double. */
    public static String write(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("JSON has no NaN and no infinity");
        }
        if (value == 0) {
            return Double.toString(value);
        }
        BigDecimal enough = new BigDecimal(Math.abs(value)).round(new MathContext(30));
        BigDecimal shortest = enough;
        for (int digits = 1; digits <= 17; digits++) {
            BigDecimal candidate = enough.round(new MathContext(digits));
            if (Double.parseDouble(candidate.toString()) == Math.abs(value)) {
                shortest = candidate;
                break;
            }
        }
        shortest = shortest.stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        boolean plain = exponent >= -3 && exponent < 7;
        BigDecimal mantissa = plain ? shortest : shortest.movePointLeft(exponent);
        String digits = mantissa.setScale(Math.max(1, mantissa.scale())).toPlainString();
        return (value < 0 ? "-" : "") + digits + (plain ? "" : "E" + exponent);
    }

    private static void writeString(String string, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c == '\t') {
                text.append("\\t");
            } else if (c < ' ' || isLoneSurrogate(string, i)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    private static boolean isLoneSurrogate(String string, int i) {
        if (Character.isHighSurrogate(string.charAt(i))) {
            return i + 1 == string.length() || !Character.isLowSurrogate(string.charAt(i + 1));
        }
        return Character.isLowSurrogate(string.charAt(i))
                && (i == 0 || !Character.isHighSurrogate(string.charAt(i - 1)));
    }

    /** A recursive-descent reader over the grammar of RFC 8259; it never looks back. */
    private static final class Reader {
        private static final char END = '\uffff';

        private final String text;
        private int position;

        Reader(String text) {
            this.text = text;
        }

        JsonException problem(String sentence) {
            int line = 1;
            int lineStart = 0;
            for (int i = 0; i < position; i++) {
                if (text.charAt(i) == '\n') {
                    line++;
                    lineStart = i + 1;
                }
            }
            return new JsonException(line, position - lineStart + 1, sentence);
        }

        private char current() {
            return position < text.length() ? text.charAt(position) : END;
        }

        /** The next character that is not white space. */
        char peek() {
            while (current() == ' ' || current() == '\n' || current() == '\r' || current() == '\t') {
                position++;
            }
            return position < text.length() && current() == END ? '\ufffe' : current();
        }

        private boolean take(char expected) {
            if (peek() != expected) {
                return false;
            }
            position++;
            return true;
        }

        private void require(char expected, String sentence) {
            if (!take(expected)) {
                throw problem(sentence);
            }
        }

        Object value(int depth) {
            char first = peek();
            if ((first == '{' || first == '[') && depth == DEEPEST) {
                throw problem("more than " + DEEPEST + " arrays and objects stand inside each other");
            }
            if (first == '{') {
                return object(depth);
            }
            if (first == '[') {
                return array(depth);
            }
            if (first == '"') {
                return string();
            }
            if (first == '-' || isDigit(first)) {
                return number();
            }
            for (String word : List.of("true", "false", "null")) {
                if (text.startsWith(word, position)) {
                    position += word.length();
                    return word.equals("null") ? null : (Object) word.equals("true");
                }
            }
            throw problem(first == END ? "the text ends where a value is expected" : "a value is expected");
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> object = new LinkedHashMap<>();
            position++;
            if (take('}')) {
                return object;
            }
            do {
                if (peek() != '"') {
                    throw problem("a key in double quotes is expected");
                }
                int keyStart = position;
                String key = string();
                if (object.containsKey(key)) {
                    position = keyStart;
                    throw problem("this key stands in the same object twice");
                }
                require(':', "a colon is expected after a key");
                object.put(key, value(depth + 1));
            } while (take(','));
            require('}', "a comma or the end of the object is expected");
            return object;
        }

        private List<Object> array(int depth) {
            List<Object> array = new ArrayList<>();
            position++;
            if (take(']')) {
                return array;
            }
            do {
                array.add(value(depth + 1));
            } while (take(','));
            require(']', "a comma or the end of the array is expected");
            return array;
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            position++;
            while (position < text.length()) {
                char c = text.charAt(position);
                if (c == '"') {
                    position++;
                    return string.toString();
                }
                if (c < ' ') {
                    throw problem("a control character in a string must be escaped");
                }
                position++;
                string.append(c == '\\' ? escape() : c);
            }
            throw problem("the text ends inside a string");
        }

        private char escape() {
            char c = current();
            int simple = "\"\\/bfnrt".indexOf(c);
            if (simple >= 0) {
                position++;
                return "\"\\/\b\f\n\r\t".charAt(simple);
            }
            if (c != 'u') {
                throw problem("there is no such escape");
            }
            position++;
            int code = 0;
            for (int i = 0; i < 4; i++) {
                int digit = current() < 128 ? Character.digit(current(), 16) : -1;
                if (digit < 0) {
                    throw problem("four hexadecimal digits are expected");
                }
                code = 16 * code + digit;
                position++;
            }
            return (char) code;
        }

        private Number number() {
            int start = position;
            if (current() == '-') {
                position++;
            }
            if (current() == '0') {
                position++;
            } else {
                digits();
            }
            boolean integer = true;
            if (current() == '.') {
                integer = false;
                position++;
                digits();
            }
            if (current() == 'e' || current() == 'E') {
                integer = false;
                position++;
                if (current() == '+' || current() == '-') {
                    position++;
                }
                digits();
            }
            String number = text.substring(start, position);
            if (integer && !number.equals("-0")) {
                try {
                    return Long.parseLong(number);
                } catch (NumberFormatException tooLong) {
                    // falls through: a double, as in every other reader
                }
            }
            double value = Double.parseDouble(number);
            if (Double.isInfinite(value)) {
                position = start;
                throw problem("a number is beyond the range of a double");
            }
            return value;
        }

        private void digits() {
            if (!isDigit(current())) {
                throw problem("a digit is expected");
            }
            while (isDigit(current())) {
                position++;
            }
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }
    }
}
