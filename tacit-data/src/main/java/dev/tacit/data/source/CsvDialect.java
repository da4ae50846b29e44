package dev.tacit.data.source;

import dev.tacit.data.schema.FileFormat;

/**
 * Where cells and records of a text file end.
 *
 * <p>A record ends with its line, except that a cell in quotes may hold line ends. A quote opens such a cell only at the
 * cell's start, and only if a closing quote (followed by a delimiter, a line end or the end of the file) comes within
 * {@value #LONGEST_QUOTED_CELL} bytes and before any other single quote; otherwise it is a character like others. So a
 * lone quote spoils its own record, and does not swallow the records after it.
 *
 * @param delimiter between cells
 * @param comment begins a line to be skipped, or −1
 * @param quoted whether quotes mean something
 * @param trim whether white space around cells is dropped
 */
record CsvDialect(byte delimiter, int comment, boolean quoted, boolean trim) {
    static final int LONGEST_QUOTED_CELL = 1 << 20;

    /** The quote opens nothing. */
    static final int NOT_QUOTED = -1;

    /** The bytes end before the answer is known. */
    static final int UNKNOWN = -2;

    static CsvDialect of(FileFormat format, char defaultDelimiter) {
        return new CsvDialect(
                (byte) (char) format.delimiter().orElse(defaultDelimiter),
                format.comment().map(c -> (int) c).orElse(-1),
                format.quoted(),
                format.trim());
    }

    /** Where the quoted cell that opens at this quote closes; or {@link #NOT_QUOTED} or {@link #UNKNOWN}. */
    int closingQuote(byte[] bytes, int open, int end, boolean endOfFile) {
        int last = (int) Math.min(end, (long) open + LONGEST_QUOTED_CELL);
        int position = open + 1;
        while (position < last) {
            if (bytes[position] != '"') {
                position++;
            } else if (position + 1 < end && bytes[position + 1] == '"') {
                position += 2;
            } else {
                int after = skipBlanks(bytes, position + 1, end);
                if (after == end) {
                    return endOfFile ? position : UNKNOWN;
                }
                byte next = bytes[after];
                return next == delimiter || next == '\n' || next == '\r' ? position : NOT_QUOTED;
            }
        }
        return last < end || endOfFile || end - open >= LONGEST_QUOTED_CELL ? NOT_QUOTED : UNKNOWN;
    }

    /** The first byte that is not a blank, a delimiter always being one that is not. */
    int skipBlanks(byte[] bytes, int from, int end) {
        int position = from;
        while (trim && position < end && isBlank(bytes[position])) {
            position++;
        }
        return position;
    }

    /** Whether white space that may stand around a cell. */
    boolean isBlank(byte b) {
        return (b == ' ' || b == '\t') && b != delimiter;
    }

    /** Where the record ends that begins here: at its line end, or at the end of the bytes; or {@link #UNKNOWN}. */
    int recordEnd(byte[] bytes, int start, int end, boolean endOfFile) {
        int position = start;
        boolean cellStart = quoted && !(start < end && bytes[start] == comment);
        while (position < end) {
            byte b = bytes[position];
            if (b == '\n') {
                return position;
            }
            if (cellStart && b == '"') {
                int closing = closingQuote(bytes, position, end, endOfFile);
                if (closing == UNKNOWN) {
                    return UNKNOWN;
                }
                position = closing == NOT_QUOTED ? position : closing;
                cellStart = false;
            } else if (b == delimiter) {
                cellStart = quoted && !(start < end && bytes[start] == comment);
            } else if (cellStart && !(trim && isBlank(b))) {
                cellStart = false;
            }
            position++;
        }
        return endOfFile ? end : UNKNOWN;
    }
}
