package dev.tacit.query;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sum.UnitSum;
import java.util.Arrays;

/**
 * A unit's contribution in grid steps, clipped and not yet rounded: numbers, rows, their squares and products of two vectors,
 * written one behind the other and announced to the {@link UnitSum} that checks and adds them.
 */
final class ContributionSteps {
    private static final double SQRT2 = Math.sqrt(2);

    private double[] steps = new double[64];
    private int count;

    /** How many numbers a row takes. */
    static int rowNumbers(RecordBlock block, int row) {
        return block instanceof SparseBlock sparse ? sparse.end(row) - sparse.start(row) : block.columns();
    }

    /** Makes room for the whole unit. */
    void begin(UnitSum sum, int unit, int mostNumbers) {
        reserve(mostNumbers);
        sum.begin(unit, steps);
    }

    private void reserve(int mostNumbers) {
        if (mostNumbers > steps.length) {
            steps = Arrays.copyOf(steps, Math.max(mostNumbers, 2 * steps.length));
        }
        count = 0;
    }

    void write(UnitSum sum, int place, double number) {
        steps[count++] = number;
        sum.run(place, 1);
    }

    void writeOuter(UnitSum sum, int offset, double units, double[] factors, int left, int right, int rightCount) {
        double[] target = steps;
        int at = count;
        for (int i = left; i < right; i++) {
            double scale = units * factors[i];
            for (int j = 0; j < rightCount; j++) {
                target[at + j] = scale * factors[right + j];
            }
            at += rightCount;
        }
        sum.run(offset, at - count);
        count = at;
    }

    /** {@code scale} times a row: x_j to {@code offset + j}. */
    void writeRow(UnitSum sum, RecordBlock block, int row, int offset, double scale) {
        int numbers = rowNumbers(block, row);
        if (block instanceof SparseBlock sparse) {
            scaled(sparse.values(), sparse.start(row), numbers, scale);
            sum.entries(sparse, row, numbers, offset, 1);
        } else {
            DenseBlock dense = (DenseBlock) block;
            scaled(dense.values(), dense.start(row), numbers, scale);
            sum.run(offset, numbers);
        }
    }

    /** A unit that is {@code scale} times a row and nothing else. */
    void addRow(UnitSum sum, int unit, RecordBlock block, int row, int offset, double scale) {
        int numbers = rowNumbers(block, row);
        if (!(block instanceof SparseBlock sparse)) {
            begin(sum, unit, numbers);
            writeRow(sum, block, row, offset, scale);
            sum.end();
            return;
        }
        reserve(numbers);
        scaled(sparse.values(), sparse.start(row), numbers, scale);
        sum.add(unit, steps, sparse, row, offset);
    }

    private void scaled(double[] x, int start, int numbers, double scale) {
        double[] target = steps;
        int at = count;
        for (int i = 0; i < numbers; i++) {
            target[at + i] = scale * x[start + i];
        }
        count = at + numbers;
    }

    /**
     * {@code scale} times the square of a row: x_j² to {@code offset + j(j+3)/2} and √2 x_i x_j (j &lt; i) to
     * {@code offset + i(i+1)/2 + j}.
     */
    void writeSquare(UnitSum sum, RecordBlock block, int row, int offset, double scale) {
        if (block instanceof SparseBlock sparse) {
            int start = sparse.start(row);
            int entries = sparse.end(row) - start;
            for (int i = 0; i < entries; i++) {
                writeLine(sparse.values(), start, i, scale);
            }
            sum.triangle(sparse, row, offset);
        } else {
            DenseBlock dense = (DenseBlock) block;
            int columns = dense.columns();
            for (int i = 0; i < columns; i++) {
                writeLine(dense.values(), dense.start(row), i, scale);
            }
            sum.run(offset, columns * (columns + 1) / 2);
        }
    }

    /** √2 x_i x_j for j below i, then x_i². */
    private void writeLine(double[] x, int start, int i, double scale) {
        double[] target = steps;
        int at = count;
        double number = x[start + i];
        double cross = SQRT2 * scale * number;
        for (int j = 0; j < i; j++) {
            target[at + j] = cross * x[start + j];
        }
        target[at + i] = scale * number * number;
        count = at + i + 1;
    }
}
