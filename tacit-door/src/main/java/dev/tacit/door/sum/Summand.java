package dev.tacit.door.sum;

import dev.tacit.door.record.RecordBlock;

/**
 * Computes on one thread what units contribute, in grid steps that are clipped but not rounded, and hands it to a
 * {@link UnitSum}.
 *
 * <p>It need not be trusted with norms: what it hands over is checked there. It is trusted with one thing, which no check of
 * sums can see and which {@code RecordSumConformance} in the testkit looks for: <b>what it hands over for a unit is the same,
 * bit by bit, whatever other rows stand beside it, were seen before it, or made it throw.</b> What it throws while it looks at
 * rows is forgotten by the door, the units in question are shown to a new summand one by one, and one that makes that throw
 * too contributes nothing. Time and memory do not depend on what a row holds.
 */
public interface Summand {
    /** Adds every row of a block: row i is unit i. */
    void addRows(RecordBlock block, UnitSum sum);

    /** Rows of one unit, which are its last ones if {@code last}; then it adds them all together as unit 0. */
    void addPart(RecordBlock block, boolean last, UnitSum sum);
}
