package dev.tacit.data.catalogue.split;

/**
 * MT19937 with 32-bit seeding, to regenerate published permutations; never a source of noise.
 *
 * <p>Matsumoto and Nishimura 1998.
 */
public final class MersenneTwister {
    private static final int SIZE = 624;
    private static final int SHIFT = 397;

    private final int[] state = new int[SIZE];
    private int position = SIZE;

    public MersenneTwister(int seed) {
        state[0] = seed;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
    }

    /** The next 32 bits. */
    int next() {
        if (position == SIZE) {
            refill();
        }
        int bits = state[position++];
        bits ^= bits >>> 11;
        bits ^= (bits << 7) & 0x9d2c5680;
        bits ^= (bits << 15) & 0xefc60000;
        return bits ^ (bits >>> 18);
    }

    private void refill() {
        for (int i = 0; i < SIZE; i++) {
            int mixed = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
            state[i] = state[(i + SHIFT) % SIZE] ^ (mixed >>> 1) ^ ((mixed & 1) == 0 ? 0 : 0x9908b0df);
        }
        position = 0;
    }

    /** A whole number from 0 to {@code largest}: bits under the smallest mask that covers it, until one fits. */
    int upTo(int largest) {
        int mask = largest == 0 ? 0 : -1 >>> Integer.numberOfLeadingZeros(largest);
        int value = next() & mask;
        while (value > largest) {
            value = next() & mask;
        }
        return value;
    }

    /** The numbers 0 to {@code count} − 1, shuffled from the last place to the first (Fisher and Yates). */
    public int[] permutation(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        for (int i = count - 1; i > 0; i--) {
            int j = upTo(i);
            int kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        return order;
    }
}
