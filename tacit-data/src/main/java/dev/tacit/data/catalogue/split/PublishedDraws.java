package dev.tacit.data.catalogue.split;

/**
 * What published code drew after {@code numpy.random.seed(seed)}, to run it again from its own first weights and in its own
 * orders; never a source of noise.
 *
 * <pre>
 *   uniform   (2²⁶ ⌊a/2⁵⌋ + ⌊b/2⁶⌋) / 2⁵³  of two 32-bit numbers a, b
 *   normals   in pairs: (x, y) uniform in the unit disc, s = x² + y², first y √(−2 log s / s), then x √(−2 log s / s)
 * </pre>
 *
 * Marsaglia's polar method, Knuth 1998, 3.4.1 P, as in numpy's {@code RandomState}.
 */
public final class PublishedDraws {
    private final MersenneTwister twister;
    private double kept;
    private boolean hasKept;

    /** The generator after this seed. */
    public PublishedDraws(int seed) {
        twister = new MersenneTwister(seed);
    }

    private double uniform() {
        int high = twister.next() >>> 5;
        int low = twister.next() >>> 6;
        return (high * 0x1p26 + low) * 0x1p-53;
    }

    /** The next standard normal number, as {@code randn} gives it. */
    public double normal() {
        if (hasKept) {
            hasKept = false;
            return kept;
        }
        double x;
        double y;
        double square;
        do {
            x = 2 * uniform() - 1;
            y = 2 * uniform() - 1;
            square = x * x + y * y;
        } while (square >= 1 || square == 0);
        double scale = Math.sqrt(-2 * Math.log(square) / square);
        kept = scale * x;
        hasKept = true;
        return scale * y;
    }

    /** The numbers 0 to {@code count} − 1 in a random order, as {@code permutation(count)} and a choice of all give it. */
    public int[] permutation(int count) {
        return twister.permutation(count);
    }
}
