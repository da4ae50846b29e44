package dev.tacit.door.sampling;

import static dev.tacit.noise.Statistics.LEVEL;
import static dev.tacit.noise.Statistics.because;
import static dev.tacit.noise.Statistics.chiSquarePValue;
import static dev.tacit.noise.Statistics.chiSquareTail;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.Statistics;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A correct scheme fails one check with probability 5e-9, all of them together below 1e-6. */
class SamplingSchemeTest {
    private static long[] all(BatchIndices indices, int chunkSize) {
        long[] result = new long[0];
        long[] chunk = new long[chunkSize];
        int count = indices.next(chunk);
        while (count > 0) {
            result = Arrays.copyOf(result, result.length + count);
            System.arraycopy(chunk, 0, result, result.length - count, count);
            count = indices.next(chunk);
        }
        return result;
    }

    private static int mask(BatchIndices indices) {
        int mask = 0;
        for (long index : all(indices, 3)) {
            mask |= 1 << index;
        }
        return mask;
    }

    /** All 256 subsets of 8 records: the joint law, and with it every marginal and every pair. */
    @ParameterizedTest
    @ValueSource(doubles = {0.4, 0.5, 0.75})
    void poissonSamplingHasItsJointLaw(double samplingRate) {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        PoissonSampling scheme = new PoissonSampling(samplingRate);
        int draws = 200_000;
        long[] counts = new long[256];
        for (int i = 0; i < draws; i++) {
            counts[mask(scheme.draw(8, noise))]++;
        }
        double[] probabilities = new double[256];
        for (int subset = 0; subset < 256; subset++) {
            int size = Integer.bitCount(subset);
            probabilities[subset] = Math.pow(samplingRate, size) * Math.pow(1 - samplingRate, 8 - size);
        }
        assertThat(chiSquarePValue(counts, probabilities, draws))
                .as(because("subsets", seed))
                .isGreaterThan(LEVEL);
    }

    /** Inclusion counts of 200 records are independent binomials; the pairs of neighbours are too. */
    @Test
    void poissonSamplingIncludesEachRecordAndEachPairAtItsRate() {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        double samplingRate = 0.05;
        PoissonSampling scheme = new PoissonSampling(samplingRate);
        int draws = 40_000;
        long[] single = new long[200];
        long[] pairs = new long[100];
        long[] chunk = new long[7];
        int unordered = 0;
        for (int i = 0; i < draws; i++) {
            BatchIndices indices = scheme.draw(200, noise);
            long previous = -1;
            for (int count = indices.next(chunk); count > 0; count = indices.next(chunk)) {
                for (int j = 0; j < count; j++) {
                    unordered += chunk[j] > previous ? 0 : 1;
                    single[(int) chunk[j]]++;
                    if (chunk[j] % 2 == 1 && previous == chunk[j] - 1) {
                        pairs[(int) chunk[j] / 2]++;
                    }
                    previous = chunk[j];
                }
            }
        }
        assertThat(unordered).isZero();
        assertThat(binomialPValue(single, samplingRate, draws))
                .as(because("marginals", seed))
                .isGreaterThan(LEVEL);
        assertThat(binomialPValue(pairs, samplingRate * samplingRate, draws))
                .as(because("pairs", seed))
                .isGreaterThan(LEVEL);
    }

    private static double binomialPValue(long[] counts, double probability, int draws) {
        double statistic = 0;
        for (long count : counts) {
            statistic += Math.pow(count - draws * probability, 2) / (draws * probability * (1 - probability));
        }
        return chiSquareTail(statistic, counts.length);
    }

    @Test
    void partsOfAPartitionMayBeDrawnOneByOne() {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        PoissonSampling scheme = new PoissonSampling(0.5);
        int draws = 100_000;
        long[] counts = new long[32];
        for (int i = 0; i < draws; i++) {
            counts[mask(scheme.draw(2, noise)) | mask(scheme.draw(3, noise)) << 2]++;
        }
        double[] uniform = new double[32];
        Arrays.fill(uniform, 1.0 / 32);
        assertThat(chiSquarePValue(counts, uniform, draws))
                .as(because("parts", seed))
                .isGreaterThan(LEVEL);
    }

