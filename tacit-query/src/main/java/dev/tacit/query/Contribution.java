package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sum.UnitSum;
import java.util.Arrays;
import java.util.Objects;

/**
 * The contribution of one unit, written by a {@link ContributionSum} and clipped here; {@link UnitSum} rounds, checks and adds it.
 *
 * <pre>
 *   sums += round(min(1, l2Bound / ‖v‖₂) v / g)        v: everything added since the unit began; 0 if v is not finite
 * </pre>
 *
 * What most models add is a multiple of the record itself, of its square, or the product of two short vectors. As long as
 * a unit consists of a few such pieces at separate places its norm has a closed form, ‖a x‖ = |a| ‖x‖, ‖svec(a x xᵀ)‖ =
 * |a| ‖x‖² and ‖u vᵀ‖ = ‖u‖ ‖v‖, and v is never written down. Neither is it if a unit consists of runs of numbers at
 * ascending places ({@link ContributionRuns}). Everything else, and every record whose numbers are of extreme size, goes
 * through a {@link ContributionVector}.
 *
 * <p>The norm decides how a unit is scaled, not whether it may be added: that is decided by {@link UnitSum} on the integers. It
 * is accurate enough that what was scaled by it is never refused there. With u = 2^−53, n &lt; 2^28 numbers in a row, and t = s²
 * the sum of squares over bound² as computed: ‖x‖² is wrong by (n + 1) u relatively, and by what underflowed, less than
 * n 2^−1022 ≤ 2^−60 of the smallest ‖x‖² allowed here (10^−280); each term of t by 2 (n + 6) u for squares, where
 * n &lt; 2^15, and (n + 6) u otherwise, or, if a factor underflowed, by less than 2^−90. So s is wrong by less than 2^−25
 * relatively or is far below 1, products that form a coordinate by 6u, and before rounding the norm is at most
 * (1 + 2^−24) l2Bound/g.
 */
public final class Contribution {
    static final int MOST_PIECES = 8;
    static final double SMALLEST_SQUARE = 1e-280;
    static final double LARGEST_SQUARE = 1e280;
    private static final double SQRT2 = Math.sqrt(2);

    private static final int COORDINATE = 0;
    static final int ROW = 1;
    static final int SQUARE = 2;
    static final int OUTER = 3;

    private final SumGrid grid;
    private UnitSum sum;
    private final double unitsPerValue;
    private final double boundsPerValue;

    private RecordBlock block;
    private int row;
    private int shift;

    private final int[] kinds = new int[MOST_PIECES];
    private final int[] offsets = new int[MOST_PIECES];
    private final int[] sizes = new int[MOST_PIECES];
    private final double[] scales = new double[MOST_PIECES];
    private int pieces;

    /** Copies of the factors of products, left then right, and where each piece has them. */
    private double[] factors = {};

    private int factorCount;
    private final int[] leftStarts = new int[MOST_PIECES];
    private final int[] rightStarts = new int[MOST_PIECES];

    private final ContributionSteps steps = new ContributionSteps();
    private final ContributionRuns runs = new ContributionRuns();
    private final RowBatch batch;
    private final SquareBatch squareBatch;
    private final ContributionVector vector;
    private boolean gathered;

    /** Squared norms of the rows of a block, if a unit needed one. */
    private double[] squaredNorms = {};

    private RecordBlock normsOf;

