package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.sum.UnitSum;
import java.util.Arrays;

/**
 * A unit's contribution written down as a vector of which only the touched numbers are visited: the way for whatever
 * has no closed form, and for numbers of extreme size.
 *
 * <pre>
 *   e = ⌊log₂ max |v_j|⌋,  w = 2^−e v  (exact),  n = ‖w‖₂ ∈ [1, 2√d)
 *   steps v / g if 2^e n ≤ l2Bound,  (l2Bound / g) / n · w otherwise;  nothing if some v_j is not finite
 * </pre>
 *
 * As |w_j| &lt; 2 and max |w_j| ≥ 1 (2^−51 if v is subnormal), the sum of squares cannot overflow, and what underflows in
 * it is below 2^−900 of it; so n is wrong by less than (d + 2) 2^−53 ≤ 2^−24 relatively for every finite v whatsoever.
 */
public final class ContributionVector {
    private final double[] values;
    private final int[] touched;
    private final boolean[] isTouched;
    private int touchedCount;
    private boolean ascending = true;
    private double[] steps = {};

    /** Zeros. */
    public ContributionVector(int dimension) {
        values = new double[dimension];
        touched = new int[dimension];
        isTouched = new boolean[dimension];
    }

    /** Adds to one number. */
    public void add(int index, double value) {
        if (!isTouched[index]) {
            isTouched[index] = true;
            ascending &= touchedCount == 0 || index > touched[touchedCount - 1];
            touched[touchedCount] = index;
            touchedCount++;
        }
        values[index] += value;
    }

    /** Clips the vector and adds it to the sums as a unit. */
    public void addTo(UnitSum sum, int unit, SumGrid grid) {
        if (!ascending) {
            Arrays.sort(touched, 0, touchedCount);
        }
        if (steps.length < touchedCount) {
            steps = new double[values.length];
        }
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
            steps[i] = values[touched[i]] * scale * units;
        }
        sum.begin(unit, steps);
        int end;
        for (int first = 0; first < touchedCount; first = end) {
            end = first + 1;
            while (end < touchedCount && touched[end] == touched[end - 1] + 1) {
                end++;
            }
            sum.run(touched[first], end - first);
        }
        sum.end();
    }

    /** Makes it zero again. */
    public void clear() {
        for (int i = 0; i < touchedCount; i++) {
            values[touched[i]] = 0;
            isTouched[touched[i]] = false;
        }
        touchedCount = 0;
        ascending = true;
    }
}
