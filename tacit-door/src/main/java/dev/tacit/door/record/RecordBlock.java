package dev.tacit.door.record;

/**
 * A few thousand rows of private records as primitive arrays; seen by a {@link dev.tacit.door.sum.RecordSum} inside the door and nowhere
 * else.
 *
 * <p>Rows are dense ({@link DenseBlock}) or sparse ({@link SparseBlock}). Hot loops switch on the type once a block;
 * everything else uses the methods here. A block is valid until its reader hands out the next one.
 */
public sealed interface RecordBlock permits DenseBlock, SparseBlock {
    /** How many rows there are; never public. */
    int rows();

    /** How many numbers a row has. */
    int columns();

    /** The row's label, NaN if the records have none. */
    double label(int row);

    /** The row's weight, 1 if the records have none. */
    double weight(int row);

    /** The rows {@code from} up to, not including, {@code to}, without copying. */
    RecordBlock part(int from, int to);
}
