package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import java.util.Objects;

/**
 * The contribution of one unit, written by a {@link RecordSum} and clipped, rounded and added up by the door.
 *
 * <pre>
 *   sums += round(min(1, l2Bound / ‖v‖₂) v / g)        v: everything added since the unit began; 0 if ‖v‖₂ is not finite
 * </pre>
 *
 * What most models add is a multiple of the record itself or of its square. As long as a unit consists of a few such
 * pieces at separate places its norm has a closed form, ‖a x‖ = |a| ‖x‖ and ‖svec(a x xᵀ)‖ = |a| ‖x‖², and v is never
 * written down. Everything else is gathered in a vector of which only the touched numbers are visited.
 *
 * <p>Norms are wrong by less than 2^−30 relatively (the sums are of squares, with fewer than 2^22 terms that are not in
 * the range of underflow), which the 2^−22 of {@link SumGrid} covers; records whose squares leave that range take the
 * way through the vector, where squares are formed in units of the grid.
 */
public final class Contribution {
    private static final int MOST_PIECES = 8;
    private static final double SMALLEST_SQUARE = 1e-280;
    private static final double LARGEST_SQUARE = 1e280;
    private static final double SQRT2 = Math.sqrt(2);

    private enum Kind {
        COORDINATE,
        ROW,
        SQUARE
    }

    private final SumGrid grid;
    private final long[] sums;
    private final double unitsPerValue;

    private RecordBlock block;
    private int row;

    private final Kind[] kinds = new Kind[MOST_PIECES];
    private final int[] offsets = new int[MOST_PIECES];
    private final double[] scales = new double[MOST_PIECES];
    private int pieces;

    private double[] values = {};
    private int[] touched = {};
    private boolean[] isTouched = {};
    private int touchedCount;
    private boolean gathered;

    Contribution(SumGrid grid, long[] sums) {
        this.grid = grid;
        this.sums = sums;
        this.unitsPerValue = 1 / grid.granularity();
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
        if (!gathered && pieces < MOST_PIECES && apart(index, 1)) {
            piece(Kind.COORDINATE, index, value);
        } else {
            gather();
            put(index, value);
        }
    }

    /** Adds {@code scale} times the record: x_j to coordinate {@code offset + j}. */
    public void addRow(int offset, double scale) {
        addPiece(Kind.ROW, offset, block.columns(), scale);
    }

    /**
     * Adds {@code scale} times the record's square as a vector of the same length, svec(x xᵀ): x_j² to coordinate
     * {@code offset + j(j+3)/2} and √2 x_i x_j (j &lt; i) to {@code offset + i(i+1)/2 + j}.
     */
    public void addSquare(int offset, double scale) {
        addPiece(Kind.SQUARE, offset, squareSize(block.columns()), scale);
    }

    private void addPiece(Kind kind, int offset, int size, double scale) {
        if (offset < 0 || size > grid.dimension() - offset) {
            throw new IndexOutOfBoundsException("a piece of a contribution lies outside of it");
        }
        if (!gathered && pieces < MOST_PIECES && apart(offset, size)) {
            piece(kind, offset, scale);
        } else {
            gather();
            gather(kind, offset, scale);
        }
    }

    private void piece(Kind kind, int offset, double scale) {
        kinds[pieces] = kind;
        offsets[pieces] = offset;
        scales[pieces] = scale;
        pieces++;
    }

    private boolean apart(int offset, int size) {
        for (int i = 0; i < pieces; i++) {
            int other = size(kinds[i]);
            if (offset < offsets[i] + other && offsets[i] < offset + size) {
                return false;
            }
        }
        return true;
    }

    private int size(Kind kind) {
        return switch (kind) {
            case COORDINATE -> 1;
            case ROW -> block.columns();
            case SQUARE -> squareSize(block.columns());
        };
    }

    // ---- for the door ----------------------------------------------------------------------------------------------

    /** Starts a row of the current unit; pieces of the unit's earlier rows are gathered. */
    void beginRow(RecordBlock rows, int index) {
        if (pieces > 0) {
            gather();
        }
        block = rows;
        row = index;
    }

    /** Forgets the current unit. */
    void discard() {
        pieces = 0;
        clear();
    }

    /** Clips, rounds and adds the current unit, and starts the next. */
    void endUnit() {
        if (gathered) {
            addGathered();
        } else if (pieces > 0) {
            addPieces();
        }
        discard();
    }

    private void addPieces() {
        double squaredNorm = block.squaredNorm(row);
        boolean ordinary = squaredNorm == 0 || (squaredNorm > SMALLEST_SQUARE && squaredNorm < LARGEST_SQUARE);
        if (!ordinary) {
            gather();
            addGathered();
            return;
        }
        double bound = grid.l2Bound();
        double squares = 0;
        for (int i = 0; i < pieces; i++) {
            double norm = Math.abs(scales[i]) / bound * normFactor(kinds[i], squaredNorm);
            squares += norm * norm;
        }
        if (!(squares < Double.POSITIVE_INFINITY)) {
            return;
        }
        double units = (squares > 1 ? 1 / Math.sqrt(squares) : 1) * unitsPerValue;
        for (int i = 0; i < pieces; i++) {
            round(kinds[i], offsets[i], scales[i] * units);
        }
    }

