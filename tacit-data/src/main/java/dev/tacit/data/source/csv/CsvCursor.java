package dev.tacit.data.source.csv;

import dev.tacit.data.source.EightBytes;
import dev.tacit.data.source.csv.CsvFault.Kind;

/**
 * Walks over the records and cells of a chunk of whole records; one is made for each thread.
 *
 * <p>Every byte is looked at, also those of cells that nobody wants, so that every {@link CsvFault} is found.
 */
final class CsvCursor {
    private final CsvDialect dialect;
    private byte[] bytes = new byte[0];
    private int position;
    private int end;
    private boolean special;
    private int recordStart;
    private boolean recordOver;

    private int rawFrom;
    private int rawTo;
    private boolean inQuotes;
    private boolean coded;

    private byte[] text = new byte[0];
    private int from;
    private int to;
    private byte[] scratch = new byte[64];

    CsvCursor(CsvDialect dialect) {
        this.dialect = dialect;
    }

    /** Begins a chunk. */
    void open(CsvSplitter.Chunk chunk) {
        bytes = chunk.bytes();
        position = chunk.from();
        end = chunk.to();
        special = chunk.hasSpecial();
    }

    /** Goes to the next record; the one before must have been ended. */
    boolean nextRecord() {
        recordStart = position;
        recordOver = false;
        return position < end;
    }

    /** Whether the record is a line of white space without a delimiter. */
    boolean isBlank() {
        int i = recordStart;
        while (i < end && (dialect.isBlank(bytes[i]) || bytes[i] == '\r')) {
            i++;
        }
        return i == end || bytes[i] == '\n';
    }

    /** Whether the record begins with the character of comments, which is not so if its first cell is in quotes. */
    boolean isComment() {
        return bytes[recordStart] == dialect.comment();
    }

    /** Goes to the next cell of the record; false after the last one. */
    boolean nextCell() {
        if (recordOver) {
            return false;
        }
        int first = dialect.skipBlanks(bytes, position, end);
        int stop = dialect.quoted() && first < end && bytes[first] == '"' ? quotedCell(first) : bareCell(first);
        recordOver = stop >= end || bytes[stop] == '\n';
        position = stop + 1;
        return true;
    }

    /** Goes to the end of the record. */
    void endRecord() {
        if (!recordOver && !special) {
            position = EightBytes.indexOf(bytes, position, end, (byte) '\n', (byte) '\n') + 1;
            recordOver = true;
        }
        boolean more = !recordOver;
        while (more) {
            more = nextCell();
        }
    }

    private int bareCell(int first) {
        byte delimiter = dialect.delimiter();
        inQuotes = false;
        coded = false;
        int stop = EightBytes.indexOf(bytes, first, end, delimiter, (byte) '\n');
        if (special && dialect.quoted()) {
            if (EightBytes.indexOf(bytes, first, stop, (byte) '"', (byte) '"') < stop) {
                throw new CsvFault(Kind.QUOTE_INSIDE);
            }
        } else if (special) {
            stop = escapedBareEnd(first);
        }
        rawFrom = first;
        rawTo = stop == end || bytes[stop] == '\n' ? beforeReturn(first, stop) : stop;
        return stop;
    }

    private int escapedBareEnd(int first) {
        int stop = first;
        while (stop < end && bytes[stop] != dialect.delimiter() && bytes[stop] != '\n') {
            if (bytes[stop] == '\\') {
                coded = true;
                stop++;
                if (stop == end) {
                    throw new CsvFault(Kind.OPEN_ESCAPE);
                }
            }
            stop++;
        }
        return stop;
    }

    private int beforeReturn(int first, int stop) {
        return stop > first && bytes[stop - 1] == '\r' ? stop - 1 : stop;
    }

    private int quotedCell(int first) {
        inQuotes = true;
        coded = false;
        byte escape = dialect.escaped() ? (byte) '\\' : (byte) '"';
        int closing = first + 1;
        while (true) {
            closing = EightBytes.indexOf(bytes, closing, end, (byte) '"', escape);
            if (closing >= end) {
                throw new CsvFault(Kind.OPEN_QUOTE);
            }
            boolean pair = bytes[closing] != '"' || (!dialect.escaped() && isQuote(closing + 1));
            if (!pair) {
                break;
            }
            coded = true;
            closing += 2;
        }
        rawFrom = first + 1;
        rawTo = closing;
        int after = dialect.skipBlanks(bytes, closing + 1, end);
        if (after < end && bytes[after] == '\r' && (after + 1 == end || bytes[after + 1] == '\n')) {
            after++;
        }
        if (after < end && bytes[after] != dialect.delimiter() && bytes[after] != '\n') {
            throw new CsvFault(Kind.TEXT_AFTER);
        }
        return after;
    }

    private boolean isQuote(int place) {
        return place < end && bytes[place] == '"';
    }

    /** Reads the cell; before this, nothing is known of what it holds. */
    void readCell() {
        text = bytes;
        from = rawFrom;
        to = rawTo;
        if (coded) {
            decode();
        }
        if (dialect.trim()) {
            from = dialect.skipBlanks(text, from, to);
            while (to > from && dialect.isBlank(text[to - 1])) {
                to--;
            }
        }
    }

    private void decode() {
        if (scratch.length < rawTo - rawFrom) {
            scratch = new byte[2 * (rawTo - rawFrom)];
        }
        int length = 0;
        for (int i = rawFrom; i < rawTo; i++) {
            boolean dropped = dialect.escaped()
                    ? bytes[i] == '\\' && i + 1 < rawTo && dialect.isEscapable(bytes[i + 1])
                    : bytes[i] == '"' && inQuotes;
            i += dropped ? 1 : 0;
            scratch[length] = bytes[i];
            length++;
        }
        text = scratch;
        from = 0;
        to = length;
    }

    /** Where the cell's text is, from {@link #from} to {@link #to}; until the next cell is read. */
    byte[] text() {
        return text;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }
}
