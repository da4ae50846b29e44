package dev.tacit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Draws of columns against vectors that are written down. Seeds are fixed. */
class ColumnDrawsTest {
    private static final int COLUMNS = 5;
    private static final double[] CENTRE = numbers(1, 3);

    private static double[] numbers(int draws, int seed) {
        Random random = new Random(seed);
        return random.doubles((long) draws * COLUMNS, -1, 1).toArray();
    }

    private static double residual(double label, double margin) {
        return label - margin / (1 + Math.abs(margin));
    }

    /** Throws at labels above 8. */
    private static ColumnDraws query(int offsets, boolean mirrored) {
        double[] directions = numbers(offsets, 2);
        return new ColumnDraws(CENTRE, numbers(offsets, 1), directions, mirrored, (block, from, to, margins, count) -> {
            int n = to - from;
            for (int at = 0; at < count * n; at++) {
                double label = block.label(from + at % n);
                if (label > 8) {
                    throw new IllegalStateException("a label");
                }
                margins[at] = residual(label, margins[at]);
            }
        });
    }

    /** Written down as a vector and clipped. */
    private static double[] expected(int offsets, boolean mirrored, double[] values, double label, double l2Bound) {
        double[] offset = numbers(offsets, 1);
        double[] directions = numbers(offsets, 2);
        int[] signs = mirrored ? new int[] {1, -1} : new int[] {1};
        double[] vector = new double[2 * COLUMNS];
        for (int sign : signs) {
            for (int k = 0; k < offsets; k++) {
                double margin = 0;
                for (int j = 0; j < COLUMNS; j++) {
                    margin += (CENTRE[j] + sign * offset[k * COLUMNS + j]) * values[j];
                }
                for (int j = 0; j < COLUMNS; j++) {
                    double slope = values[j] * residual(label, margin);
                    vector[2 * j] += slope / (offsets * signs.length);
                    vector[2 * j + 1] += slope * sign * directions[k * COLUMNS + j];
                }
            }
        }
        double squares = Arrays.stream(vector).map(v -> v * v).sum();
        double factor = squares > l2Bound * l2Bound ? l2Bound / Math.sqrt(squares) : 1;
        return Arrays.stream(vector).map(v -> v * factor).toArray();
    }

    @ParameterizedTest
    @CsvSource({"1, 0.01", "1, 3", "4, 1", "5, 0.01", "5, 1", "5, 1000", "10, 1", "13, 1", "3000, 1"})
    void sumsAreThoseOfClippedVectors(int offsets, double l2Bound) {
        for (boolean mirrored : new boolean[] {false, true}) {
            requireClippedVectors(offsets, mirrored, l2Bound);
        }
    }

    private static void requireClippedVectors(int offsets, boolean mirrored, double l2Bound) {
        int count = 600;
        double[] values = OddRecords.rows(count, COLUMNS, false);
        double[] labels = OddRecords.labels(count, false);
        double[] total = new double[2 * COLUMNS];
        for (int row = 0; row < count; row++) {
            double[] own = Arrays.copyOfRange(values, row * COLUMNS, (row + 1) * COLUMNS);
            double[] one = expected(offsets, mirrored, own, labels[row], l2Bound);
            for (int i = 0; i < total.length; i++) {
                total[i] += one[i];
            }
        }
        SumGrid grid = SumGrid.withoutNoise(l2Bound, 2 * COLUMNS, 1000);
        for (RecordBlock block :
                List.of(OddRecords.sparse(COLUMNS, values, labels), DenseBlock.of(count, COLUMNS, values, labels))) {
            for (int maxRecords : new int[] {1, 3}) {
                long[] sums = OddRecords.sum(query(offsets, mirrored), block, grid, maxRecords);
                for (int i = 0; i < sums.length; i++) {
                    assertThat(sums[i] * grid.granularity())
                            .as("number %d, mirrored %s, at most %d records", i, mirrored, maxRecords)
                            .isCloseTo(total[i], within(1e-9 * l2Bound * count));
                }
            }
        }
    }

    /** Whatever a record holds, and whatever throws beside it, it adds the same integers, and they are bounded. */
    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "10, false", "5, true"})
    void everyRowAddsTheSameBoundedIntegersAloneAndAmongOthers(int offsets, boolean mirrored) {
        OddRecords.requireBoundedIntegersOfEachRow(query(offsets, mirrored), COLUMNS);
    }

    /** Residuals that no record can explain are clipped all the same: the door forms the norm from what it adds. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 1e-160, 1, 1e17, 1e150, 1e300, Double.POSITIVE_INFINITY, Double.NaN})
    void aFunctionCannotExceedTheBound(double size) {
        double[] values = OddRecords.rows(200, COLUMNS, true);
        SumGrid grid = SumGrid.withoutNoise(1e-3, 2 * COLUMNS, 1000);
        double[] offsets = numbers(5, 1);
        double[] directions = numbers(5, 2);
        ColumnDraws query = new ColumnDraws(CENTRE, offsets, directions, true, (block, from, to, margins, count) -> {
            for (int at = 0; at < count * (to - from); at++) {
                margins[at] = margins[at] > 0 == (at / (to - from) % 3 == 0) ? size : -0.7 * size;
            }
        });
        RecordBlock block = OddRecords.sparse(COLUMNS, values, new double[200]);
        for (int row = 0; row < block.rows(); row++) {
            double squares = Arrays.stream(OddRecords.sum(query, block.part(row, row + 1), grid, 1))
                    .mapToDouble(v -> (double) v * v)
                    .sum();
            assertThat(Math.sqrt(squares)).as("row %d", row).isLessThanOrEqualTo(grid.sensitivity());
        }
    }

    @Test
    void offsetsAndDirectionsHaveTheSameShape() {
        assertThatThrownBy(() -> new ColumnDraws(CENTRE, new double[10], new double[5], false, (a, b, c, d, e) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("direction");
        assertThatThrownBy(() -> new ColumnDraws(CENTRE, new double[4], new double[4], true, (a, b, c, d, e) -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
