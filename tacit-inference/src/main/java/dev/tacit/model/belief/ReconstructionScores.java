package dev.tacit.model.belief;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * How well hidden units explain records of zeros and ones that somebody hands in, beside the best that a constant can do.
 *
 * <pre>
 *   reconstruction   hidden units from the whole record; share of columns where 1[m_j &gt; 0] = y_j
 *   held out         hidden units from a random half of the columns; accuracy and −log P(y_j) on the other half
 *   constant         every column at its more frequent value, or its frequency, in these very records
 * </pre>
 *
 * The constant is read off the scored records themselves: no other constant does better on them, and nothing else has to
 * be known. The halves are drawn from a fixed seed and the number of the record.
 *
 * @param heldOutNats mean over held-out columns, in nats
 */
public record ReconstructionScores(
        double reconstructionAccuracy,
        double constantReconstructionAccuracy,
        double heldOutAccuracy,
        double constantHeldOutAccuracy,
        double heldOutNats,
        double constantHeldOutNats) {
    private static final long SEED = 20_190_523;

    private static final int RECONSTRUCTED = 0;
    private static final int CONSTANT = 1;
    private static final int HELD_OUT = 2;
    private static final int CONSTANT_HELD_OUT = 3;
    private static final int NATS = 4;
    private static final int CONSTANT_NATS = 5;
    private static final int CELLS = 6;
    private static final int HELD_OUT_CELLS = 7;

    /**
     * Scores records.
     *
     * @param inference a new one for each thread
     * @param sweeps of inference
     */
    public static ReconstructionScores of(
            Supplier<HiddenUnits> inference, int columns, int sweeps, List<RecordBlock> records) {
        double[] frequencies = frequencies(inference.get(), columns, records);
        double[] sums = IntStream.range(0, records.size())
                .parallel()
                .mapToObj(block -> sums(inference.get(), frequencies, sweeps, records.get(block), block))
                .reduce(new double[8], ReconstructionScores::added);
        return new ReconstructionScores(
                sums[RECONSTRUCTED] / sums[CELLS],
                sums[CONSTANT] / sums[CELLS],
                sums[HELD_OUT] / sums[HELD_OUT_CELLS],
                sums[CONSTANT_HELD_OUT] / sums[HELD_OUT_CELLS],
                sums[NATS] / sums[HELD_OUT_CELLS],
                sums[CONSTANT_NATS] / sums[HELD_OUT_CELLS]);
    }

    /** How often each column is 1; half a record is added on either side, so that no logarithm is infinite. */
    private static double[] frequencies(HiddenUnits units, int columns, List<RecordBlock> records) {
        double[] ones = new double[columns];
        double count = 0;
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                units.infer(block, row, 0);
                for (int j = 0; j < columns; j++) {
                    ones[j] += units.isOne(j) ? 1 : 0;
                }
            }
            count += block.rows();
        }
        for (int j = 0; j < columns; j++) {
            ones[j] = (ones[j] + 0.5) / (count + 1);
        }
        return ones;
    }

    private static double[] sums(HiddenUnits units, double[] frequencies, int sweeps, RecordBlock block, int number) {
        int columns = frequencies.length;
        double[] sums = new double[8];
        boolean[] observed = new boolean[columns];
        RandomStream random = RandomStream.ofSeed(SEED).fork(number);
        for (int row = 0; row < block.rows(); row++) {
            units.infer(block, row, sweeps);
            for (int j = 0; j < columns; j++) {
                boolean one = units.isOne(j);
                sums[RECONSTRUCTED] += units.margins()[j] > 0 == one ? 1 : 0;
                sums[CONSTANT] += frequencies[j] > 0.5 == one ? 1 : 0;
            }
            sums[CELLS] += columns;
            for (int j = 0; j < columns; j++) {
                observed[j] = random.nextLong() < 0;
            }
            units.infer(block, row, observed, sweeps);
            for (int j = 0; j < columns; j++) {
                if (!observed[j]) {
                    boolean one = units.isOne(j);
                    double margin = units.margins()[j];
                    sums[HELD_OUT] += margin > 0 == one ? 1 : 0;
                    sums[NATS] += SpecialFunctions.softplus(one ? -margin : margin);
                    sums[CONSTANT_HELD_OUT] += frequencies[j] > 0.5 == one ? 1 : 0;
                    sums[CONSTANT_NATS] -= Math.log(one ? frequencies[j] : 1 - frequencies[j]);
                    sums[HELD_OUT_CELLS]++;
                }
            }
        }
        return sums;
    }

    private static double[] added(double[] a, double[] b) {
        double[] sum = a.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += b[i];
        }
        return sum;
    }
}
