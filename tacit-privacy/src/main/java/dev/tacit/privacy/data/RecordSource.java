package dev.tacit.privacy.data;

/**
 * Where a data set's encoded records are: in memory ({@link RecordsInMemory}) or in a file that does not fit there.
 *
 * <p>Rows come in blocks of {@link #blockRows} rows (the last may be shorter). Rows of the same person are next to each
 * other. Nothing here is public but the number of columns: the door is the only caller.
 */
public interface RecordSource extends AutoCloseable {
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

    /** A reader for one thread. */
    Reader reader();

    /** Gives up files and memory. */
    @Override
    default void close() {}

    /** Hands out blocks; not to be shared by threads. */
    interface Reader {
        /** All rows of a block, valid until the next call. */
        RecordBlock block(long block);

        /** Some rows of a block (ascending, counted from the block's first), valid until the buffer is used again. */
        default RecordBlock rows(long block, int[] rows, int count, BlockBuffer buffer) {
            return block(block).select(rows, count, buffer);
        }
    }
}
