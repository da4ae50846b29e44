package dev.tacit.door.sampling;

import dev.tacit.door.noise.RandomBits;
import java.util.Arrays;

/** Indices that were drawn all at once and sorted. */
final class SortedIndices implements BatchIndices {
    private final long[] indices;
    private int position;

    private SortedIndices(long[] indices) {
        this.indices = indices;
    }

    /**
     * A uniform subset: for j from population − batch to population − 1, take a uniform index up to j, or j itself if
     * that was taken before.
     *
     * <p>Bentley, Floyd 1987, "A sample of brilliance", Algorithm F2; the set is a table with linear probing, at most
     * half full.
     */
    static SortedIndices drawnByFloyd(int batch, long population, RandomBits bits) {
        long[] indices = new long[batch];
        int slots = Math.max(2, Integer.highestOneBit(batch) * 4);
        int shift = Long.SIZE - Integer.numberOfTrailingZeros(slots);
        long[] table = new long[slots];
        for (int i = 0; i < batch; i++) {
            long last = population - batch + i;
            long candidate = bits.below(last + 1);
            long taken = insert(table, shift, candidate) ? candidate : last;
            if (taken == last && candidate != last) {
                insert(table, shift, last);
            }
            indices[i] = taken;
        }
        Arrays.sort(indices);
        return new SortedIndices(indices);
    }

    /** Adds an index to the table (stored plus 1, as 0 marks a free slot); false if it was there. */
    private static boolean insert(long[] table, int shift, long index) {
        long stored = index + 1;
        int slot = (int) ((stored * 0x9E3779B97F4A7C15L) >>> shift);
        while (table[slot] != 0) {
            if (table[slot] == stored) {
                return false;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = stored;
        return true;
    }

    @Override
    public int next(long[] chunk) {
        int count = Math.min(chunk.length, indices.length - position);
        System.arraycopy(indices, position, chunk, 0, count);
        position += count;
        return count;
    }
}
