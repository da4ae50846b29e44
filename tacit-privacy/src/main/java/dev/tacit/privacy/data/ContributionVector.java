package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import java.util.Arrays;

/**
 * A unit's contribution written down as a vector of which only the touched numbers are visited, or all if many are
 * touched: the way for whatever has no closed form, and for numbers of extreme size.
 *
 * <pre>
 *   e = ⌊log₂ max |v_j|⌋,  w = 2^−e v  (exact),  n = ‖w‖₂ ∈ [1, 2√d)
 *   sums += round(v / g) if 2^e n ≤ l2Bound,  round((l2Bound / g) / n · w) otherwise;  nothing if some v_j is not finite
 * </pre>
 *
 * As |w_j| &lt; 2 and max |w_j| ≥ 1 (2^−51 if v is subnormal), the sum of squares cannot overflow, and what underflows in
 * it is below 2^−900 of it; so n is wrong by less than (d + 2) 2^−53 ≤ 2^−24 relatively for every finite v whatsoever.
 * Where ‖v‖² as computed lies between 10^−280 and 10^280, e = 0 does as well: nothing overflowed, and what underflowed is
 * below d 2^−1022, less than 2^−60 of it.
 */
final class ContributionVector {
    /** Visiting all numbers in order beats visiting this share of them in the order in which they were touched. */
    private static final int DENSE_SHARE = 8;

    private final double[] values;
    private final int[] touched;
    private final boolean[] isTouched;
    private int touchedCount;
    private boolean dense;

    ContributionVector(int dimension) {
        values = new double[dimension];
        touched = new int[dimension];
        isTouched = new boolean[dimension];
    }

    void add(int index, double value) {
        if (!dense && !isTouched[index]) {
            isTouched[index] = true;
            touched[touchedCount] = index;
            touchedCount++;
        }
        values[index] += value;
    }

    /** Adds {@code scale} times numbers in a row. */
    void addAll(int offset, double scale, double[] numbers, int from, int count) {
        if (!dense && touchedCount + count > values.length / DENSE_SHARE) {
            touchAll();
        }
        if (dense) {
            for (int i = 0; i < count; i++) {
                values[offset + i] += scale * numbers[from + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                add(offset + i, scale * numbers[from + i]);
            }
        }
    }

    private void touchAll() {
        for (int i = 0; i < touchedCount; i++) {
            isTouched[touched[i]] = false;
        }
        touchedCount = 0;
        dense = true;
    }

    /** Clips and rounds the vector and adds it to the sums. */
    void addTo(long[] sums, SumGrid grid) {
        if (dense) {
            addAllTo(sums, grid);
        } else {
            addTouchedTo(sums, grid);
        }
    }

    private void addAllTo(long[] sums, SumGrid grid) {
        double squares = squares();
        double steps = grid.l2Bound() / grid.granularity();
        if (squares > Contribution.SMALLEST_SQUARE
                && squares < Contribution.LARGEST_SQUARE
                && steps <= Contribution.MOST_STEPS) {
            double norm = Math.sqrt(squares);
            double units = norm > grid.l2Bound() ? steps / norm : 1 / grid.granularity();
            for (int i = 0; i < values.length; i++) {
                sums[i] += Contribution.rounded(values[i] * units);
            }
            return;
        }
        for (int i = 0; i < values.length; i++) {
            touched[i] = i;
        }
        touchedCount = values.length;
        addTouchedTo(sums, grid);
    }

    private double squares() {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int i = 0;
        for (; i + 3 < values.length; i += 4) {
            first += values[i] * values[i];
            second += values[i + 1] * values[i + 1];
            third += values[i + 2] * values[i + 2];
            fourth += values[i + 3] * values[i + 3];
        }
        for (; i < values.length; i++) {
            first += values[i] * values[i];
        }
        return first + second + (third + fourth);
    }

    private void addTouchedTo(long[] sums, SumGrid grid) {
        double largest = 0;
        for (int i = 0; i < touchedCount; i++) {
            double size = Math.abs(values[touched[i]]);
            if (!(size <= Double.MAX_VALUE)) {
                return;
            }
            largest = Math.max(largest, size);
        }
        double down = Math.scalb(1.0, -Math.getExponent(largest));
        double squares = 0;
        for (int i = 0; i < touchedCount; i++) {
            double value = values[touched[i]] * down;
            squares += value * value;
        }
        double norm = Math.sqrt(squares);
        boolean clipped = norm > grid.l2Bound() * down;
        double scale = clipped ? down : 1;
        double units = clipped ? grid.l2Bound() / grid.granularity() / norm : 1 / grid.granularity();
        for (int i = 0; i < touchedCount; i++) {
            int index = touched[i];
            sums[index] += (long) Math.rint(values[index] * scale * units);
        }
    }

    void clear() {
        if (dense) {
            Arrays.fill(values, 0);
            touchedCount = 0;
            dense = false;
            return;
        }
        for (int i = 0; i < touchedCount; i++) {
            values[touched[i]] = 0;
            isTouched[touched[i]] = false;
        }
        touchedCount = 0;
    }
}
