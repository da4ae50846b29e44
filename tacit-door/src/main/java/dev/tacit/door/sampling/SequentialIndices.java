package dev.tacit.door.sampling;

import dev.tacit.door.noise.RandomBits;

/**
 * A uniform subset of fixed size by walking over all indices: each is taken with probability wanted / left.
 *
 * <p>Knuth, Volume 2, 3.4.2, Algorithm S, with exact coins. If everything is wanted no random bit is drawn.
 */
final class SequentialIndices implements BatchIndices {
    private final long populationSize;
    private final RandomBits bits;
    private long wanted;
    private long position;

    SequentialIndices(long wanted, long populationSize, RandomBits bits) {
        this.wanted = wanted;
        this.populationSize = populationSize;
        this.bits = bits;
    }

    @Override
    public int next(long[] chunk) {
        int count = 0;
        while (count < chunk.length && wanted > 0) {
            long left = populationSize - position;
            if (wanted == left || bits.below(left) < wanted) {
                chunk[count] = position;
                count++;
                wanted--;
            }
            position++;
        }
        return count;
    }
}
