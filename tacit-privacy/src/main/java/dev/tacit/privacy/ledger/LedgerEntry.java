package dev.tacit.privacy.ledger;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.event.PrivacyEvent.Disjoint;
import dev.tacit.privacy.event.PrivacyEvent.FixedSizeSampled;
import dev.tacit.privacy.event.PrivacyEvent.PoissonSampled;
import dev.tacit.privacy.event.PrivacyEvent.Repeated;
import dev.tacit.privacy.event.PrivacyEvent.Sequence;
import java.time.Instant;
import java.util.List;
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

    /** How many releases the charge paid for: the leaves of its event, each as often as it is repeated. */
    public long releases() {
        return releases(event);
    }

    /** What a checkpoint keeps of the ledger. */
    public RunPosition position() {
        return new RunPosition(sequence, hash, released);
    }

    private static long releases(PrivacyEvent event) {
        if (event instanceof Repeated repeated) {
            long once = releases(repeated.event());
            return once > 0 && repeated.times() > Long.MAX_VALUE / once ? Long.MAX_VALUE : once * repeated.times();
        }
        if (event instanceof PoissonSampled sampled) {
            return releases(sampled.event());
        }
        if (event instanceof FixedSizeSampled sampled) {
            return releases(sampled.event());
        }
        if (event instanceof Sequence sequence) {
            return releases(sequence.events());
        }
        return event instanceof Disjoint disjoint ? releases(disjoint.events()) : 1;
    }

    private static long releases(List<PrivacyEvent> events) {
        long sum = 0;
        for (PrivacyEvent event : events) {
            long more = releases(event);
            sum = sum > Long.MAX_VALUE - more ? Long.MAX_VALUE : sum + more;
        }
        return sum;
    }
}
