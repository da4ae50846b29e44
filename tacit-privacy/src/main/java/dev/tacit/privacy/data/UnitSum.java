package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import java.util.Arrays;

/**
 * The sums of one thread, and the one place where a unit's numbers are rounded, checked and added.
 *
 * <pre>
 *   u = rint(v),  v in grid steps, in segments that do not overlap;      Σ u² ≤ limit:  sums += u,      otherwise nothing
 * </pre>
 *
 * <p><b>Why no unit moves the sums by more than {@link SumGrid#sensitivity()}.</b> Nothing is asked of whoever computed v. An
 * integer u with |u| &lt; 2^53 is a double, and so is what rint makes of larger numbers; squares of such numbers do not
 * underflow, exceed every limit before they overflow, and n &lt; 2^28 squares, none negative, are added with a relative error
 * below (n + 1) 2^−53 &lt; 2^−24. So Σ u² ≤ limit = (sensitivity (1 − 2^−24))² as computed means that the exact norm is at most
 * the sensitivity. Segments do not overlap, so no place is counted twice. A number that is not one, or infinite, fails the
 * comparison. rint(v) is read off the bits of v + 1.5 · 2^52; that is rint(v) exactly for |v| &lt; 2^51, and a larger |v| leaves a
 * number of at least 2^51 − 1, whose square exceeds the limit, because no grid has more than 2^50 steps to a bound.
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

    private static final double SQRT2 = Math.sqrt(2);
    private static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

    private final long[] sums;
    private final double limit;

    /** The segments of the current unit, the first place behind them, their numbers, and how many these are. */
    private Segment[] segments = {};

    private int count;
    private int free;
    private double[] steps;
    private int used;
    private boolean valid;

    /** What a segment is made of. */
    private enum Form {
        /** Numbers that were written down, at places one behind the other. */
        RUN,
        /** Numbers that were written down, {@code width} for each entry of a sparse row. */
        ENTRIES,
        /** {@code scale} times a row. */
        ROW,
        /** {@code scale} times the square of a row, svec(x xᵀ). */
        SQUARE
    }

    private static final class Segment {
        private Form form;
        private int offset;
        private int from;
        private int size;
        private RecordBlock block;
        private int row;
        private int width;
        private double scale;
    }

    /** Sums of nothing. */
    public UnitSum(SumGrid grid) {
        sums = new long[grid.dimension()];
        double most = grid.sensitivity() * (1 - 0x1p-24);
        limit = most * most;
    }

    /** In grid steps; the array itself. */
    public long[] sums() {
        return sums;
    }

    /** A unit that is {@code scale} times a row and nothing else: {@link #begin}, {@link #row} and {@link #end} in one. */
    public void addRow(RecordBlock block, int row, int offset, double scale) {
        if (offset < 0 || block.columns() > sums.length - offset) {
            return;
        }
        if (block instanceof SparseBlock sparse) {
            if (rowSquares(sparse.values(), sparse.start(row), sparse.end(row), scale) <= limit) {
                add(sparse, row, offset, scale);
            }
        } else if (block instanceof DenseBlock dense) {
            int start = dense.start(row);
            if (rowSquares(dense.values(), start, start + dense.columns(), scale) <= limit) {
                add(dense, row, offset, scale);
            }
        }
    }

    /** A unit whose numbers are {@code numbers}, from the first place on. */
    public void add(double... numbers) {
        begin(numbers);
        run(0, numbers.length);
        end();
    }

    /** A unit whose numbers stand in {@code numbers}, segment after segment, and are not written to before {@link #end}. */
    public void begin(double[] numbers) {
        steps = numbers;
        count = 0;
        free = 0;
        used = 0;
        valid = true;
    }

    /** The next {@code size} numbers belong to {@code offset} and the places behind it. */
    public void run(int offset, int size) {
        append(Form.RUN, offset, size, size);
    }

    /** The next numbers belong to the entries of a row, {@code width} to each: that of column j to {@code offset + width j} and on. */
    public void entries(SparseBlock block, int row, int offset, int width) {
        long size = (long) (block.end(row) - block.start(row)) * width;
        Segment segment = append(Form.ENTRIES, offset, (long) block.columns() * width, size);
        segment.block = block;
        segment.row = row;
        segment.width = width;
    }

    /** {@code scale} times a row: x_j to {@code offset + j}. */
    public void row(RecordBlock block, int row, int offset, double scale) {
        Segment segment = append(Form.ROW, offset, block.columns(), 0);
        segment.block = block;
        segment.row = row;
        segment.scale = scale;
    }

    /** {@code scale} times the square of a row: x_j² to {@code offset + j(j+3)/2} and √2 x_i x_j (j &lt; i) to {@code offset + i(i+1)/2 + j}. */
    public void square(RecordBlock block, int row, int offset, double scale) {
        Segment segment = append(Form.SQUARE, offset, block.columns() * (block.columns() + 1L) / 2, 0);
        segment.block = block;
        segment.row = row;
        segment.scale = scale;
    }

    private Segment append(Form form, int offset, long extent, long size) {
        valid = valid
                && offset >= free
                && extent >= 0
                && size >= 0
                && extent <= sums.length - offset
                && size <= steps.length - used;
        if (count == segments.length) {
            segments = Arrays.copyOf(segments, 2 * count + 1);
            for (int i = count; i < segments.length; i++) {
                segments[i] = new Segment();
            }
        }
        Segment segment = segments[count];
        if (valid) {
            count++;
            segment.form = form;
            segment.offset = offset;
            segment.from = used;
            segment.size = (int) size;
            free = offset + (int) extent;
            used += (int) size;
        }
        return segment;
    }

    /** Adds the unit, if it is not too long. */
    public void end() {
        double total = valid ? squares(steps, used) : Double.NaN;
        for (int i = 0; i < count; i++) {
            total += squares(segments[i]);
        }
        if (total <= limit) {
            for (int i = 0; i < count; i++) {
                add(segments[i]);
            }
        }
    }

    private double squares(Segment segment) {
        if (segment.form == Form.ROW) {
            if (segment.block instanceof SparseBlock sparse) {
                return rowSquares(sparse.values(), sparse.start(segment.row), sparse.end(segment.row), segment.scale);
            }
            DenseBlock dense = (DenseBlock) segment.block;
            int start = dense.start(segment.row);
            return rowSquares(dense.values(), start, start + dense.columns(), segment.scale);
        }
        if (segment.form == Form.SQUARE) {
            if (segment.block instanceof SparseBlock sparse) {
                return squareSquares(
                        sparse.values(), sparse.start(segment.row), sparse.end(segment.row), segment.scale);
            }
            DenseBlock dense = (DenseBlock) segment.block;
            int start = dense.start(segment.row);
            return squareSquares(dense.values(), start, start + dense.columns(), segment.scale);
        }
        return 0;
    }

    private static double rowSquares(double[] x, int start, int end, double scale) {
        double even = 0;
        double odd = 0;
        int i = start;
        for (; i + 1 < end; i += 2) {
            double a = scale * x[i] + ROUNDER - ROUNDER;
            double b = scale * x[i + 1] + ROUNDER - ROUNDER;
            even += a * a;
            odd += b * b;
        }
        if (i < end) {
            double a = scale * x[i] + ROUNDER - ROUNDER;
            even += a * a;
        }
        return even + odd;
    }

    private static double squareSquares(double[] x, int start, int end, double scale) {
        double total = 0;
        for (int i = start; i < end; i++) {
            double cross = SQRT2 * scale * x[i];
            double own = scale * x[i] * x[i] + ROUNDER - ROUNDER;
            double even = own * own;
            double odd = 0;
            int j = start;
            for (; j + 1 < i; j += 2) {
                double a = cross * x[j] + ROUNDER - ROUNDER;
                double b = cross * x[j + 1] + ROUNDER - ROUNDER;
                even += a * a;
                odd += b * b;
            }
            if (j < i) {
                double a = cross * x[j] + ROUNDER - ROUNDER;
                odd += a * a;
            }
            total += even + odd;
        }
        return total;
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

    private void add(Segment segment) {
        switch (segment.form) {
            case RUN -> {
                int shift = segment.offset - segment.from;
                int end = segment.from + segment.size;
                for (int i = segment.from; i < end; i++) {
                    sums[shift + i] += whole(steps[i]);
                }
            }
            case ENTRIES -> addEntries((SparseBlock) segment.block, segment);
            case ROW -> {
                if (segment.block instanceof SparseBlock sparse) {
                    add(sparse, segment.row, segment.offset, segment.scale);
                } else {
                    add((DenseBlock) segment.block, segment.row, segment.offset, segment.scale);
                }
            }
            case SQUARE -> {
                if (segment.block instanceof SparseBlock sparse) {
                    addSquare(sparse, segment.row, segment.offset, segment.scale);
                } else {
                    addSquare((DenseBlock) segment.block, segment.row, segment.offset, segment.scale);
                }
            }
        }
    }

    private void addEntries(SparseBlock block, Segment segment) {
        int[] columns = block.columnIndices();
        int end = block.end(segment.row);
        int from = segment.from;
        for (int entry = block.start(segment.row); entry < end; entry++) {
            int place = segment.offset + segment.width * columns[entry] - from;
            int stop = from + segment.width;
            for (; from < stop; from++) {
                sums[place + from] += whole(steps[from]);
            }
        }
    }

    private void add(SparseBlock block, int row, int offset, double scale) {
        int[] columns = block.columnIndices();
        double[] x = block.values();
        int end = block.end(row);
        for (int entry = block.start(row); entry < end; entry++) {
            sums[offset + columns[entry]] += whole(scale * x[entry]);
        }
    }

    private void add(DenseBlock block, int row, int offset, double scale) {
        double[] x = block.values();
        int start = block.start(row);
        for (int j = 0; j < block.columns(); j++) {
            sums[offset + j] += whole(scale * x[start + j]);
        }
    }

    private void addSquare(SparseBlock block, int row, int offset, double scale) {
        int[] columns = block.columnIndices();
        double[] x = block.values();
        int start = block.start(row);
        int end = block.end(row);
        for (int i = start; i < end; i++) {
            int line = offset + columns[i] * (columns[i] + 1) / 2;
            double cross = SQRT2 * scale * x[i];
            for (int j = start; j < i; j++) {
                sums[line + columns[j]] += whole(cross * x[j]);
            }
            sums[line + columns[i]] += whole(scale * x[i] * x[i]);
        }
    }

    private void addSquare(DenseBlock block, int row, int offset, double scale) {
        double[] x = block.values();
        int start = block.start(row);
        int line = offset;
        for (int i = 0; i < block.columns(); i++) {
            double number = x[start + i];
            if (number != 0) {
                double cross = SQRT2 * scale * number;
                for (int j = 0; j < i; j++) {
                    sums[line + j] += whole(cross * x[start + j]);
                }
                sums[line + i] += whole(scale * number * number);
            }
            line += i + 1;
        }
    }
}
