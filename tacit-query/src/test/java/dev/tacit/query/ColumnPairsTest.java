package dev.tacit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pairs of columns against vectors that are written down. Seeds are fixed. */
class ColumnPairsTest {
    private static final int COLUMNS = 5;
    private static final double[] SUM_WEIGHTS = {0.3, -1, 0.5, 2, 0};
    private static final double[] SQUARE_WEIGHTS = {0.1, 0.2, 0.3, 0.4, 0.5};
    private static final double[] WEIGHTS = {1, -2, 0.5, 3, 0.1};

    /** a = s + label, b = q - s; throws at labels above 8. */
    private static final ColumnPairs QUERY =
            new ColumnPairs(SUM_WEIGHTS, SQUARE_WEIGHTS, WEIGHTS, (block, sums, squareSums) -> {
                for (int row = 0; row < block.rows(); row++) {
                    if (block.label(row) > 8) {
                        throw new IllegalStateException("a label");
                    }
                    double s = sums[row];
                    sums[row] = s + block.label(row);
                    squareSums[row] -= s;
                }
            });

    /** Written down as a vector, clipped and rounded. */
    private static double[] expected(double[] values, double label, double l2Bound) {
        double s = 0;
        double q = 0;
        for (int j = 0; j < COLUMNS; j++) {
            s += SUM_WEIGHTS[j] * values[j];
            q += SQUARE_WEIGHTS[j] * values[j] * values[j];
        }
        double[] vector = new double[2 * COLUMNS];
        double squares = 0;
        for (int j = 0; j < COLUMNS; j++) {
            vector[2 * j] = (s + label) * values[j];
            vector[2 * j + 1] = (q - s) * WEIGHTS[j] * values[j] * values[j];
            squares += vector[2 * j] * vector[2 * j] + vector[2 * j + 1] * vector[2 * j + 1];
        }
        double factor = Math.min(1, l2Bound / Math.sqrt(squares));
        return Arrays.stream(vector).map(v -> v * factor).toArray();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 1, 3, 1e3})
    void sumsAreThoseOfClippedVectors(double l2Bound) {
        int count = 600;
        double[] values = OddRecords.rows(count, COLUMNS, false);
        double[] labels = OddRecords.labels(count, false);
        double[] total = new double[2 * COLUMNS];
        for (int row = 0; row < count; row++) {
            double[] one =
                    expected(Arrays.copyOfRange(values, row * COLUMNS, (row + 1) * COLUMNS), labels[row], l2Bound);
            for (int i = 0; i < total.length; i++) {
                total[i] += Double.isNaN(one[i]) ? 0 : one[i];
            }
        }
        SumGrid grid = SumGrid.withoutNoise(l2Bound, 2 * COLUMNS, 1000);
        for (RecordBlock block :
                List.of(OddRecords.sparse(COLUMNS, values, labels), DenseBlock.of(count, COLUMNS, values, labels))) {
            for (int maxRecords : new int[] {1, 3}) {
                long[] sums = OddRecords.sum(QUERY, block, grid, maxRecords);
                for (int i = 0; i < sums.length; i++) {
                    assertThat(sums[i] * grid.granularity())
                            .as("number %d, at most %d records", i, maxRecords)
                            .isCloseTo(total[i], within(1e-9 * l2Bound * count));
                }
            }
        }
    }

    /** Whatever a record holds, and whatever throws beside it, it adds the same integers, and they are bounded. */
    @Test
    void everyRowAddsTheSameBoundedIntegersAloneAndAmongOthers() {
        OddRecords.requireBoundedIntegersOfEachRow(QUERY, COLUMNS);
    }
}
