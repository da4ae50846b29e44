package dev.tacit.ledger;

/** What a check of a ledger's chain found. */
public sealed interface LedgerVerdict {
    /** Every line follows from the one before. */
    record Intact(LedgerFile contents) implements LedgerVerdict {}

    /** The first line that does not hold, or 0 if each holds but the end is missing; the reason is a sentence. */
    record Broken(long line, String reason) implements LedgerVerdict {}
}
