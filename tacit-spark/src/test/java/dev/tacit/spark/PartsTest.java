package dev.tacit.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.noise.RandomBits;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks without Spark: random cuts of a table, and twins that get it wrong. */
class PartsTest {
    private static final int ROWS = 40_000;
    private static final int BLOCK = 4096;
    private static final ContributionSum QUERY =
            ContributionSum.of(3, (block, row, contribution) -> contribution.addRow(0, 1));

    private static double[] numbers() {
        double[] numbers = new double[3 * ROWS];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Math.sin(i * 0.37) * 0.5;
        }
        return numbers;
    }

    private static List<RecordBlock> blocks(int from, int to) {
        double[] all = numbers();
        List<RecordBlock> blocks = new ArrayList<>();
        for (int row = from; row < to; row += BLOCK) {
            int count = Math.min(BLOCK, to - row);
            blocks.add(DenseBlock.of(count, 3, java.util.Arrays.copyOfRange(all, 3 * row, 3 * (row + count)), null));
        }
        return blocks;
    }

    private static SumRequest request(SamplingScheme sampling, BatchKey key) {
        SumGrid grid = new DiscreteGaussianMechanism(2).grid(1, 3);
        return new SumRequest(QUERY, grid, sampling, key, 1);
    }

    private static long[] cut(int[] ends, SumRequest request) {
        List<EncodedPart> parts = new ArrayList<>();
        List<PartFacts> facts = new ArrayList<>();
        int from = 0;
        for (int end : ends) {
            EncodedPart part = new EncodedPart(3, false, blocks(from, end), null, null, Clusters.SECRET, null);
            parts.add(part);
            facts.add(part.facts());
            from = end;
        }
        ShareTask task = new ShareTask(facts, request, RollCall.ofDriver());
        Share sum = new Share(Share.Verdict.SUMMED, new long[3]);
        for (int i = 0; i < parts.size(); i++) {
            sum = sum.and(task.share(i, parts.get(i)));
        }
        assertThat(sum.verdict()).isEqualTo(Share.Verdict.SUMMED);
        return sum.sums();
    }

    private static long[] whole(SumRequest request) {
        return new LocalSummation(new RecordsInMemory(3, false, blocks(0, ROWS), null), 2).sum(request);
    }

    @Test
    void sumsDoNotDependOnCuts() {
        ReplayNoise random = ReplayNoise.ofSeed(99);
        for (double rate : new double[] {1e-4, 0.01, 0.3, 0.9999, 1}) {
            SumRequest request = request(
                    new SamplingScheme.PoissonSampling(rate), random.fork(1).batchKey());
            long[] expected = whole(request);
            for (int i = 0; i < 12; i++) {
                int[] ends =
                        random.fork(i).below(2) == 0 ? new int[] {1, ROWS / 3, ROWS / 3, ROWS} : randomEnds(random);
                assertThat(cut(ends, request)).isEqualTo(expected);
            }
        }
        SumRequest fixed = request(new SamplingScheme.FixedSizeSampling(500, ROWS), random.batchKey());
        assertThat(cut(randomEnds(random), fixed)).isEqualTo(whole(fixed));
    }

    private static int[] randomEnds(ReplayNoise random) {
        int[] ends = new int[8];
        for (int i = 0; i < ends.length - 1; i++) {
            ends[i] = (int) random.below(ROWS);
        }
        ends[ends.length - 1] = ROWS;
        java.util.Arrays.sort(ends);
        return ends;
    }

    /** Bits that tell whether a limit was moved: whoever draws up to the end of a part reads others than whoever draws the stretch. */
    @Test
    void aStretchThatIsCutIsDrawnWhole() {
        List<Long> limits = new ArrayList<>();
        BatchKey asked = number -> new RandomBits() {
            @Override
            public long nextLong() {
                return 0;
            }

            @Override
            public long below(long bound) {
                return 0;
            }

            @Override
            public long failures(double rate, long limit) {
                limits.add(number * 100_000 + limit);
                return limit;
            }
        };
        cut(new int[] {5000, 12_000, ROWS}, request(new SamplingScheme.PoissonSampling(0.5), asked));
        assertThat(limits)
                .containsExactly(8192L, 8192L, 108_192L, 108_192L, 208_192L, 308_192L, 400_000L + ROWS % 8192);
    }

    /** A twin whose tasks draw with randomness of their own: the same part twice is another batch. */
    @Test
    void randomnessOfATaskIsFound() {
        BatchKey careless = number -> SecureNoise.create();
        SumRequest request = request(new SamplingScheme.PoissonSampling(0.5), careless);
        int[] ends = {10_000, ROWS};
        assertThat(cut(ends, request)).isNotEqualTo(cut(ends, request)); // equal with probability below 1e-6
    }

    /** One bit of one number, one label, one unit more: another digest. */
    @Test
    void digestsSeeEveryBit() {
        EncodedPart part = new EncodedPart(3, false, blocks(0, 5000), null, null, Clusters.SECRET, null);
        List<RecordBlock> changed = blocks(0, 5000);
        DenseBlock block = (DenseBlock) changed.get(1);
        block.values()[77] = Math.nextUp(block.values()[77]);
        assertThat(new EncodedPart(3, false, changed, null, null, Clusters.SECRET, null)
                        .facts()
                        .digest())
                .isNotEqualTo(part.facts().digest());
        assertThat(new EncodedPart(3, false, blocks(0, 5000), null, null, Clusters.SECRET, null)
                        .facts()
                        .digest())
                .isEqualTo(part.facts().digest());
        byte[] otherKey = Clusters.SECRET.clone();
        otherKey[3]++;
        assertThat(new EncodedPart(3, false, blocks(0, 5000), null, null, otherKey, null)
                        .facts()
                        .digest())
                .isNotEqualTo(part.facts().digest());
        ShareTask task = new ShareTask(
                List.of(part.facts()),
                request(new SamplingScheme.FullPass(), ReplayNoise.ofSeed(1).batchKey()),
                RollCall.ofDriver());
        EncodedPart other = new EncodedPart(3, false, changed, null, null, Clusters.SECRET, null);
        assertThat(task.share(0, other).verdict()).isEqualTo(Share.Verdict.CHANGED);
    }

    /** A message of the 8 bytes 00 01 ... 07 under the key 00 01 ... 0f. */
    @Test
    void theDigestIsSipHash() {
        byte[] key = new byte[16];
        java.nio.ByteBuffer little = java.nio.ByteBuffer.allocate(16);
        for (int i = 0; i < 16; i++) {
            little.put((byte) i);
        }
        java.nio.ByteBuffer halves = little.flip().order(java.nio.ByteOrder.LITTLE_ENDIAN);
        java.nio.ByteBuffer.wrap(key).putLong(halves.getLong()).putLong(halves.getLong());
        PartDigest digest = new PartDigest(key);
        digest.add(0x0706050403020100L);
        // From a program in Python that gives the reference implementation's 93f5f5799a932462 with 2 and 4 rounds.
        assertThat(digest.end()).isEqualTo(0x369095118d299a8eL);
    }

    /** The numbers of a block are digested by a loop of their own. */
    @Test
    void theDigestOfABlockIsThatOfItsWords() {
        double[] values = {1, -2.5, Double.NaN, 4, 5, 6};
        double[] labels = {0, 1};
        PartDigest words = new PartDigest(Clusters.SECRET);
        words.add(2L << 32 | 3);
        for (double[] numbers : List.of(labels, values)) {
            for (double number : numbers) {
                words.add(Double.doubleToRawLongBits(number));
            }
        }
        PartDigest block = new PartDigest(Clusters.SECRET);
        block.add(DenseBlock.of(2, 3, values, labels));
        assertThat(block.end()).isEqualTo(words.end());
    }

    @Test
    void anExecutorThatComputesOtherwiseIsNotAsked() {
        EncodedPart part = new EncodedPart(3, false, blocks(0, 10), null, null, Clusters.SECRET, null);
        ShareTask task = new ShareTask(
                List.of(part.facts()),
                request(new SamplingScheme.FullPass(), ReplayNoise.ofSeed(1).batchKey()),
                new RollCall("another machine"));
        assertThat(task.share(0, part).verdict()).isEqualTo(Share.Verdict.OTHER_MACHINE);
    }
}
