package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import java.util.Objects;

/**
 * The contribution of one unit, written by a {@link RecordSum} and clipped, rounded and added up by the door.
 *
 * <pre>
 *   sums += round(min(1, l2Bound / ‖v‖₂) v / g)        v: everything added since the unit began; 0 if v is not finite
 * </pre>
 *
 * What most models add is a multiple of the record itself or of its square. As long as a unit consists of a few such
 * pieces at separate places its norm has a closed form, ‖a x‖ = |a| ‖x‖ and ‖svec(a x xᵀ)‖ = |a| ‖x‖², and v is never
 * written down. Neither is it if a unit consists of runs of numbers at ascending places ({@link ContributionRuns}).
 * Everything else, and every record whose numbers are of extreme size, goes through a {@link ContributionVector}.
 *
 * <p><b>Bound.</b> Whatever is added, the integers of one unit have L2 norm at most {@link SumGrid#sensitivity()}. For
 * the closed form, with u = 2^−53, n &lt; 2^28 numbers in a row, and t = s² the sum of squares over bound² as computed:
 * ‖x‖² is wrong by (n + 1) u relatively, and by what underflowed, less than n 2^−1022 ≤ 2^−60 of the smallest ‖x‖²
 * allowed here (10^−280); each term of t by 2 (n + 6) u for squares, where n &lt; 2^15, and (n + 6) u otherwise, or, if a
 * factor underflowed, by less than 2^−90. So s is wrong by less than 2^−25 relatively or is far below 1. Products that
 * form a coordinate are wrong by 6u relatively and by less than 2^−500 if one underflows; none overflows, because
 * |a| ‖x‖ and |a| ‖x‖² are at most 10^140 bounds and ‖x‖ at least 10^−140. Hence before rounding the norm is at most
 * (1 + 2^−24) l2Bound/g, rounding adds at most √dimension/2, and the 2^−22 of {@link SumGrid} covers both ways.
 */
public final class Contribution {
    private static final int MOST_PIECES = 8;
    static final double SMALLEST_SQUARE = 1e-280;
    static final double LARGEST_SQUARE = 1e280;
    private static final double SQRT2 = Math.sqrt(2);

    private static final int COORDINATE = 0;
    private static final int ROW = 1;
    private static final int SQUARE = 2;

    /** Up to this many grid steps to a bound, adding {@link #ROUNDER} rounds exactly as {@link Math#rint} does. */
    private static final double MOST_STEPS = 0x1p50;

    /**
     * Doubles from 2^52 to 2^53 are the integers, so x + 1.5 · 2^52 is rounded to an integer, ties to even, and its bits
     * count from those of 1.5 · 2^52: for |x| &lt; 2^51 the difference is rint(x).
     */
    private static final double ROUNDER = 0x1.8p52;

    private static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

    private final SumGrid grid;
    private final long[] sums;
    private final double unitsPerValue;
    private final double boundsPerValue;
    private final boolean closedForms;

    private RecordBlock block;
    private int row;

    private final int[] kinds = new int[MOST_PIECES];
    private final int[] offsets = new int[MOST_PIECES];
    private final double[] scales = new double[MOST_PIECES];
    private int pieces;

    private final ContributionRuns runs = new ContributionRuns();
    private final RowBatch batch;
    private final ContributionVector vector;
    private boolean gathered;

    Contribution(SumGrid grid, long[] sums) {
        this.grid = grid;
        this.sums = sums;
        unitsPerValue = 1 / grid.granularity();
        boundsPerValue = 1 / grid.l2Bound();
        closedForms = grid.l2Bound() * unitsPerValue <= MOST_STEPS;
        batch = new RowBatch(grid, sums);
        vector = new ContributionVector(grid.dimension());
    }

    /** How many numbers a contribution has. */
    public int dimension() {
        return grid.dimension();
    }

    /** How many numbers {@link #addSquare} adds for records of this width. */
    public static int squareSize(int columns) {
        return Math.multiplyExact(columns, columns + 1) / 2;
    }

    /** Adds a number to one coordinate. */
    public void add(int index, double value) {
        Objects.checkIndex(index, grid.dimension());
        if (gathered || !runs.isEmpty() || pieces == MOST_PIECES || !apart(index, 1)) {
            gather();
            vector.add(index, value);
        } else {
            piece(COORDINATE, index, value);
        }
    }

