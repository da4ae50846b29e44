package dev.tacit.data.source.json;

import dev.tacit.data.source.EightBytes;
import dev.tacit.data.source.VoidReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the members of one JSON object, those within nested values aside; one is made for each thread.
 *
 * <p>Bytes that are not UTF-8 stay as they are, half of a surrogate pair becomes the replacement character, and words are
 * not looked at, so that NaN is a word like null. An escape that JSON does not know makes the record void.
 */
final class JsonObject {
    /** What a value is. */
    enum Kind {
        STRING,
        WORD,
        NESTED
    }

    /** Takes the members in their order; the texts are valid during the call. */
    interface Members {
        void member(byte[] name, int nameFrom, int nameTo, Kind kind, byte[] text, int from, int to);
    }

    private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

    private final JsonGrammar grammar = new JsonGrammar();
    private final Text name = new Text();
    private final Text value = new Text();
    private byte[] bytes = new byte[0];
    private int end;
    private int position;

    /** Reads a record; says why it is void if it is. Members that come before what is wrong have been told. */
    Optional<VoidReason> read(byte[] record, int from, int to, Members members) {
        bytes = record;
        end = to;
        position = from;
        skipSpace();
        if (!takes('{')) {
            position = from;
            boolean whole = skipNested(from);
            skipSpace();
            return Optional.of(whole && position == end ? VoidReason.NOT_AN_OBJECT : VoidReason.BROKEN);
        }
        skipSpace();
        boolean whole = takes('}') || members(members);
        skipSpace();
        return whole && position == end ? Optional.empty() : Optional.of(VoidReason.BROKEN);
    }

    private boolean members(Members members) {
        boolean more = true;
        while (more) {
            skipSpace();
            if (!takes('"') || !string(name)) {
                return false;
            }
            skipSpace();
            if (!takes(':')) {
                return false;
            }
            skipSpace();
            Kind kind = value();
            if (kind == null) {
                return false;
            }
            members.member(name.bytes, name.from, name.to, kind, value.bytes, value.from, value.to);
            skipSpace();
            more = takes(',');
        }
        return takes('}');
    }

    private Kind value() {
        if (takes('"')) {
            return string(value) ? Kind.STRING : null;
        }
        int from = position;
        boolean nested = position < end && (bytes[position] == '{' || bytes[position] == '[');
        if (!(nested ? skipNested(from) : skipWord())) {
            return null;
        }
        value.set(bytes, from, position);
        return nested ? Kind.NESTED : Kind.WORD;
    }

    private boolean skipWord() {
        int from = position;
        while (position < end && !isEndOfWord(bytes[position])) {
            position++;
        }
        return position > from && (position == end || bytes[position] != '"');
    }

    private static boolean isEndOfWord(byte b) {
        return JsonGrammar.isSpace(b)
                || b == ','
                || b == ':'
                || b == '"'
                || b == '['
                || b == ']'
                || b == '{'
                || b == '}';
    }

    /** Goes behind a value of any kind. */
    private boolean skipNested(int from) {
        grammar.reset();
        position = from;
        while (position < end) {
            if (grammar.isComplete() && grammar.depth() == 0 && isEndOfWord(bytes[position])) {
                return true;
            }
            if (!grammar.accept(bytes[position])) {
                return false;
            }
            position++;
        }
        return grammar.isComplete();
    }

    private void skipSpace() {
        while (position < end && JsonGrammar.isSpace(bytes[position])) {
            position++;
        }
    }

    private boolean takes(char wanted) {
        if (position < end && bytes[position] == wanted) {
            position++;
            return true;
        }
        return false;
    }

    /** Reads a string whose opening quote was taken; false if it is not closed or has an unknown escape. */
    private boolean string(Text text) {
        int from = position;
        position = EightBytes.indexOf(bytes, from, end, (byte) '"', (byte) '\\');
        if (position < end && bytes[position] == '"') {
            text.set(bytes, from, position);
            position++;
            return true;
        }
        text.clear();
        int copied = from;
        while (position < end) {
            text.append(bytes, copied, position);
            if (takes('"')) {
                return true;
            }
            position++;
            if (!escape(text)) {
                return false;
            }
            copied = position;
            position = EightBytes.indexOf(bytes, position, end, (byte) '"', (byte) '\\');
        }
        return false;
    }

    /** Reads what follows a backslash. */
    private boolean escape(Text text) {
        if (position == end) {
            return false;
        }
        byte b = bytes[position];
        position++;
        switch (b) {
            case '"', '\\', '/' -> text.append(b);
            case 'b' -> text.append((byte) '\b');
            case 'f' -> text.append((byte) '\f');
            case 'n' -> text.append((byte) '\n');
            case 'r' -> text.append((byte) '\r');
            case 't' -> text.append((byte) '\t');
            case 'u' -> {
                return unicode(text);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean unicode(Text text) {
        int unit = fourDigits(position);
        if (unit < 0) {
            return false;
        }
        position += 4;
        if (Character.isHighSurrogate((char) unit)
                && position + 1 < end
                && bytes[position] == '\\'
                && bytes[position + 1] == 'u') {
            int low = fourDigits(position + 2);
            if (low >= 0 && Character.isLowSurrogate((char) low)) {
                position += 6;
                text.appendCodePoint(Character.toCodePoint((char) unit, (char) low));
                return true;
            }
        }
        text.appendCodePoint(unit);
        return true;
    }

    private int fourDigits(int from) {
        int unit = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = i < end ? Character.digit(bytes[i], 16) : -1;
            if (digit < 0) {
                return -1;
            }
            unit = 16 * unit + digit;
        }
        return unit;
    }

    /** A string: as it stands in the record, or decoded. */
    private static final class Text {
        private byte[] bytes = new byte[0];
        private int from;
        private int to;
        private byte[] decoded = new byte[64];

        void set(byte[] record, int first, int last) {
            bytes = record;
            from = first;
            to = last;
        }

        void clear() {
            bytes = decoded;
            from = 0;
            to = 0;
        }

        private void reserve(int more) {
            if (to + more > decoded.length) {
                decoded = Arrays.copyOf(decoded, 2 * (to + more));
                bytes = decoded;
            }
        }

        void append(byte b) {
            reserve(1);
            decoded[to] = b;
            to++;
        }

        void append(byte[] more, int first, int last) {
            reserve(last - first);
            System.arraycopy(more, first, decoded, to, last - first);
            to += last - first;
        }

        void appendCodePoint(int code) {
            boolean half = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
            byte[] utf8 = half ? REPLACEMENT : Character.toString(code).getBytes(StandardCharsets.UTF_8);
            append(utf8, 0, utf8.length);
        }
    }
}
