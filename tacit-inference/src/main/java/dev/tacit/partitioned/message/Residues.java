package dev.tacit.partitioned.message;

/**
 * Integers modulo a power of two, held in the low bits of a long.
 *
 * <pre>
 *   0 ≤ residue &lt; 2^bits;     centred lift: the integer of the class from −2^(bits−1) up to 2^(bits−1) − 1
 * </pre>
 *
 * @param bits from 2 to 64; with 64 a residue is the long itself
 */
public record Residues(int bits) {
    /** Modulo 2^64, as {@link dev.tacit.door.mechanism.SumGrid} adds up. */
    public static final Residues OF_LONGS = new Residues(Long.SIZE);

    public Residues {
        if (bits < 2 || bits > Long.SIZE) {
            throw new IllegalArgumentException("residues have 2 to 64 bits");
        }
    }

    /** The class of an integer. */
    public long of(long integer) {
        return integer & (-1L >>> (Long.SIZE - bits));
    }

    /** The class of a + b. */
    public long add(long a, long b) {
        return of(a + b);
    }

    /** The class of a − b. */
    public long subtract(long a, long b) {
        return of(a - b);
    }

    /** The integer of a class that is nearest to 0. */
    public long lift(long residue) {
        int unused = Long.SIZE - bits;
        return residue << unused >> unused;
    }
}
