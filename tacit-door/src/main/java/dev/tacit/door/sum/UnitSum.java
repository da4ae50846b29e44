package dev.tacit.door.sum;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.SparseBlock;
import java.util.Arrays;
import java.util.Objects;

/**
 * The sums of one thread, and the one place where a unit's numbers are rounded, checked and added.
 *
 * <pre>
 *   u = rint(v),  v in grid steps, in segments that do not overlap;      Σ u² ≤ limit:  sums += u,      otherwise nothing
 * </pre>
 *
 * Its {@link Owner} opens it for the units of a block; whoever computes contributions then adds each of these units
 * at most once. A second time, a unit that is not there, a place that is not there, and a contribution that is too long
 * change nothing.
 *
 * <p><b>Why no unit moves the sums by more than {@link SumGrid#sensitivity()}.</b> Nothing is asked of whoever computed v. An
 * integer u with |u| &lt; 2^53 is a double, and so is what rint makes of larger numbers; squares of such numbers do not
 * underflow, exceed every limit before they overflow, and n &lt; 2^28 squares, none negative, are added with a relative error
 * below (n + 1) 2^−53 &lt; 2^−24. So Σ u² ≤ limit = (sensitivity (1 − 2^−24))² as computed means that the exact norm is at most
 * the sensitivity. Segments do not overlap, so no place is counted twice. A number that is not one, or infinite, fails the
 * comparison. rint(v) is read off the bits of v + 1.5 · 2^52; that is rint(v) exactly for |v| &lt; 2^51, and a larger |v| leaves a
 * number of at least 2^51 − 1, whose square exceeds the limit, because no grid has more than 2^50 steps to a bound.
 *
 * <p>Many units may be handed over together, place by place ({@link #addColumns}). Each has its own Σ u², and the same limit; those that
 * exceed it, or were added before, are made zeros before anything is added. Two places that are one array are rounded twice,
 * and 1.5 · 2^52, which is then in the numbers, exceeds every limit.
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

    /** In place of a width. */
    private static final int TRIANGLE = 0;

    private static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

    private final long[] sums;
    private final double limit;

    /** Which units of the current block were added. */
    private boolean[] added = {};

    /** The current unit, its numbers and how many of them are announced, and the first place behind its segments. */
    private int unit;

    private double[] steps;
    private int used;
    private int free;
    private boolean valid;

    /** Its segments: numbers from {@code starts[i]} on, at places from {@code offsets[i]} on, for the entries of a row if there is one. */
    private int segments;

    private int[] starts = new int[4];
    private int[] offsets = new int[4];
    private int[] widths = new int[4];
    private int[] firstEntries = new int[4];
    private SparseBlock[] blocks = new SparseBlock[4];

    private UnitSum(SumGrid grid) {
        sums = new long[grid.dimension()];
        double most = grid.sensitivity() * (1 - 0x1p-24);
        limit = most * most;
    }

    /** What whoever computes contributions does not get hold of: which units may be added, and the sums. */
    public static final class Owner {
        private final UnitSum sum;

        /** Sums of nothing. */
        public Owner(SumGrid grid) {
            sum = new UnitSum(grid);
        }

        /** For whoever computes contributions. */
        public UnitSum units() {
            return sum;
        }

        /** From here on, units 0 up to {@code count} may be added, each once. */
        public void open(int count) {
            sum.added = new boolean[count];
            sum.valid = false;
        }

        /** Whether a unit of those that may be added was. */
        public boolean isAdded(int unit) {
            return sum.added[unit];
        }

        /** In grid steps; the array itself. */
        public long[] sums() {
            return sum.sums;
        }
    }

    /** A unit whose numbers stand in {@code numbers}, segment after segment, and are not written to before {@link #end}. */
    public void begin(int index, double[] numbers) {
        unit = index;
        steps = numbers;
        used = 0;
        free = 0;
        segments = 0;
        valid = index >= 0 && index < added.length && !added[index];
    }

    /** The next {@code size} numbers belong to {@code offset} and the places behind it. */
    public void run(int offset, int size) {
        append(offset, size, size, 1, null, 0);
    }

    /**
     * The next numbers belong to the first {@code count} entries of a row, {@code width} to each: those of column j to
     * {@code offset + width j} and on.
     */
    public void entries(SparseBlock block, int row, int count, int offset, int width) {
        int first = block.start(row);
        if (count < 1 || count > block.end(row) - first || width < 1) {
            valid &= count == 0;
            return;
        }
        long extent = (block.columnIndices()[first + count - 1] + 1L) * width;
        append(offset, extent, (long) count * width, width, block, first);
    }

    /**
     * The next numbers belong to the pairs of a row's entries, line by line: that of columns i and j ≤ i to
     * {@code offset + i(i+1)/2 + j}.
     */
    public void triangle(SparseBlock block, int row, int offset) {
        int first = block.start(row);
        long count = (long) block.end(row) - first;
        if (count > 0) {
            long last = block.columnIndices()[block.end(row) - 1] + 1L;
            append(offset, last * (last + 1) / 2, count * (count + 1) / 2, TRIANGLE, block, first);
        }
    }

    /** A unit whose first numbers belong to the entries of a row, one to each: {@link #entries} and nothing else, in one call. */
    public void add(int index, double[] numbers, SparseBlock block, int row, int offset) {
        begin(index, numbers);
        int first = block.start(row);
        int count = block.end(row) - first;
        int[] columns = block.columnIndices();
        if (valid
                && count > 0
                && count <= numbers.length
                && offset >= 0
                && columns[first + count - 1] < sums.length - offset
                && squares(numbers, count) <= limit) {
            added[index] = true;
            for (int i = 0; i < count; i++) {
                sums[offset + columns[first + i]] += whole(numbers[i]);
            }
        }
        valid = false;
    }

    /**
     * Adds units from {@code first} on, all of whose places have a number: {@code columns[j][i]} is that of unit {@code first + i}
     * for place j. They are rounded where they stand.
     */
    public void addColumns(int first, int count, double[][] columns) {
        valid = false;
        Objects.checkFromIndexSize(first, count, added.length);
        double[] squares = new double[count];
        for (int j = 0; j < sums.length; j++) {
            round(columns[j], squares);
        }
        for (int i = 0; i < count; i++) {
            boolean adds = squares[i] <= limit && !added[first + i];
            added[first + i] |= adds;
            for (int j = 0; !adds && j < sums.length; j++) {
                columns[j][i] = ROUNDER;
            }
        }
        for (int j = 0; j < sums.length; j++) {
            double[] rounded = columns[j];
            long total = -count * ROUNDER_BITS;
            for (int i = 0; i < count; i++) {
                total += Double.doubleToRawLongBits(rounded[i]);
            }
            sums[j] += total;
        }
    }

    /** Leaves v + 1.5 · 2^52 of each number, and adds rint(v)² to the squares. */
    private static void round(double[] numbers, double[] squares) {
        for (int i = 0; i < squares.length; i++) {
            double rounded = numbers[i] + ROUNDER;
            numbers[i] = rounded;
            squares[i] += (rounded - ROUNDER) * (rounded - ROUNDER);
        }
    }

    private void append(int offset, long extent, long size, int width, SparseBlock block, int firstEntry) {
        valid = valid && offset >= free && size >= 0 && extent <= sums.length - offset && size <= steps.length - used;
        if (!valid) {
            return;
        }
        if (segments == starts.length) {
            int more = 2 * segments;
            starts = Arrays.copyOf(starts, more);
            offsets = Arrays.copyOf(offsets, more);
            widths = Arrays.copyOf(widths, more);
            firstEntries = Arrays.copyOf(firstEntries, more);
            blocks = Arrays.copyOf(blocks, more);
        }
        starts[segments] = used;
        offsets[segments] = offset;
        widths[segments] = width;
        firstEntries[segments] = firstEntry;
        blocks[segments] = block;
        segments++;
        free = offset + (int) extent;
        used += (int) size;
    }

    /** Adds the unit, if it is not too long. */
    public void end() {
        if (!valid || !(squares(steps, used) <= limit)) {
            return;
        }
        valid = false;
        added[unit] = true;
        for (int i = 0; i < segments; i++) {
            int end = i + 1 < segments ? starts[i + 1] : used;
            if (blocks[i] == null) {
                addRun(starts[i], end, offsets[i]);
            } else {
                addEntries(i, end);
            }
        }
    }

    /** Σ rint(v)², in four sums that do not wait for each other. */
    private static double squares(double[] steps, int count) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int i = 0;
        for (; i + 3 < count; i += 4) {
            double a = steps[i] + ROUNDER - ROUNDER;
            double b = steps[i + 1] + ROUNDER - ROUNDER;
            double c = steps[i + 2] + ROUNDER - ROUNDER;
            double d = steps[i + 3] + ROUNDER - ROUNDER;
            first += a * a;
            second += b * b;
            third += c * c;
            fourth += d * d;
        }
        for (; i < count; i++) {
            double a = steps[i] + ROUNDER - ROUNDER;
            first += a * a;
        }
        return first + second + (third + fourth);
    }

    private static long whole(double number) {
        return Double.doubleToRawLongBits(number + ROUNDER) - ROUNDER_BITS;
    }

    private void addRun(int from, int end, int offset) {
        int shift = offset - from;
        for (int i = from; i < end; i++) {
            sums[shift + i] += whole(steps[i]);
        }
    }

    private void addEntries(int segment, int end) {
        int[] columns = blocks[segment].columnIndices();
        int entry = firstEntries[segment];
        int width = widths[segment];
        int offset = offsets[segment];
        int from = starts[segment];
        if (width == TRIANGLE) {
            for (int line = entry; from < end; line++) {
                int place = offset + columns[line] * (columns[line] + 1) / 2;
                for (int j = entry; j <= line; j++, from++) {
                    sums[place + columns[j]] += whole(steps[from]);
                }
            }
            return;
        }
        if (width == 1) {
            int shift = entry - from;
            for (; from < end; from++) {
                sums[offset + columns[shift + from]] += whole(steps[from]);
            }
            return;
        }
        for (; from < end; entry++) {
            int place = offset + width * columns[entry] - from;
            for (int stop = from + width; from < stop; from++) {
                sums[place + from] += whole(steps[from]);
            }
        }
    }
}
