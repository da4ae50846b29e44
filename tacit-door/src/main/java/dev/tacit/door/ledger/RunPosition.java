package dev.tacit.door.ledger;

/**
 * Where a run stands in its ledger; a checkpoint stores it next to the state.
 *
 * @param sequence the entry's line number
 * @param hash the entry's hash
 * @param released how many releases the state contains
 */
public record RunPosition(long sequence, String hash, long released) {}
