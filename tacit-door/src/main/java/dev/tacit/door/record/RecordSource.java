package dev.tacit.door.record;

/**
 * Where one part of a data set's encoded records is: in memory ({@code RecordsInMemory}) or in a file that does not fit there.
 *
 * <p>Rows come in blocks of {@link #blockRows} rows (the last may be shorter). Rows of the same person are next to each
 * other. Nothing here is public but the number of columns: the door is the only caller.
 */
public interface RecordSource extends AutoCloseable {
    /** Units in a stretch of records: those whose places in a batch are drawn from one stream of a batch's key. */
    int STRETCH_UNITS = 1 << 13;

    /** How many numbers a row has; declared, hence public. */
    int columns();

    /** Whether rows carry a label; declared, hence public. */
    boolean labelled();

    /** How many rows there are; private. */
    long rows();

    /** Rows in every block but the last. */
    int blockRows();

    /** How many units (records or persons) there are; private. */
    default long units() {
        return rows();
    }

    /** The first row of a unit; {@code firstRow(units())} is {@link #rows()}. */
    default long firstRow(long unit) {
        return unit;
    }

    /** How many units of the data set come before this part. */
    default long unitsBefore() {
        return 0;
    }

    /**
     * The stretch of a unit. Stretches and ranks follow from the whole data set, not from how it is cut into parts.
     *
     * <p>Records are counted through. Persons are ordered by their marks, and a stretch has those whose marks begin alike, so
     * that its number does not depend on who else is there.
     */
    default Stretch stretchOf(long unit) {
        long place = unitsBefore() + unit;
        long rank = place % STRETCH_UNITS;
        return new Stretch(place / STRETCH_UNITS, rank, Math.min(STRETCH_UNITS - rank, units() - unit));
    }

    /**
     * A run of units of this part that are drawn from one stream.
     *
     * @param number of the stream
     * @param rank of the first of these units within the stretch
     * @param units how many there are from that one on
     */
    record Stretch(long number, long rank, long units) {}

    /** A reader for one thread. */
    Reader reader();

    /** Gives up files and memory. */
    @Override
    default void close() {}

    /** Hands out blocks; not to be shared by threads. */
    interface Reader {
        /** All rows of a block, valid until the next call. */
        RecordBlock block(long block);

        /** Some rows of a block (ascending, counted from the block's first), valid until the next call. */
        RecordBlock rows(long block, int[] rows, int count);
    }
}
