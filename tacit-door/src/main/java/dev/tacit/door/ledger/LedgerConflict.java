package dev.tacit.door.ledger;

/** A run does not fit what the ledger holds about it, so nothing may be released. */
public final class LedgerConflict extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public LedgerConflict(String sentence) {
        super(sentence);
    }
}