    Contribution(SumGrid grid) {
        this.grid = grid;
        unitsPerValue = 1 / grid.granularity();
        boundsPerValue = 1 / grid.l2Bound();
        batch = new RowBatch(grid);
        squareBatch = new SquareBatch(grid);
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

    /** Until the next row of a unit begins, everything is added so many places further. */
    public void shiftBy(int places) {
        shift = Objects.checkIndex(places, grid.dimension());
    }

    /** Adds a number to one coordinate. */
    public void add(int index, double value) {
        int place = Objects.checkIndex(index + shift, grid.dimension());
        if (gathered || !runs.isEmpty() || pieces == MOST_PIECES || !apart(place, 1)) {
            gather();
            vector.add(place, value);
        } else {
            piece(COORDINATE, place, 1, value);
        }
    }

    /**
     * Adds {@code values[from + j]} to coordinate {@code offset + j} for j below {@code count}. Fastest if a unit adds
     * nothing else and each call is for places behind those of the call before.
     */
    public void addAll(int offset, double[] values, int from, int count) {
        addNumbers(offset + shift, values, from, count);
    }

    private void addNumbers(int offset, double[] values, int from, int count) {
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

    /**
     * Adds {@code width} numbers for each non-zero of a sparse record, or for each number of a dense one: those of entry e,
     * {@code values[e width + i]}, to coordinates {@code offset + j width + i}, j being its column.
     */
    public void addColumns(int offset, int width, double[] values) {
        addColumnsAt(offset + shift, width, values);
    }

    private void addColumnsAt(int offset, int width, double[] values) {
        Objects.checkFromIndexSize(offset, Math.multiplyExact(block.columns(), width), grid.dimension());
        if (!(block instanceof SparseBlock sparse)) {
            addNumbers(offset, values, 0, block.columns() * width);
            return;
        }
        int entries = sparse.end(row) - sparse.start(row);
        Objects.checkFromIndexSize(0, Math.multiplyExact(entries, width), values.length);
        if (entries == 0) {
            return;
        }
        int first = offset + width * sparse.columnIndices()[sparse.start(row)];
        if (!gathered && pieces == 0 && runs.mayBegin(first)) {
            runs.addColumns(sparse, row, offset, width, values);
            return;
        }
        for (int entry = 0; entry < entries; entry++) {
            int column = sparse.columnIndices()[sparse.start(row) + entry];
            addNumbers(offset + width * column, values, entry * width, width);
        }
    }

    /** Adds {@code scale} times the record: x_j to coordinate {@code offset + j}. */
    public void addRow(int offset, double scale) {
        addPiece(ROW, offset + shift, block.columns(), scale);
    }

    /**
     * Adds {@code scale} times the record's square as a vector of the same length, svec(x xᵀ): x_j² to coordinate
     * {@code offset + j(j+3)/2} and √2 x_i x_j (j &lt; i) to {@code offset + i(i+1)/2 + j}.
     */
    public void addSquare(int offset, double scale) {
        addPiece(SQUARE, offset + shift, squareSize(block.columns()), scale);
    }

    /**
     * Adds the product of two vectors, left_i right_j to coordinate {@code offset + i rightCount + j}, without writing
     * it down; both are copied.
     */
    public void addOuter(int offset, double[] left, int leftCount, double[] right, int rightCount) {
        addOuterAt(offset + shift, left, leftCount, right, rightCount);
    }

    private void addOuterAt(int offset, double[] left, int leftCount, double[] right, int rightCount) {
        Objects.checkFromIndexSize(0, leftCount, left.length);
        Objects.checkFromIndexSize(0, rightCount, right.length);
        int size = Math.multiplyExact(leftCount, rightCount);
        Objects.checkFromIndexSize(offset, size, grid.dimension());
        if (size == 0) {
            return;
        }
        if (gathered || !runs.isEmpty() || pieces == MOST_PIECES || !apart(offset, size)) {
            gather();
            gatherOuter(offset, left, 0, leftCount, right, 0, rightCount);
            return;
        }
        int start = factorCount;
        factorCount = Math.addExact(start, Math.addExact(leftCount, rightCount));
        if (factors.length < factorCount) {
            factors = Arrays.copyOf(factors, 2 * factorCount);
        }
        System.arraycopy(left, 0, factors, start, leftCount);
        System.arraycopy(right, 0, factors, start + leftCount, rightCount);
        leftStarts[pieces] = start;
        rightStarts[pieces] = start + leftCount;
        piece(OUTER, offset, size, 1);
    }

    private void addPiece(int kind, int offset, int size, double scale) {
        Objects.checkFromIndexSize(offset, size, grid.dimension());
        if (gathered || !runs.isEmpty() || pieces == MOST_PIECES || !apart(offset, size)) {
            gather();
            gather(kind, offset, scale);
        } else {
            piece(kind, offset, size, scale);
        }
    }

    private void piece(int kind, int offset, int size, double scale) {
        kinds[pieces] = kind;
        offsets[pieces] = offset;
        sizes[pieces] = size;
        scales[pieces] = scale;
        pieces++;
    }

    private boolean apart(int offset, int size) {
        for (int i = 0; i < pieces; i++) {
            if (offset < offsets[i] + sizes[i] && offsets[i] < offset + size) {
                return false;
            }
        }
        return true;
    }

    // ---- for whoever asks workers
    // ----------------------------------------------------------------------------------------------

    /** Starts a row of the current unit. */
    void beginRow(RecordBlock rows, int index, UnitSum target) {
        sum = target;
        if (pieces > 0 || !runs.isEmpty()) {
            gather();
        }
        block = rows;
        row = index;
        shift = 0;
    }

    /** Writes down everything that refers to rows of the current block, whose memory is about to be used again. */
    void leaveBlock() {
        if (pieces > 0) {
            gather();
        }
        flush();
        if (!squareBatch.isEmpty()) {
            squareBatch.flush(block, sum);
        }
        normsOf = null;
    }

    private void discard() {
        pieces = 0;
        factorCount = 0;
        runs.clear();
        if (gathered) {
            vector.clear();
            gathered = false;
        }
    }

    /** Clips, rounds and adds the current unit, and starts the next. */
    void endUnit(int unit) {
        if (pieces == 1 && kinds[0] == ROW && !gathered) {
            batch.add(unit, row, offsets[0], scales[0]);
            pieces = 0;
            if (batch.isFull()) {
                flush();
            }
            return;
        }
        if ((pieces > 0 && !addedPieces(unit)) || (!runs.isEmpty() && !runs.addTo(sum, unit, grid))) {
            gather();
        }
        if (gathered) {
            vector.addTo(sum, unit, grid);
        }
        discard();
    }

    private void flush() {
        if (!batch.isEmpty()) {
            batch.flush(block, sum, this::addExtreme);
        }
    }

    /** Only while no unit is gathered; the pieces and runs of a unit that has begun stay. */
    private void addExtreme(int unit, int extremeRow, int offset, double scale) {
        int current = row;
        row = extremeRow;
        gather(ROW, offset, scale);
        vector.addTo(sum, unit, grid);
        vector.clear();
        row = current;
    }

    /** Adds the pieces by their closed forms, or does nothing and says so. */
    private boolean addedPieces(int unit) {
        double squaredNorm = squaredNormOfRow();
        double squares = 0;
        boolean ordinary = true;
        for (int i = 0; i < pieces; i++) {
            double bounds = scales[i] * boundsPerValue;
            double factor = bounds * bounds;
            if (kinds[i] == ROW) {
                factor *= squaredNorm;
                ordinary &= isOrdinary(squaredNorm);
            } else if (kinds[i] == SQUARE) {
                double norm = bounds * squaredNorm;
                factor = norm * norm;
                ordinary &= isOrdinary(squaredNorm);
            } else if (kinds[i] == OUTER) {
                double left = squaredNorm(leftStarts[i], rightStarts[i]);
                double right = squaredNorm(rightStarts[i], rightStarts[i] + rightCount(i));
                double norm = Math.sqrt(left) * bounds * Math.sqrt(right);
                factor = norm * norm;
                ordinary &= isOrdinary(left) && isOrdinary(right);
            }
            squares += factor;
        }
        if (!ordinary || !(squares < LARGEST_SQUARE)) {
            return false;
        }
        double units = squares > 1 ? unitsPerValue / Math.sqrt(squares) : unitsPerValue;
        if (waits(unit)) {
            squareBatch.add(row, scales, units);
            return true;
        }
        steps.begin(sum, unit, mostNumbers());
        int behind = -1;
        for (int written = 0; written < pieces; written++) {
            int next = nextPiece(behind);
            behind = offsets[next];
            write(next, units);
        }
        sum.end();
        return true;
    }

    /** Whether the pieces are written later, with those of other rows. */
    private boolean waits(int unit) {
        if (squareBatch.isFullFor(row)) {
            squareBatch.flush(block, sum);
        }
        if (!squareBatch.isEmpty()) {
            return squareBatch.suits(row, unit, pieces, kinds, offsets);
        }
        boolean begins = squareBatch.mayBegin(block, pieces, kinds, sizes);
        if (begins) {
            squareBatch.begin(row, unit, pieces, kinds, offsets);
        }
        return begins;
    }

    /** Of all rows of a block at once: one after the other, each would wait for the sums of the row before. */
    private double squaredNormOfRow() {
        if (block != normsOf) {
            squaredNorms = squaredNorms.length < block.rows() ? new double[block.rows()] : squaredNorms;
            for (int i = 0; i < block.rows(); i++) {
                squaredNorms[i] = Rows.squaredNorm(block, i);
            }
            normsOf = block;
        }
        return squaredNorms[row];
    }

    /** The piece with the smallest offset behind this one; pieces are apart, so it is the only one. */
    private int nextPiece(int behind) {
        int next = -1;
        for (int i = 0; i < pieces; i++) {
            if (offsets[i] > behind && (next < 0 || offsets[i] < offsets[next])) {
                next = i;
            }
        }
        return next;
    }

    static boolean isOrdinary(double squaredNorm) {
        return squaredNorm > SMALLEST_SQUARE && squaredNorm < LARGEST_SQUARE;
    }

    private int rightCount(int piece) {
        return sizes[piece] / (rightStarts[piece] - leftStarts[piece]);
    }

    private double squaredNorm(int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += factors[i] * factors[i];
        }
        return sum;
    }

    private int mostNumbers() {
        int total = 0;
        for (int i = 0; i < pieces; i++) {
            total = Math.addExact(total, numbers(i));
        }
        return total;
    }

    /** How many numbers are written down for a piece. */
    private int numbers(int piece) {
        int row = ContributionSteps.rowNumbers(block, this.row);
        return switch (kinds[piece]) {
            case ROW -> row;
            case SQUARE -> squareSize(row);
            default -> sizes[piece];
        };
    }

    private void write(int piece, double units) {
        int offset = offsets[piece];
        double scale = scales[piece] * units;
        switch (kinds[piece]) {
            case COORDINATE -> steps.write(sum, offset, scale);
            case OUTER ->
                steps.writeOuter(sum, offset, units, factors, leftStarts[piece], rightStarts[piece], rightCount(piece));
            case ROW -> steps.writeRow(sum, block, row, offset, scale);
            default -> steps.writeSquare(sum, block, row, offset, scale);
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
            if (kinds[i] == OUTER) {
                int lefts = rightStarts[i] - leftStarts[i];
                gatherOuter(offsets[i], factors, leftStarts[i], lefts, factors, rightStarts[i], rightCount(i));
            } else {
                gather(kinds[i], offsets[i], scales[i]);
            }
        }
        pieces = 0;
        factorCount = 0;
        runs.moveTo(vector);
    }

    private void gatherOuter(
            int offset, double[] left, int leftStart, int lefts, double[] right, int rightStart, int rights) {
        for (int i = 0; i < lefts; i++) {
            for (int j = 0; j < rights; j++) {
                vector.add(offset + i * rights + j, left[leftStart + i] * right[rightStart + j]);
            }
        }
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
