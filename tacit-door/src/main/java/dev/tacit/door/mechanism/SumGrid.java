package dev.tacit.door.mechanism;

import java.io.Serializable;

/**
 * The integers in which sums are formed: multiples of a power of two, fine enough that rounding to them costs next to
 * nothing.
 *
 * <pre>
 *   g = 2^k ≤ min(1, noiseMultiplier) l2Bound / (2^20 √dimension);     contribution v ↦ round(v/g) ∈ Z^dimension
 *   ‖round(v/g)‖₂ ≤ (1 + 2^−22) l2Bound/g + √dimension/2   for every v whatsoever
 * </pre>
 *
 * Sums of integers are exact and do not depend on order, so neighbouring sums differ by one record's rounded
 * contribution and nothing else; floating-point sums do not have that property (Casacuberta, Shoemate, Vadhan, Wagaman
 * 2022). Additions wrap around modulo 2^64. That is safe: noise is added modulo 2^64 too, and (x mod 2^64 + z) mod 2^64
 * = (x + z) mod 2^64, so the wrapped result is a function of the exact noisy sum (post-processing). It would be
 * useless, but not less private; it takes more than 2^40 records for typical dimensions. What is added is checked in one
 * place, {@code dev.tacit.door.sum.UnitSum}.
 */
public final class SumGrid implements Serializable {
    private static final long serialVersionUID = 1;

    /** More coordinates are refused; up to here a norm in floating point is accurate to 2^−24. */
    static final int LARGEST_DIMENSION = 1 << 28;

    private static final double LARGEST_L2_BOUND = 0x1p400;

    /** Room for the rounding of whoever clipped to the bound, and of the norm that is checked. */
    static final double NORM_SLACK = 0x1p-22;

    private static final double STEPS_PER_BOUND = 0x1p20;

    /** So that a unit's integers, and sums of their squares, are read off doubles exactly enough. */
    private static final double MOST_STEPS = 0x1p50;

    private final double granularity;
    private final double l2Bound;
    private final int dimension;

    /** For the mechanisms of this package; everyone else asks {@link NoiseMechanism#grid}. */
    SumGrid(double granularity, double l2Bound, int dimension) {
        if (dimension < 1 || dimension > LARGEST_DIMENSION) {
            throw new IllegalArgumentException("a sum has from 1 to 2^28 coordinates");
        }
        if (!(l2Bound >= 1 / LARGEST_L2_BOUND && l2Bound <= LARGEST_L2_BOUND)) {
            throw new IllegalArgumentException("an L2 bound is a positive number from 2^-400 to 2^400");
        }
        if (Math.scalb(1.0, Math.getExponent(granularity)) != granularity) {
            throw new IllegalArgumentException("a granularity is a power of two");
        }
        if (!(l2Bound / granularity <= MOST_STEPS)) {
            throw new IllegalArgumentException("a grid has at most 2^50 steps to a bound");
        }
        this.granularity = granularity;
        this.l2Bound = l2Bound;
        this.dimension = dimension;
    }

    /** The coarsest grid that is fine enough. */
    static SumGrid of(double noiseMultiplier, double l2Bound, int dimension) {
        double steps = STEPS_PER_BOUND * Math.sqrt(dimension) / Math.min(1, noiseMultiplier);
        if (!(2 * steps <= MOST_STEPS)) {
            throw new IllegalArgumentException("so little noise on so many numbers needs a grid that is too fine;"
                    + " use a larger noise multiplier");
        }
        double target = Math.min(1, noiseMultiplier) * l2Bound / (STEPS_PER_BOUND * Math.sqrt(dimension));
        return new SumGrid(Math.scalb(1.0, Math.getExponent(target * (1 - 0x1p-50))), l2Bound, dimension);
    }

    /**
     * A grid for sums that are not private: as fine as the sum of twice the declared number of the longest contributions allows,
     * with 2^46 points to a bound at most.
     *
     * @param publicSize the declared number of contributions
     */
    public static SumGrid withoutNoise(double l2Bound, int dimension, long publicSize) {
        // 2 publicSize contributions of up to 2^(points + 1) grid steps each stay below 2^62
        int sizeBits = Long.SIZE - Long.numberOfLeadingZeros(publicSize);
        int points = Math.min(46, 60 - sizeBits);
        return new SumGrid(Math.scalb(1.0, Math.getExponent(l2Bound) - points), l2Bound, dimension);
    }

    /** The spacing g of the grid, a power of two. */
    public double granularity() {
        return granularity;
    }

    /** Grid integers as the numbers they stand for. */
    public double[] numbers(long[] integers) {
        double[] numbers = new double[integers.length];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = integers[index] * granularity;
        }
        return numbers;
    }

    /** The largest L2 norm of one record's contribution. */
    public double l2Bound() {
        return l2Bound;
    }

    /** How many sums there are. */
    public int dimension() {
        return dimension;
    }

    /** The largest L2 norm, in grid units, by which one record can move the sums; rounded up. */
    public double sensitivity() {
        return (l2Bound / granularity * (1 + NORM_SLACK) + Math.sqrt(dimension) / 2) * (1 + 0x1p-50);
    }
}
