package dev.tacit.door.sum;

import dev.tacit.door.mechanism.SumGrid;
import java.io.Serializable;

/**
 * What one unit contributes to a sum, as a function of that unit's records and of public values only.
 *
 * <p>A query can be sent to where records are, and contributes the same there, bit by bit. A contribution that is not
 * finite, or that cannot be computed, counts as zero; a query that cannot cope with a record of zeros is refused, because
 * it would not cope with any. What the guarantee rests on is said at {@link Summand}.
 */
public interface RecordSum extends Serializable {
    /** How many numbers a contribution has. */
    int dimension();

    /** Whether its summands add up units; what is summed over something else is understood by a {@link dev.tacit.door.session.ReleaseView} only. */
    default boolean overUnits() {
        return true;
    }

    /** Computes contributions for one thread, with its own scratch memory. */
    Summand summand(SumGrid grid);
}
