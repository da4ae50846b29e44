package dev.tacit.privacy.ledger;

import dev.tacit.privacy.event.PrivacyEvent;
import java.time.Instant;
import java.util.Optional;

/**
 * One charge as the ledger recorded it; it is spent from the moment it exists.
 *
 * @param sequence the number of its line, which identifies it in this ledger
 * @param hash the hash of its line, which covers everything before it
 * @param label what it is for
 * @param event what was charged
 * @param run the caller's name for the run, if it may be resumed
 * @param time when, if the caller wanted it recorded
 * @param confirmed false if the charge was interrupted before it returned
 * @param released how many of the event's releases may have happened, as far as {@link PrivacyLedger#advance} was told
 */
public record LedgerEntry(
        long sequence,
        String hash,
        String label,
        PrivacyEvent event,
        Optional<String> run,
        Optional<Instant> time,
        boolean confirmed,
        long released) {

    /** What a checkpoint keeps of the ledger. */
    public RunPosition position() {
        return new RunPosition(sequence, hash, released);
    }

    LedgerEntry asConfirmed() {
        return new LedgerEntry(sequence, hash, label, event, run, time, true, released);
    }

    LedgerEntry withReleased(long count) {
        return new LedgerEntry(sequence, hash, label, event, run, time, confirmed, count);
    }
}
