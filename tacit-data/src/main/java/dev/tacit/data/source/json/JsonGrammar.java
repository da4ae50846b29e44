package dev.tacit.data.source.json;

import java.util.BitSet;

/**
 * The structure of JSON (RFC 8259, Sections 4 and 5) byte by byte: brackets, names, colons, commas, and where strings end.
 *
 * <p>What a string holds does not matter, except that a backslash takes the next byte with it; neither does how a number
 * or a word is spelled. These are matters of a record. The structure is one of the writer: whatever records hold, a
 * correct writer closes what it opens.
 */
final class JsonGrammar {
    private enum State {
        VALUE,
        VALUE_OR_END,
        NAME,
        NAME_OR_END,
        COLON,
        AFTER_VALUE,
        STRING,
        STRING_ESCAPE,
        NAME_STRING,
        NAME_STRING_ESCAPE,
        WORD
    }

    private final BitSet objects = new BitSet();
    private State state = State.VALUE;
    private int depth;

    /** Begins a new text, in which one value is expected. */
    void reset() {
        state = State.VALUE;
        depth = 0;
    }

    /** How many brackets are open. */
    int depth() {
        return depth;
    }

    /** Whether the value that was expected at depth 0 is complete; a word may go on. */
    boolean isComplete() {
        return depth == 0 && (state == State.AFTER_VALUE || state == State.WORD);
    }

    /** Whether a value is expected here, which has not begun. */
    boolean expectsValue() {
        return state == State.VALUE || state == State.VALUE_OR_END;
    }

    /** Whether what was begun last is complete, and a comma or a bracket comes next; a word may go on. */
    boolean isAfterValue() {
        return state == State.AFTER_VALUE || state == State.WORD;
    }

    /** Takes a byte; false if it cannot stand here. */
    boolean accept(byte b) {
        switch (state) {
            case STRING -> state = b == '"' ? State.AFTER_VALUE : b == '\\' ? State.STRING_ESCAPE : State.STRING;
            case STRING_ESCAPE -> state = State.STRING;
            case NAME_STRING ->
                state = b == '"' ? State.COLON : b == '\\' ? State.NAME_STRING_ESCAPE : State.NAME_STRING;
            case NAME_STRING_ESCAPE -> state = State.NAME_STRING;
            default -> {
                return isSpace(b) ? space() : outside(b);
            }
        }
        return true;
    }

    private boolean space() {
        state = state == State.WORD ? State.AFTER_VALUE : state;
        return true;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private boolean outside(byte b) {
        return switch (state) {
            case VALUE -> value(b);
            case VALUE_OR_END -> b == ']' ? close(b) : value(b);
            case NAME -> name(b);
            case NAME_OR_END -> b == '}' ? close(b) : name(b);
            case COLON -> {
                state = State.VALUE;
                yield b == ':';
            }
            case WORD -> isStructural(b) ? afterValue(b) : b != '"';
            default -> afterValue(b);
        };
    }

    private static boolean isStructural(byte b) {
        return b == ',' || b == ':' || b == '[' || b == ']' || b == '{' || b == '}';
    }

    private boolean value(byte b) {
        if (b == '"') {
            state = State.STRING;
            return true;
        }
        if (b == '[' || b == '{') {
            objects.set(depth, b == '{');
            depth++;
            state = b == '{' ? State.NAME_OR_END : State.VALUE_OR_END;
            return true;
        }
        state = State.WORD;
        return !isStructural(b);
    }

    private boolean name(byte b) {
        state = State.NAME_STRING;
        return b == '"';
    }

    private boolean afterValue(byte b) {
        if (depth == 0) {
            return false;
        }
        if (b == ',') {
            state = objects.get(depth - 1) ? State.NAME : State.VALUE;
            return true;
        }
        return close(b);
    }

    private boolean close(byte b) {
        depth--;
        state = State.AFTER_VALUE;
        return b == (objects.get(depth) ? '}' : ']');
    }
}
