package dev.tacit.ledger;

/** The ledger's chain of hashes does not hold, so nothing may be charged to it. */
public final class LedgerBroken extends LedgerUnavailable {
    private static final long serialVersionUID = 1L;

    private final long line;

    LedgerBroken(long line, String reason) {
        super("line " + line + " of the ledger " + reason, null);
        this.line = line;
    }

    /** The first line that does not hold, counted from 1. */
    public long line() {
        return line;
    }
}
