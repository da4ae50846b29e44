package dev.tacit.data.source.csv;

import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;

/**
 * Something in a text file that no correct writer of its dialect produces, whatever its cells hold. So it is a fault of
 * the file's form, as a broken archive is, and says nothing about a record.
 */
public final class CsvFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What can be wrong. */
    enum Kind {
        QUOTE_INSIDE("a quote inside a cell that is not in quotes"),
        TEXT_AFTER("text after the closing quote of a cell"),
        OPEN_QUOTE("a quote that is open at its end"),
        OPEN_ESCAPE("a backslash at its end");

        private final String what;

        Kind(String what) {
            this.what = what;
        }
    }

    private final Kind kind;

    CsvFault(Kind kind) {
        super(kind.what, null, false, false);
        this.kind = kind;
    }

    /** What is said about the file. */
    public DataException about(DataLocation location, CsvDialect dialect) {
        String declare = !dialect.quoted()
                ? "leave out escape: backslash if a backslash is a character like others"
                : dialect.escaped()
                        ? "declare format: {quote: none} if a line is a record, or leave out escape: backslash if quotes "
                                + "within quotes are doubled"
                        : "declare format: {quote: none} if a line is a record, or format: {escape: backslash} if quotes "
                                + "within quotes are escaped by a backslash";
        return new DataException(
                location.name() + " has " + kind.what + ", which a correct writer of its format never writes; "
                        + declare,
                this);
    }
}
