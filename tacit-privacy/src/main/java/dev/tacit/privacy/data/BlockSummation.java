package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;

/** Adds up records that are units each, block by block, for sums of which the door knows the form. */
interface BlockSummation {
    /** Clips, rounds and adds all rows of a block. */
    void add(RecordBlock block);

    /** For sums of known form; null for others. */
    static BlockSummation of(RecordSum query, SumGrid grid, UnitSum sum) {
        if (query instanceof ColumnPairs pairs) {
            return new PairSummation(pairs, grid, sum);
        }
        return query instanceof ColumnDraws draws ? new DrawSummation(draws, grid, sum) : null;
    }
}
