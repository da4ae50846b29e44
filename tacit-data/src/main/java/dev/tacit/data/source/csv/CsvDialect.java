package dev.tacit.data.source.csv;

import dev.tacit.data.schema.FileFormat;

/**
 * How cells and records of a text file are set.
 *
 * <p>A cell in quotes holds everything up to its closing quote, line ends included, however far that is: an open quote is
 * never given up, because what one cell holds would then decide what other records are. Everything that no correct writer
 * of the dialect produces is a {@link CsvFault}.
 *
 * @param delimiter between cells
 * @param comment begins a record to be skipped, or −1
 * @param quoted whether cells may stand in quotes
 * @param escaped whether a backslash takes the meaning from the byte after it, in quotes (or anywhere, if there are no
 *     quotes); quotes within quotes are then escaped and not doubled
 * @param trim whether white space around cells is dropped
 */
public record CsvDialect(byte delimiter, int comment, boolean quoted, boolean escaped, boolean trim) {
    public static CsvDialect of(FileFormat format, char defaultDelimiter) {
        return new CsvDialect(
                (byte) (char) format.delimiter().orElse(defaultDelimiter),
                format.comment().map(c -> (int) c).orElse(-1),
                format.quoted(),
                format.escaped(),
                format.trim());
    }

    /** Whether every line is a record. */
    public boolean linesAreRecords() {
        return !quoted && !escaped;
    }

    /** The first byte that is not a blank. */
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

    /** Whether a backslash before this byte is not part of the cell. */
    boolean isEscapable(byte b) {
        return b == '"' || b == '\\' || b == delimiter || b == '\n' || b == '\r';
    }
}