    /**
     * Adds {@code values[from + j]} to coordinate {@code offset + j} for j below {@code count}. Fastest if a unit adds
     * nothing else and each call is for places behind those of the call before.
     */
    public void addAll(int offset, double[] values, int from, int count) {
        Objects.checkFromIndexSize(offset, count, grid.dimension());
        Objects.checkFromIndexSize(from, count, values.length);
        if (!gathered && pieces == 0 && runs.mayBegin(offset)) {
            runs.add(offset, values, from, count);
            return;
        }
        gather();
        for (int i = 0; i < count; i++) {
            vector.add(offset + i, values[from + i]);
        }
    }

    /** Adds {@code scale} times the record: x_j to coordinate {@code offset + j}. */
    public void addRow(int offset, double scale) {
        addPiece(ROW, offset, block.columns(), scale);
    }

    /**
     * Adds {@code scale} times the record's square as a vector of the same length, svec(x xᵀ): x_j² to coordinate
     * {@code offset + j(j+3)/2} and √2 x_i x_j (j &lt; i) to {@code offset + i(i+1)/2 + j}.
     */
    public void addSquare(int offset, double scale) {
        addPiece(SQUARE, offset, squareSize(block.columns()), scale);
    }

    private void addPiece(int kind, int offset, int size, double scale) {
        Objects.checkFromIndexSize(offset, size, sums.length);
        if (gathered || !runs.isEmpty() || pieces == MOST_PIECES || !apart(offset, size)) {
            gather();
            gather(kind, offset, scale);
        } else {
            piece(kind, offset, scale);
        }
    }

    private void piece(int kind, int offset, double scale) {
        kinds[pieces] = kind;
        offsets[pieces] = offset;
        scales[pieces] = scale;
        pieces++;
    }

    private boolean apart(int offset, int size) {
        for (int i = 0; i < pieces; i++) {
            int columns = block.columns();
            int other = kinds[i] == COORDINATE ? 1 : kinds[i] == ROW ? columns : squareSize(columns);
            if (offset < offsets[i] + other && offsets[i] < offset + size) {
                return false;
            }
        }
        return true;
    }

    // ---- for the door ----------------------------------------------------------------------------------------------

    /** Starts a row of the current unit. */
    void beginRow(RecordBlock rows, int index) {
        if (pieces > 0 || !runs.isEmpty()) {
            gather();
        }
        block = rows;
        row = index;
    }

    /** Writes down everything that refers to rows of the current block, whose memory is about to be used again. */
    void leaveBlock() {
        if (pieces > 0) {
            gather();
        }
        flush();
    }

    /** Forgets the current unit. */
    void discard() {
        pieces = 0;
        runs.clear();
        if (gathered) {
            vector.clear();
            gathered = false;
        }
    }

    /** Clips, rounds and adds the current unit, and starts the next. */
    void endUnit() {
        if (pieces == 1 && kinds[0] == ROW && !gathered && closedForms) {
            batch.add(row, offsets[0], scales[0]);
            pieces = 0;
            if (batch.isFull()) {
                flush();
            }
            return;
        }
        if ((pieces > 0 && !addedPieces()) || (!runs.isEmpty() && !addedRuns())) {
            gather();
        }
        if (gathered) {
            vector.addTo(sums, grid);
        }
        discard();
    }

    private void flush() {
        if (!batch.isEmpty()) {
            batch.flush(block, this::addExtreme);
        }
    }

    private void addExtreme(int extremeRow, int offset, double scale) {
        int current = row;
        row = extremeRow;
        gathered = true;
        gather(ROW, offset, scale);
        vector.addTo(sums, grid);
        discard();
        row = current;
    }

    /** Adds the pieces by their closed forms, or does nothing and says so. */
    private boolean addedPieces() {
        if (!closedForms) {
            return false;
        }
        double squaredNorm = block.squaredNorm(row);
        double squares = 0;
        boolean ofRow = false;
        for (int i = 0; i < pieces; i++) {
            double bounds = scales[i] * boundsPerValue;
            double factor = bounds * bounds;
            if (kinds[i] == ROW) {
                factor *= squaredNorm;
                ofRow = true;
            } else if (kinds[i] == SQUARE) {
                double norm = bounds * squaredNorm;
                factor = norm * norm;
                ofRow = true;
            }
            squares += factor;
        }
        if (!(squares < LARGEST_SQUARE)
                || (ofRow && !(squaredNorm > SMALLEST_SQUARE && squaredNorm < LARGEST_SQUARE))) {
            return false;
        }
        double units = squares > 1 ? unitsPerValue / Math.sqrt(squares) : unitsPerValue;
        for (int i = 0; i < pieces; i++) {
            round(kinds[i], offsets[i], scales[i] * units);
        }
        return true;
    }

