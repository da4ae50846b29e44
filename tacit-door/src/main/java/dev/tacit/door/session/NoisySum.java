package dev.tacit.door.session;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.Provenance;
import java.util.Objects;

/**
 * What leaves the door: a sum over a batch with noise in it, and how much.
 *
 * <p>A release is integers on a grid; its numbers are a view of them. Only the door makes releases. Others compute from them
 * ({@link #derived}), which keeps the stamp, pass on what somebody else released ({@link #received}), or make up sums that are
 * stamped not private ({@link #simulated}).
 */
public final class NoisySum {
    private final long[] integers;
    private final double[] value;
    private final double granularity;
    private final double noiseStandardDeviation;
    private final double expectedBatchSize;
    private final Provenance provenance;

    /** A release. */
    NoisySum(long[] integers, SumGrid grid, double noise, double expectedBatchSize, Provenance provenance) {
        this.integers = integers;
        this.granularity = grid.granularity();
        this.value = grid.numbers(integers);
        this.noiseStandardDeviation = noise;
        this.expectedBatchSize = expectedBatchSize;
        this.provenance = provenance;
    }

    private NoisySum(double[] value, double noiseStandardDeviation, double expectedBatchSize, Provenance provenance) {
        this.integers = null;
        this.granularity = Double.NaN;
        this.value = value;
        this.noiseStandardDeviation = noiseStandardDeviation;
        this.expectedBatchSize = expectedBatchSize;
        this.provenance = Objects.requireNonNull(provenance, "provenance");
    }

    /** A sum that somebody else released; whoever calls this vouches for its stamp. */
    public static NoisySum received(
            double[] value, double noiseStandardDeviation, double expectedBatchSize, Provenance provenance) {
        return new NoisySum(value, noiseStandardDeviation, expectedBatchSize, provenance);
    }

    /** Numbers that no door released. */
    public static NoisySum simulated(double[] value, double noiseStandardDeviation, double expectedBatchSize) {
        return new NoisySum(value, noiseStandardDeviation, expectedBatchSize, Provenance.NOT_PRIVATE);
    }

    /** Numbers computed from this sum, with the noise that is left in each of them. */
    public NoisySum derived(double[] numbers, double noise, double batchSize) {
        return new NoisySum(numbers, noise, batchSize, provenance);
    }

    /** The noisy sum; the array itself. */
    public double[] value() {
        return value;
    }

    /** The released integers, in steps of {@link #granularity}; the array itself. */
    public long[] integers() {
        if (integers == null) {
            throw new IllegalStateException("numbers computed from a release are not on its grid");
        }
        return integers;
    }

    /** The step of the grid, a power of two; NaN for numbers that were computed from a release. */
    public double granularity() {
        return granularity;
    }

    /** Of the noise on each number, 0 for a run that is not private. */
    public double noiseStandardDeviation() {
        return noiseStandardDeviation;
    }

    /** The expected number of units in the batch, from public numbers. */
    public double expectedBatchSize() {
        return expectedBatchSize;
    }

    /** Whether it may be published. */
    public Provenance provenance() {
        return provenance;
    }

    /** The sum and its noise, scaled from the batch to a population of the given public size. */
    public NoisySum scaledTo(long publicSize) {
        double factor = publicSize / expectedBatchSize;
        double[] scaled = new double[value.length];
        for (int index = 0; index < scaled.length; index++) {
            scaled[index] = value[index] * factor;
        }
        return derived(scaled, noiseStandardDeviation * factor, (double) publicSize);
    }

    /**
     * Length of the noise expected in the sum over the length of the noisy sum itself: at 1 and above there is nothing
     * but noise. It is computed from the released value, so it costs nothing.
     */
    public double noiseToSignal() {
        double squares = 0;
        for (double number : value) {
            squares += number * number;
        }
        double noise = noiseStandardDeviation * Math.sqrt(value.length);
        return noise == 0 ? 0 : noise / Math.sqrt(squares);
    }
}
