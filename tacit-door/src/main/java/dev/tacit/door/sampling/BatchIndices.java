package dev.tacit.door.sampling;

/**
 * The records of one batch as ascending indices, handed out a chunk at a time so that a batch of any size needs no
 * memory of its own.
 *
 * <p>Chunks are drawn when they are asked for; the noise source given to {@link SamplingScheme#draw} must not be used
 * elsewhere meanwhile (hand in a fork). How many indices there are is private.
 */
public sealed interface BatchIndices permits PoissonIndices, SequentialIndices, SortedIndices {
    /**
     * Writes the next indices to the start of {@code chunk} and returns how many there were; 0 at the end, fewer than
     * fit only at the end.
     */
    int next(long[] chunk);
}
