package dev.tacit.door.ledger;

import dev.tacit.door.event.PrivacyEvent;
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
 * @param analyst who asked for it, if the caller wanted it recorded
 * @param confirmed false if the charge was interrupted before it returned
 * @param released how many of the event's releases may have happened, as far as {@link PrivacyLedger#advance} was told
 * @param statement the SHA-256 of the newest statement that was published about it, if there is one
 */
public record LedgerEntry(
        long sequence,
        String hash,
        String label,
        PrivacyEvent event,
        Optional<String> run,
        Optional<Instant> time,
        Optional<String> analyst,
        boolean confirmed,
        long released,
        Optional<String> statement) {

    /** What a checkpoint keeps of the ledger. */
    public RunPosition position() {
        return new RunPosition(sequence, hash, released);
    }
}
