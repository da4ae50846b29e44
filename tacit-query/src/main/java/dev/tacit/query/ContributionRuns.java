package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sum.UnitSum;
import java.util.Arrays;

/**
 * A unit's contribution as runs of numbers at ascending, separate places: what a sparse record adds to a large sum, of
 * which no vector of the whole dimension is written down.
 *
 * <pre>
 *   t = Σ_j (v_j / l2Bound)²;     sums += round(v_j / g / √max(1, t))
 * </pre>
 *
 * The numbers are copied when they are handed over, and t is computed here from the copies, so nothing rests on whoever
 * computed them. Runs do not overlap, so the sum of squares is that of the whole vector.
 *
 * <p><b>Accuracy</b>, so that {@link UnitSum} never refuses what was clipped here. With u = 2^−53 and n &lt; 2^28 numbers: v_j / l2Bound is wrong by 2u relatively or underflows by less
 * than 2^−1022, its square by 5u or by less than 2^−1021, so t by (n + 5) u relatively or by less than 2^−900, which is
 * far below 1; √ and the two quotients add 3u. So before rounding the norm is at most (1 + 2^−24) l2Bound/g, as in
 * {@link Contribution}. None of the numbers overflows because t &lt; 10^280; a unit with a larger t, or one that is not
 * a number, takes the way of {@link ContributionVector}.
 */
final class ContributionRuns {
    private double[] values = new double[256];
    private int[] offsets = new int[16];

    /** Where in {@link #values} each run ends. */
    private int[] ends = new int[16];

    private int runs;

    boolean isEmpty() {
        return runs == 0;
    }

    /** Whether a run may begin here: behind all that came before. */
    boolean mayBegin(int offset) {
        return runs == 0 || offset >= offsets[runs - 1] + length(runs - 1);
    }

    private int start(int run) {
        return run == 0 ? 0 : ends[run - 1];
    }

    private int length(int run) {
        return ends[run] - start(run);
    }

    private void reserve(int moreRuns, int moreNumbers) {
        int used = start(runs);
        if (used + moreNumbers > values.length) {
            values = Arrays.copyOf(values, Math.max(used + moreNumbers, 2 * values.length));
        }
        if (runs + moreRuns > offsets.length) {
            int size = Math.max(runs + moreRuns, 2 * offsets.length);
            offsets = Arrays.copyOf(offsets, size);
            ends = Arrays.copyOf(ends, size);
        }
    }

    /** One run of the same length for each non-zero of a row, whose columns ascend. */
    void addColumns(SparseBlock block, int row, int offset, int width, double[] numbers) {
        int from = block.start(row);
        int entries = block.end(row) - from;
        reserve(entries, entries * width);
        int used = start(runs);
        int[] columns = block.columnIndices();
        System.arraycopy(numbers, 0, values, used, entries * width);
        for (int entry = 0; entry < entries; entry++) {
            offsets[runs + entry] = offset + width * columns[from + entry];
            ends[runs + entry] = used + (entry + 1) * width;
        }
        runs += entries;
    }

    void add(int offset, double[] numbers, int from, int count) {
        reserve(1, count);
        int used = start(runs);
        System.arraycopy(numbers, from, values, used, count);
        offsets[runs] = offset;
        ends[runs] = used + count;
        runs++;
    }

    /** Clips and adds the runs, or does nothing and says so. */
    boolean addTo(UnitSum sum, int unit, SumGrid grid) {
        double boundsPerValue = 1 / grid.l2Bound();
        int count = start(runs);
        double even = 0;
        double odd = 0;
        int j = 0;
        for (; j + 1 < count; j += 2) {
            double first = values[j] * boundsPerValue;
            double second = values[j + 1] * boundsPerValue;
            even += first * first;
            odd += second * second;
        }
        if (j < count) {
            double last = values[j] * boundsPerValue;
            even += last * last;
        }
        double squares = even + odd;
        if (!(squares < Contribution.LARGEST_SQUARE)) {
            return false;
        }
        double units = 1 / grid.granularity() / Math.sqrt(Math.max(1, squares));
        for (int i = 0; i < count; i++) {
            values[i] *= units;
        }
        sum.begin(unit, values);
        for (int run = 0; run < runs; run++) {
            sum.run(offsets[run], length(run));
        }
        sum.end();
        return true;
    }

    /** Writes everything down as a vector and forgets it. */
    void moveTo(ContributionVector vector) {
        for (int run = 0; run < runs; run++) {
            int shift = offsets[run] - start(run);
            for (int i = start(run); i < ends[run]; i++) {
                vector.add(shift + i, values[i]);
            }
        }
        runs = 0;
    }

    void clear() {
        runs = 0;
    }
}
