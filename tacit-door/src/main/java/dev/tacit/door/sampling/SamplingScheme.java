package dev.tacit.door.sampling;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.noise.RandomBits;
import java.io.Serializable;

/**
 * Which records a release sees: one object both draws the batch and writes the event, so the two cannot disagree.
 *
 * <p>There is no way to hand in a batch. All draws are exact: the event's law is the law of the indices, without
 * rounding or bias.
 */
public sealed interface SamplingScheme extends Serializable {
    /**
     * Draws a fresh batch from records 0 up to {@code populationSize}.
     *
     * @param populationSize how many records there are; for {@link PoissonSampling} and {@link FullPass} the parts of a
     *     partition may be drawn one by one, each with its own fork of the noise, and together are a draw from the
     *     whole
     * @param bits read while the indices are consumed; not to be used elsewhere meanwhile
     */
    BatchIndices draw(long populationSize, RandomBits bits);

    /** What a release of the given profile on such a batch is to accounting. */
    PrivacyEvent event(PrivacyProfile profile);

    /** The expected number of records in a batch, from the public number of records; the divisor of every mean. */
    double expectedBatchSize(long publicSize);

    /**
     * Each record independently with the same probability.
     *
     * <pre>
     *   gaps between chosen records: G, P(G ≥ k) = (1 − samplingRate)^k, exactly ({@link RandomBits#failures})
     * </pre>
     *
     * @param samplingRate the probability of being in a batch, from 2^−100 to 1
     */
    record PoissonSampling(double samplingRate) implements SamplingScheme {
        public PoissonSampling {
            if (!(samplingRate >= RandomBits.SMALLEST_RATE && samplingRate <= 1)) {
                throw new IllegalArgumentException("a sampling rate is a number from 2^-100 to 1");
            }
        }

        @Override
        public BatchIndices draw(long populationSize, RandomBits bits) {
            requirePopulation(populationSize);
            return samplingRate == 1
                    ? new SequentialIndices(populationSize, populationSize, bits)
                    : new PoissonIndices(samplingRate, populationSize, bits);
        }

        @Override
        public PrivacyEvent event(PrivacyProfile profile) {
            return new PrivacyEvent.Release(profile).poissonSampled(samplingRate);
        }

        @Override
        public double expectedBatchSize(long publicSize) {
            return samplingRate * publicSize;
        }
    }

    /**
     * Exactly {@code batch} of {@code population} records, every subset equally likely.
     *
     * <p>Small batches by Floyd's algorithm (Bentley, Floyd 1987, Algorithm F2) and a sort, in memory proportional to
     * the batch; large ones by selection sampling (Knuth, Volume 2, 3.4.2, Algorithm S). The number of records must be
     * public, as it is under replace-one neighbours.
     *
     * @param batch how many records are chosen, at least 1
     * @param population how many records there are
     */
    record FixedSizeSampling(long batch, long population) implements SamplingScheme {
        /** Selection sampling costs one draw a record, Floyd's algorithm about this many times more an index. */
        private static final int FLOYD_COST = 16;

        public FixedSizeSampling {
            if (batch < 1 || batch > population) {
                throw new IllegalArgumentException("a fixed-size batch has at least 1 record and at most all of them");
            }
        }

        @Override
        public BatchIndices draw(long populationSize, RandomBits bits) {
            if (populationSize != population) {
                throw new IllegalArgumentException("fixed-size sampling was declared for " + population
                        + " records, and the data set has another number");
            }
            return batch < population / FLOYD_COST
                    ? SortedIndices.drawnByFloyd(Math.toIntExact(batch), population, bits)
                    : new SequentialIndices(batch, population, bits);
        }

        @Override
        public PrivacyEvent event(PrivacyProfile profile) {
            return new PrivacyEvent.Release(profile).fixedSizeSampled(batch, population);
        }

        @Override
        public double expectedBatchSize(long publicSize) {
            return batch;
        }
    }

    /** Every record, every time. */
    record FullPass() implements SamplingScheme {
        @Override
        public BatchIndices draw(long populationSize, RandomBits bits) {
            requirePopulation(populationSize);
            return new SequentialIndices(populationSize, populationSize, bits);
        }

        @Override
        public PrivacyEvent event(PrivacyProfile profile) {
            return new PrivacyEvent.Release(profile);
        }

        @Override
        public double expectedBatchSize(long publicSize) {
            return publicSize;
        }
    }

    private static void requirePopulation(long populationSize) {
        if (populationSize < 0) {
            throw new IllegalArgumentException("a population has 0 records or more");
        }
    }
}
