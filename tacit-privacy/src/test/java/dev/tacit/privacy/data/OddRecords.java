package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.ReplayNoise;
import dev.tacit.privacy.sampling.SamplingScheme;
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
    static RecordBlock sparse(int columns, double[] values, double[] labels) {
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
        return new BatchSummation(records, maxRecords, 1)
                .sum(query, grid, new SamplingScheme.FullPass(), () -> ReplayNoise.ofSeed(1));
    }
}
