package dev.tacit.data.source.csv;

import dev.tacit.data.source.csv.CsvFault.Kind;

/** Finds where a record ends, byte by byte, over as many pieces as it comes in. */
final class CsvRecordEnd {
    /** The record does not end in these bytes. */
    static final int NOT_HERE = -1;

    private enum State {
        CELL_START,
        BARE,
        BARE_ESCAPE,
        QUOTED,
        QUOTED_ESCAPE,
        QUOTE,
        CLOSED,
        RETURN
    }

    private final CsvDialect dialect;
    private State state = State.CELL_START;

    CsvRecordEnd(CsvDialect dialect) {
        this.dialect = dialect;
    }

    /** The place of the line end that ends the record, after which a new record begins; or {@link #NOT_HERE}. */
    int find(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b == '\n' && !isOpen()) {
                state = State.CELL_START;
                return i;
            }
            state = next(b);
        }
        return NOT_HERE;
    }

    /** Says that the file ends here. */
    void endOfFile() {
        if (state == State.QUOTED || state == State.QUOTED_ESCAPE) {
            throw new CsvFault(Kind.OPEN_QUOTE);
        }
        if (state == State.BARE_ESCAPE) {
            throw new CsvFault(Kind.OPEN_ESCAPE);
        }
    }

    /** Whether a line end would be part of a cell. */
    private boolean isOpen() {
        return state == State.QUOTED || state == State.QUOTED_ESCAPE || state == State.BARE_ESCAPE;
    }

    private State next(byte b) {
        return switch (state) {
            case CELL_START -> {
                if (dialect.quoted() && b == '"') {
                    yield State.QUOTED;
                }
                yield dialect.trim() && dialect.isBlank(b) ? State.CELL_START : bare(b);
            }
            case BARE -> bare(b);
            case BARE_ESCAPE -> State.BARE;
            case QUOTED -> {
                if (dialect.escaped() && b == '\\') {
                    yield State.QUOTED_ESCAPE;
                }
                yield b == '"' ? State.QUOTE : State.QUOTED;
            }
            case QUOTED_ESCAPE -> State.QUOTED;
            case QUOTE -> b == '"' && !dialect.escaped() ? State.QUOTED : closed(b);
            case CLOSED -> closed(b);
            case RETURN -> throw new CsvFault(Kind.TEXT_AFTER);
        };
    }

    private State bare(byte b) {
        if (b == dialect.delimiter()) {
            return State.CELL_START;
        }
        if (dialect.quoted() && b == '"') {
            throw new CsvFault(Kind.QUOTE_INSIDE);
        }
        return dialect.escaped() && !dialect.quoted() && b == '\\' ? State.BARE_ESCAPE : State.BARE;
    }

    private State closed(byte b) {
        if (b == dialect.delimiter()) {
            return State.CELL_START;
        }
        if (b == '\r') {
            return State.RETURN;
        }
        if (dialect.trim() && dialect.isBlank(b)) {
            return State.CLOSED;
        }
        throw new CsvFault(Kind.TEXT_AFTER);
    }
}
