package dev.tacit.privacy.data;

import java.util.Arrays;

/**
 * A unit's contribution in grid steps, clipped and not yet rounded, as runs at ascending places: rows, their squares and products of
 * two vectors, written one behind the other.
 */
final class ContributionSteps {
    private static final double SQRT2 = Math.sqrt(2);

    private double[] steps = new double[64];
    private int[] places = new int[16];

    /** Where in {@link #steps} each run ends. */
    private int[] ends = new int[16];

    private int runs;
    private int count;

    void clear() {
        runs = 0;
        count = 0;
    }

    void addTo(UnitSum sum) {
        sum.add(places, ends, runs, steps);
    }

    /** Opens a run and makes room for its numbers, which are written from the place that is returned. */
    private int open(int place, int size) {
        if (runs == places.length) {
            places = Arrays.copyOf(places, 2 * runs);
            ends = Arrays.copyOf(ends, 2 * runs);
        }
        int start = count;
        count = Math.addExact(start, size);
        if (count > steps.length) {
            steps = Arrays.copyOf(steps, Math.max(count, 2 * steps.length));
        }
        places[runs] = place;
        ends[runs] = count;
        runs++;
        return start;
    }

    void write(int place, double number) {
        int at = open(place, 1);
        steps[at] = number;
    }

    void writeOuter(int offset, double units, double[] factors, int left, int right, int rightCount) {
        int at = open(offset, (right - left) * rightCount);
        double[] target = steps;
        for (int i = left; i < right; i++) {
            double scale = units * factors[i];
            for (int j = 0; j < rightCount; j++) {
                target[at + j] = scale * factors[right + j];
            }
            at += rightCount;
        }
    }

    void writeRow(RecordBlock block, int row, int offset, double scale) {
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                write(offset + sparse.columnIndices()[entry], scale * sparse.values()[entry]);
            }
        } else if (block instanceof DenseBlock dense) {
            int at = open(offset, dense.columns()) - dense.start(row);
            double[] numbers = dense.values();
            double[] target = steps;
            int end = dense.start(row) + dense.columns();
            for (int i = dense.start(row); i < end; i++) {
                target[at + i] = scale * numbers[i];
            }
        }
    }

    void writeSquare(RecordBlock block, int row, int offset, double scale) {
        if (block instanceof SparseBlock sparse) {
            writeSquare(sparse, row, offset, scale);
        } else if (block instanceof DenseBlock dense) {
            writeSquare(dense, row, offset, scale);
        }
    }

    private void writeSquare(SparseBlock sparse, int row, int offset, double scale) {
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
                write(line + columns[other], cross * numbers[other]);
            }
            write(line + column, scale * number * number);
        }
    }

    /** A run for each line of the triangle that is not zero. */
    private void writeSquare(DenseBlock dense, int row, int offset, double scale) {
        double crossScale = SQRT2 * scale;
        double[] numbers = dense.values();
        int start = dense.start(row);
        int columns = dense.columns();
        int line = offset;
        for (int column = 0; column < columns; column++) {
            double number = numbers[start + column];
            if (number != 0) {
                double cross = crossScale * number;
                int at = open(line, column + 1);
                double[] target = steps;
                for (int other = 0; other < column; other++) {
                    target[at + other] = cross * numbers[start + other];
                }
                target[at + column] = scale * number * number;
            }
            line += column + 1;
        }
    }
}
