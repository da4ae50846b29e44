package dev.tacit.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sum.PartSums;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.noise.ReplayNoise;
import java.util.List;
import java.util.Random;

/** Records with zeros and, if asked for, numbers of extreme size, to add up block by block. The seed is fixed. */
final class OddRecords {
    private static final double[] EXTREMES = {
        1e200, 1e-200, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 1e-150
    };

    private OddRecords() {}

    static double[] rows(int count, int columns, boolean extreme) {
        Random random = new Random(3);
        double[] values = new double[count * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt(3) == 0 ? 0 : random.nextGaussian();
            if (extreme && random.nextInt(6) == 0) {
                values[i] = EXTREMES[random.nextInt(EXTREMES.length)];
            }
        }
        return values;
    }

    /** 0, 1 and 2; if asked for, every seventh is 9, at which queries of the tests throw. */
    static double[] labels(int count, boolean throwing) {
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            labels[i] = throwing && i % 7 == 3 ? 9 : i % 3;
        }
        return labels;
    }

    /** Without the zeros. */
    static SparseBlock sparse(int columns, double[] values, double[] labels) {
        int count = labels.length;
        int[] starts = new int[count + 1];
        int[] places = new int[values.length];
        double[] numbers = new double[values.length];
        int next = 0;
        for (int row = 0; row < count; row++) {
            for (int j = 0; j < columns; j++) {
                if (values[row * columns + j] != 0) {
                    places[next] = j;
                    numbers[next++] = values[row * columns + j];
                }
            }
            starts[row + 1] = next;
        }
        return SparseBlock.of(count, columns, starts, places, numbers, labels);
    }

    static long[] sum(RecordSum query, RecordBlock block, SumGrid grid, int maxRecords) {
        RecordsInMemory records = new RecordsInMemory(block.columns(), true, List.of(block), null);
        return PartSums.of(
                records,
                new SumRequest(
                        query,
                        grid,
                        new SamplingScheme.FullPass(),
                        ReplayNoise.ofSeed(1).batchKey(),
                        maxRecords));
    }

    /** Whatever a record holds, and whatever throws beside it, it adds the same integers alone and among others, and they are bounded. */
    static void requireBoundedIntegersOfEachRow(RecordSum query, int columns) {
        int count = 600;
        double[] values = rows(count, columns, true);
        double[] labels = labels(count, true);
        SumGrid grid = SumGrid.withoutNoise(0.7, 2 * columns, 1000);
        for (RecordBlock block :
                List.of(sparse(columns, values, labels), DenseBlock.of(count, columns, values, labels))) {
            long[] total = new long[2 * columns];
            int adding = 0;
            for (int row = 0; row < count; row++) {
                long[] one = sum(query, block.part(row, row + 1), grid, 1);
                double squares = 0;
                for (int i = 0; i < one.length; i++) {
                    total[i] += one[i];
                    squares += (double) one[i] * one[i];
                }
                assertThat(Math.sqrt(squares)).as("row %d", row).isLessThanOrEqualTo(grid.sensitivity());
                adding += squares > 0 ? 1 : 0;
                if (labels[row] > 8) {
                    assertThat(squares).as("a row that throws").isZero();
                }
            }
            assertThat(adding).isBetween(count / 5, count - count / 7);
            assertThat(sum(query, block, grid, 1)).isEqualTo(total);
        }
    }
}