    private boolean addedRuns() {
        return closedForms && runs.addTo(sums, grid);
    }

    /** The nearest integer, ties to even, of a number below 2^51. */
    static long rounded(double number) {
        return Double.doubleToRawLongBits(number + ROUNDER) - ROUNDER_BITS;
    }

    private void round(int kind, int offset, double scale) {
        if (kind == COORDINATE) {
            sums[offset] += rounded(scale);
        } else if (block instanceof SparseBlock sparse) {
            if (kind == ROW) {
                RowBatch.addSparse(sparse, row, offset, scale, sums);
            } else {
                roundSquare(sparse, offset, scale);
            }
        } else if (block instanceof DenseBlock dense) {
            if (kind == ROW) {
                RowBatch.addDense(dense, row, offset, scale, sums);
            } else {
                roundSquare(dense, offset, scale);
            }
        }
    }

    private void roundSquare(SparseBlock sparse, int offset, double scale) {
        long[] target = sums;
        double crossScale = SQRT2 * scale;
        int[] columns = sparse.columnIndices();
        double[] numbers = sparse.values();
        int start = sparse.start(row);
        int end = sparse.end(row);
        for (int entry = start; entry < end; entry++) {
            int column = columns[entry];
            double number = numbers[entry];
            int line = offset + column * (column + 1) / 2;
            double cross = crossScale * number;
            for (int other = start; other < entry; other++) {
                target[line + columns[other]] += rounded(cross * numbers[other]);
            }
            target[line + column] += rounded(scale * number * number);
        }
    }

    private void roundSquare(DenseBlock dense, int offset, double scale) {
        long[] target = sums;
        double crossScale = SQRT2 * scale;
        double[] numbers = dense.values();
        int start = dense.start(row);
        int columns = dense.columns();
        int line = offset;
        for (int column = 0; column < columns; column++) {
            double number = numbers[start + column];
            if (number != 0) {
                double cross = crossScale * number;
                for (int other = 0; other < column; other++) {
                    target[line + other] += rounded(cross * numbers[start + other]);
                }
                target[line + column] += rounded(scale * number * number);
            }
            line += column + 1;
        }
    }

    // ---- the way through the vector --------------------------------------------------------------------------------

    /** Moves the pieces into the vector; from here on the unit is a vector, and no other unit may need it. */
    private void gather() {
        if (!gathered) {
            flush();
            gathered = true;
        }
        for (int i = 0; i < pieces; i++) {
            gather(kinds[i], offsets[i], scales[i]);
        }
        pieces = 0;
        runs.moveTo(vector);
    }

    private void gather(int kind, int offset, double scale) {
        if (kind == COORDINATE) {
            vector.add(offset, scale);
            return;
        }
        if (!Double.isFinite(scale) && block.columns() > 0) {
            // Also where a sparse row has no entry that would show it.
            vector.add(offset, Double.NaN);
            return;
        }
        SparseBlock sparse = block instanceof SparseBlock rows ? rows : null;
        int[] columns = sparse == null ? null : sparse.columnIndices();
        int start = sparse == null ? ((DenseBlock) block).start(row) : sparse.start(row);
        int entries = sparse == null ? block.columns() : sparse.end(row) - start;
        double[] numbers = sparse == null ? ((DenseBlock) block).values() : sparse.values();
        for (int entry = 0; entry < entries; entry++) {
            int column = columns == null ? entry : columns[start + entry];
            double number = numbers[start + entry];
            if (kind == ROW) {
                vector.add(offset + column, scale * number);
                continue;
            }
            int line = offset + column * (column + 1) / 2;
            for (int other = 0; other < entry; other++) {
                int otherColumn = columns == null ? other : columns[start + other];
                vector.add(line + otherColumn, SQRT2 * scale * number * numbers[start + other]);
            }
            vector.add(line + column, scale * number * number);
        }
    }
}
