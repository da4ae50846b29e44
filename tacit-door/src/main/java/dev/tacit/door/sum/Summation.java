package dev.tacit.door.sum;

/**
 * The seam behind which records are: adds up what the units of one batch contribute, on this machine or on others.
 *
 * <p>Every implementation runs {@link PartSums} over parts of the records and adds up their integers, whose order does not
 * matter. So the sums of one request are the same bits whoever computes them, however often a part is computed. Nothing here
 * is public but the number of columns: the door is the only caller.
 */
public interface Summation extends AutoCloseable {
    /** How many numbers a record has; declared, hence public. */
    int columns();

    /** How many units there are; private. */
    long units();

    /** The exact integer sums over the batch. */
    long[] sum(SumRequest request);

    /** Gives up files and memory. */
    @Override
    void close();
}