    @Test
    void everySubsetOfFixedSizeIsEquallyLikely() {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        everySubset(56, 3, 100_000, seed, () -> new FixedSizeSampling(3, 8).draw(8, noise));
        everySubset(56, 3, 100_000, seed, () -> SortedIndices.drawnByFloyd(3, 8, noise));
        everySubset(8, 7, 50_000, seed, () -> SortedIndices.drawnByFloyd(7, 8, noise));
        everySubset(780, 2, 200_000, seed, () -> new FixedSizeSampling(2, 40).draw(40, noise));
        everySubset(1, 8, 1000, seed, () -> new FixedSizeSampling(8, 8).draw(8, noise));
    }

    private static void everySubset(int subsets, int size, int draws, long seed, Supplier<BatchIndices> draw) {
        Map<List<Long>, Long> counts = new HashMap<>();
        int wrong = 0;
        for (int i = 0; i < draws; i++) {
            long[] indices = all(draw.get(), 2);
            if (indices.length != size || indices[0] < 0) {
                wrong++;
            }
            for (int j = 1; j < indices.length; j++) {
                wrong += indices[j] > indices[j - 1] ? 0 : 1;
            }
            counts.merge(Arrays.stream(indices).boxed().toList(), 1L, Long::sum);
        }
        assertThat(wrong).isZero();
        assertThat(counts).hasSize(subsets);
        if (subsets > 1) {
            double[] uniform = new double[subsets];
            Arrays.fill(uniform, 1.0 / subsets);
            long[] observed =
                    counts.values().stream().mapToLong(Long::longValue).toArray();
            assertThat(chiSquarePValue(observed, uniform, draws))
                    .as(because("subsets", seed))
                    .isGreaterThan(LEVEL);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 5_000, 80_000, 500_000, 999_999})
    void fixedSizeBatchesOfAMillion(long batch) {
        long[] indices = all(new FixedSizeSampling(batch, 1_000_000).draw(1_000_000, ReplayNoise.ofSeed(batch)), 512);
        assertThat(indices.length).isEqualTo(batch);
        int unordered = 0;
        for (int i = 1; i < indices.length; i++) {
            unordered += indices[i] > indices[i - 1] ? 0 : 1;
        }
        assertThat(unordered).isZero();
        assertThat(indices[0]).isNotNegative();
        assertThat(indices[indices.length - 1]).isLessThan(1_000_000);
    }

    @Test
    void aFullPassSeesEverythingInOrder() {
        ReplayNoise noise = ReplayNoise.ofSeed(1);
        assertThat(all(new FullPass().draw(5, noise), 2)).containsExactly(0, 1, 2, 3, 4);
        assertThat(all(new PoissonSampling(1).draw(3, noise), 10)).containsExactly(0, 1, 2);
        assertThat(all(new FullPass().draw(0, noise), 2)).isEmpty();
        assertThat(all(new PoissonSampling(0.5).draw(0, noise), 2)).isEmpty();
    }

    /** Batches do not depend on how they are cut into chunks. */
    @Test
    void chunksDoNotChangeTheBatch() {
        for (SamplingScheme scheme :
                List.of(new PoissonSampling(0.1), new FixedSizeSampling(30, 1000), new FixedSizeSampling(300, 1000))) {
            long[] once = all(scheme.draw(1000, ReplayNoise.ofSeed(3)), 1000);
            assertThat(all(scheme.draw(1000, ReplayNoise.ofSeed(3)), 1)).isEqualTo(once);
            assertThat(all(scheme.draw(1000, ReplayNoise.ofSeed(3)), 7)).isEqualTo(once);
        }
    }

    @Test
    void writesTheEventOfWhatItDraws() {
        PrivacyProfile profile = PrivacyProfile.gaussian(2);
        PrivacyEvent release = PrivacyEvent.gaussian(2);
        assertThat(new PoissonSampling(0.01).event(profile)).isEqualTo(release.poissonSampled(0.01));
        assertThat(new FixedSizeSampling(5, 100).event(profile)).isEqualTo(release.fixedSizeSampled(5, 100));
        assertThat(new FullPass().event(profile)).isEqualTo(release);
        assertThat(new PoissonSampling(0.01).expectedBatchSize(1000)).isEqualTo(10);
        assertThat(new FixedSizeSampling(5, 100).expectedBatchSize(100)).isEqualTo(5);
        assertThat(new FullPass().expectedBatchSize(100)).isEqualTo(100);
    }

    @Test
    void refusesWhatIsNotAScheme() {
        for (double bad : new double[] {0, -1, 1.5, Double.NaN}) {
            assertThatThrownBy(() -> new PoissonSampling(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new FixedSizeSampling(0, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FixedSizeSampling(11, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FixedSizeSampling(2, 10).draw(9, ReplayNoise.ofSeed(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("9");
    }
}
