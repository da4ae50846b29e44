package dev.tacit.door.session;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.PrivacyUnit;

/**
 * What the releases of a plan see in place of sums over all records, and what that is to accounting: the records of one party
 * at a time, say, or shards of records.
 *
 * <p>The door asks a view for its sums and for its event, and adds noise for the bounds that it names. A view is as trusted as
 * the door: whoever writes one proves, and tests on neighbours, that its sums are moved by that much.
 */
public interface ReleaseView {
    /** The sums of a session. */
    @FunctionalInterface
    interface Sums {
        /** The exact integer sums of a release, counted from 0 within the plan. */
        long[] of(long release, SumRequest request);
    }

    /** Opens the view for a session. */
    Sums over(Summation records);

    /** Refuses, before anything is charged, plans and units that it does not hold for. */
    void require(ReleasePlan plan, PrivacyUnit unit);

    /** By how many bounds one unit that comes or goes moves a sum. */
    default double boundsMoved() {
        return 1;
    }

    /** What some equal releases in a row are to accounting, one of which would be {@code once} if it saw all records. */
    default PrivacyEvent event(PrivacyEvent once, long times) {
        return ReleasePlan.times(once, times);
    }

    /** How many summands there are, publicly, if there are that many units. */
    default long summands(long publicSize) {
        return publicSize;
    }
}