    private static double normFactor(Kind kind, double squaredNorm) {
        return switch (kind) {
            case COORDINATE -> 1;
            case ROW -> Math.sqrt(squaredNorm);
            case SQUARE -> squaredNorm;
        };
    }

    private void round(Kind kind, int offset, double scale) {
        switch (kind) {
            case COORDINATE -> sums[offset] += (long) Math.rint(scale);
            case ROW -> roundRow(offset, scale);
            case SQUARE -> roundSquare(offset, scale);
        }
    }

    private void roundRow(int offset, double scale) {
        if (block instanceof SparseBlock sparse) {
            int[] columns = sparse.columnIndices();
            double[] numbers = sparse.values();
            int end = sparse.end(row);
            for (int entry = sparse.start(row); entry < end; entry++) {
                sums[offset + columns[entry]] += (long) Math.rint(scale * numbers[entry]);
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            double[] numbers = dense.values();
            int start = dense.start(row);
            int columns = dense.columns();
            for (int column = 0; column < columns; column++) {
                sums[offset + column] += (long) Math.rint(scale * numbers[start + column]);
            }
        }
    }

    private void roundSquare(int offset, double scale) {
        double crossScale = SQRT2 * scale;
        if (block instanceof SparseBlock sparse) {
            int[] columns = sparse.columnIndices();
            double[] numbers = sparse.values();
            int start = sparse.start(row);
            int end = sparse.end(row);
            for (int entry = start; entry < end; entry++) {
                int column = columns[entry];
                int line = offset + column * (column + 1) / 2;
                double cross = crossScale * numbers[entry];
                for (int other = start; other < entry; other++) {
                    sums[line + columns[other]] += (long) Math.rint(cross * numbers[other]);
                }
                sums[line + column] += (long) Math.rint(scale * numbers[entry] * numbers[entry]);
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            double[] numbers = dense.values();
            int start = dense.start(row);
            int columns = dense.columns();
            for (int column = 0; column < columns; column++) {
                double number = numbers[start + column];
                if (number != 0) {
                    int line = offset + column * (column + 1) / 2;
                    double cross = crossScale * number;
                    for (int other = 0; other < column; other++) {
                        sums[line + other] += (long) Math.rint(cross * numbers[start + other]);
                    }
                    sums[line + column] += (long) Math.rint(scale * number * number);
                }
            }
        }
    }

    // ---- the way through the vector --------------------------------------------------------------------------------

    /** Moves the pieces into the vector; from here on the unit is a vector. */
    private void gather() {
        if (values.length == 0) {
            values = new double[grid.dimension()];
            touched = new int[grid.dimension()];
            isTouched = new boolean[grid.dimension()];
        }
        gathered = true;
        for (int i = 0; i < pieces; i++) {
            gather(kinds[i], offsets[i], scales[i]);
        }
        pieces = 0;
    }

    private void gather(Kind kind, int offset, double scale) {
        if (kind == Kind.COORDINATE) {
            put(offset, scale);
            return;
        }
        int columns = block.columns();
        SparseBlock sparse = block instanceof SparseBlock rows ? rows : null;
        int entries = sparse == null ? columns : sparse.end(row) - sparse.start(row);
        double[] numbers = sparse == null ? ((DenseBlock) block).values() : sparse.values();
        int start = sparse == null ? ((DenseBlock) block).start(row) : sparse.start(row);
        for (int entry = 0; entry < entries; entry++) {
            int column = sparse == null ? entry : sparse.columnIndices()[start + entry];
            double number = numbers[start + entry];
            if (kind == Kind.ROW) {
                put(offset + column, scale * number);
            } else {
                int line = offset + column * (column + 1) / 2;
                for (int other = 0; other < entry; other++) {
                    int otherColumn = sparse == null ? other : sparse.columnIndices()[start + other];
                    put(line + otherColumn, SQRT2 * scale * number * numbers[start + other]);
                }
                put(line + column, scale * number * number);
            }
        }
    }

    private void put(int index, double value) {
        if (!isTouched[index]) {
            isTouched[index] = true;
            touched[touchedCount] = index;
            touchedCount++;
        }
        values[index] += value;
    }

    private void addGathered() {
        double squares = 0;
        for (int i = 0; i < touchedCount; i++) {
            double units = values[touched[i]] * unitsPerValue;
            squares += units * units;
        }
        if (!(squares < Double.POSITIVE_INFINITY)) {
            return;
        }
        double bound = grid.l2Bound() * unitsPerValue;
        double norm = Math.sqrt(squares);
        double units = norm > bound ? unitsPerValue * (bound / norm) : unitsPerValue;
        for (int i = 0; i < touchedCount; i++) {
            int index = touched[i];
            sums[index] += (long) Math.rint(values[index] * units);
        }
    }

    private void clear() {
        for (int i = 0; i < touchedCount; i++) {
            values[touched[i]] = 0;
            isTouched[touched[i]] = false;
        }
        touchedCount = 0;
        gathered = false;
    }
}
