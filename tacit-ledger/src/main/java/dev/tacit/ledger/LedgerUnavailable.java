package dev.tacit.ledger;

/** The ledger cannot be read or written, so nothing may be released; the message is one sentence with the way out. */
public class LedgerUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LedgerUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
