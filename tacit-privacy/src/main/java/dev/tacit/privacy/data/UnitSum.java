package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;

/**
 * The sums of one thread, and the one place where a unit's numbers are rounded, checked and added.
 *
 * <pre>
 *   u = rint(v),  v in grid steps, at places that ascend;      Σ u² ≤ limit:  sums += u,      otherwise nothing
 * </pre>
 *
 * <p><b>Why no unit moves the sums by more than {@link SumGrid#sensitivity()}.</b> Nothing is asked of whoever computed v. An
 * integer u with |u| &lt; 2^53 is a double, and so is what rint makes of larger numbers; squares of such numbers neither
 * underflow nor overflow before they exceed every limit, and n &lt; 2^28 squares, none negative, are added with a relative error
 * below (n + 1) 2^−53 &lt; 2^−24. So Σ u² ≤ limit = (sensitivity (1 − 2^−24))² as computed means that the exact norm is at most
 * the sensitivity. Places ascend, so none is counted twice. A number that is not one, or infinite, fails the comparison.
 * For grids of fewer than 2^50 steps to the sensitivity rint(v) is read off the bits of v + 1.5 · 2^52; that is rint(v)
 * exactly for |v| &lt; 2^51, and a larger |v| leaves a number of at least 2^51 − 1, whose square exceeds the limit.
 *
 * <p><b>Why a correct clip is never refused.</b> A vector that was clipped to (1 + 2^−24) l2Bound has, rounded, a norm of at
 * most (1 + 2^−24) l2Bound/g + √dimension/2. The sensitivity has (1 + 2^−22) in place of (1 + 2^−24), and l2Bound/g is at
 * least 2^20 √dimension, so the limit leaves room for it.
 */
public final class UnitSum {
    /**
     * Doubles from 2^52 to 2^53 are the integers, so x + 1.5 · 2^52 is rounded to an integer, ties to even, and its bits
     * count from those of 1.5 · 2^52: for |x| &lt; 2^51 the difference is rint(x).
     */
    private static final double ROUNDER = 0x1.8p52;

    private static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);
    private static final double MOST_STEPS = 0x1p50;

    private final long[] sums;
    private final double limit;
    private final boolean fine;

    /** Sums of nothing. */
    public UnitSum(SumGrid grid) {
        sums = new long[grid.dimension()];
        double most = grid.sensitivity() * (1 - 0x1p-24);
        limit = most * most;
        fine = !(grid.sensitivity() < MOST_STEPS);
    }

    /** In grid steps; the array itself. */
    public long[] sums() {
        return sums;
    }

    /** A unit of one run: numbers at {@code offset} and the places behind it. */
    public void add(int offset, double[] steps, int count) {
        if (offset >= 0 && count <= sums.length - offset && within(steps, count)) {
            addRun(offset, steps, 0, count);
        }
    }

    /** A unit of runs of one width: {@code width} numbers at each of the places. */
    public void add(int[] places, int runs, int width, double[] steps) {
        int free = 0;
        int last = sums.length - width;
        boolean apart = true;
        for (int run = 0; run < runs; run++) {
            apart &= places[run] >= free && places[run] <= last;
            free = places[run] + width;
        }
        if (apart && within(steps, runs * width)) {
            for (int run = 0; run < runs; run++) {
                addRun(places[run], steps, run * width, (run + 1) * width);
            }
        }
    }

    /** A unit of runs: the numbers up to {@code ends[run]}, from where the run before it ended, at each of the places. */
    public void add(int[] places, int[] ends, int runs, double[] steps) {
        int start = 0;
        int free = 0;
        boolean apart = true;
        for (int run = 0; run < runs; run++) {
            apart &= places[run] >= free && ends[run] >= start && ends[run] - start <= sums.length - places[run];
            free = places[run] + ends[run] - start;
            start = ends[run];
        }
        if (apart && within(steps, start)) {
            start = 0;
            for (int run = 0; run < runs; run++) {
                addRun(places[run], steps, start, ends[run]);
                start = ends[run];
            }
        }
    }

    private void addRun(int place, double[] steps, int from, int to) {
        int shift = place - from;
        for (int i = from; i < to; i++) {
            sums[shift + i] += whole(steps[i]);
        }
    }

    private boolean within(double[] steps, int count) {
        double even = 0;
        double odd = 0;
        int i = 0;
        for (; i + 1 < count; i += 2) {
            double first = rounded(steps[i]);
            double second = rounded(steps[i + 1]);
            even += first * first;
            odd += second * second;
        }
        if (i < count) {
            double lastOne = rounded(steps[i]);
            even += lastOne * lastOne;
        }
        return even + odd <= limit;
    }

    private double rounded(double number) {
        return fine ? Math.rint(number) : number + ROUNDER - ROUNDER;
    }

    private long whole(double number) {
        return fine ? (long) Math.rint(number) : Double.doubleToRawLongBits(number + ROUNDER) - ROUNDER_BITS;
    }
}
