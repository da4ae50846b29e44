package dev.tacit.door.session;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.Optional;

/**
 * The door: the only way from records to numbers.
 *
 * <p>Opening a session charged its whole plan. Each release is the plan's next: the planned sampling draws the batch,
 * contributions are clipped jointly in L2 and summed as integers, noise is added, the noisy sum is sealed, the ledger is
 * told.
 */
public interface PrivateSession {
    /**
     * The plan's next release. One at a time: a second call while one is being made is refused.
     *
     * @param query what one unit contributes; of the planned dimension
     * @param l2Bound the largest L2 norm of one unit's contribution; longer ones are shortened to it
     */
    NoisySum release(RecordSum query, double l2Bound);

    /** All releases of the session. */
    ReleasePlan plan();

    /** What was charged for the session. */
    PrivacyEvent event();

    /** The stamp of everything that this session hands out. */
    Provenance provenance();

    /**
     * How many releases were made or lost, those before a resumption included: the index of the next one. A release that
     * was sealed before a crash and is to be handed out again does not count yet.
     */
    long released();

    /**
     * How many releases were passed over so far because they are lost: announced to the ledger, no longer sealed, and
     * not to be repeated with fresh noise. They count as released. 0 unless somebody took sealed values away, or a run
     * that seals nothing crashed; and for replayed noise, which repeats them.
     */
    long lostReleases();

    /** Where the session stands in its ledger, for checkpoints; empty if it is not private. */
    Optional<RunPosition> position();

    /** The declared number of units: the N of every formula. */
    long publicSize();

    /** Who is protected. */
    PrivacyUnit unit();
}
