package dev.tacit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.sum.PartSums;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.QueryFixtures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

/** Sums over batches on one machine, whatever the blocks, the threads and where records are kept. */
class LocalSummationTest {
    private static final int COLUMNS = 7;

    private final long seed = QueryFixtures.seed();
    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed);
    private final SumGrid grid = new DiscreteGaussianMechanism(1).grid(1, COLUMNS);

    private static final RecordSum ROW = ContributionSum.of(COLUMNS, (block, row, sum) -> sum.addRow(0, 1));

    private static SumRequest request(
            RecordSum query, SumGrid grid, SamplingScheme sampling, long seed, int maxRecords) {
        return new SumRequest(query, grid, sampling, ReplayNoise.ofSeed(seed).batchKey(), maxRecords);
    }

    private long[] sum(RecordSource records, int maxRecords, int threads, RecordSum query, SamplingScheme sampling) {
        return new LocalSummation(records, threads).sum(request(query, grid, sampling, seed, maxRecords));
    }

    private long[] alone(double[]... rows) {
        return sum(
                QueryFixtures.source(rows, rows.length, false, new long[] {0, rows.length}),
                rows.length,
                1,
                ROW,
                new FullPass());
    }

    private static void add(long[] sums, long[] more) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += more[i];
        }
    }

    @Test
    void resultsDoNotDependOnThreadsOrBlocks() {
        double[][] rows = QueryFixtures.rows(30_001, COLUMNS, random);
        List<SamplingScheme> schemes = List.of(
                new FullPass(),
                new PoissonSampling(0.1),
                new PoissonSampling(1),
                new FixedSizeSampling(900, 30_001),
                new FixedSizeSampling(20_000, 30_001));
        for (SamplingScheme sampling : schemes) {
            long[] expected = sum(QueryFixtures.source(rows, 30_001, false, null), 1, 1, ROW, sampling);
            for (int threads : new int[] {1, 2, 5}) {
                for (int blockRows : new int[] {1000, 4096}) {
                    assertThat(sum(QueryFixtures.source(rows, blockRows, false, null), 1, threads, ROW, sampling))
                            .as(QueryFixtures.because(sampling + " on " + threads + " threads", seed))
                            .isEqualTo(expected);
                }
            }
            long[] sparse = sum(QueryFixtures.source(rows, 512, true, null), 1, 2, ROW, sampling);
            for (int i = 0; i < COLUMNS; i++) {
                // The norms are summed in another order, so a record may round to the next point of the grid.
                assertThat(Math.abs(sparse[i] - expected[i])).isLessThan(100);
            }
        }
    }

    /** Persons whose rows lie across blocks, in stretches of all lengths, some of which are longer than a thread's share. */
    @Test
    void personsDoNotDependOnThreads() {
        double[][] rows = QueryFixtures.rows(60_000, COLUMNS, random);
        long[] starts = unitStarts(rows.length, random);
        int units = starts.length - 1;
        for (boolean sparse : new boolean[] {false, true}) {
            for (SamplingScheme sampling :
                    List.of(new FullPass(), new PoissonSampling(0.2), new FixedSizeSampling(units / 3, units))) {
                RecordSource source = QueryFixtures.source(rows, 500, sparse, starts);
                long[] expected = PartSums.of(source, request(ROW, grid, sampling, seed, 3));
                for (int threads : new int[] {1, 2, 5}) {
                    assertThat(sum(source, 3, threads, ROW, sampling))
                            .as(QueryFixtures.because(sampling + " on " + threads + " threads", seed))
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void blocksOfAnotherShapeAreRefused() {
        RecordBlock one = QueryFixtures.dense(new double[] {1, 2});
        RecordBlock two = DenseBlock.of(2, 2, new double[4], null);
        assertThatThrownBy(() -> new RecordsInMemory(2, false, List.of(one, two), null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RecordsInMemory(2, false, List.of(two), new long[] {0, 1, 1, 2}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LocalSummation(RecordsInMemory.of(one, true), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A reader that copies each block from elsewhere, as one that reads a file does, with memory that it uses again. */
    private record Spilled(RecordsInMemory records) implements RecordSource {
        @Override
        public int columns() {
            return records.columns();
        }

        @Override
        public boolean labelled() {
            return true;
        }

        @Override
        public long rows() {
            return records.rows();
        }

        @Override
        public int blockRows() {
            return records.blockRows();
        }

        @Override
        public long units() {
            return records.units();
        }

        @Override
        public long firstRow(long unit) {
            return records.firstRow(unit);
        }

        @Override
        public Reader reader() {
            BlockBuffer memory = new BlockBuffer();
            return new BlockReader() {
                @Override
                public RecordBlock block(long number) {
                    RecordBlock block = records.reader().block(number);
                    int[] all = new int[block.rows()];
                    Arrays.setAll(all, row -> row);
                    Arrays.fill(memory.values(block.rows() * block.columns()), Double.NaN);
                    return memory.select(block, all, all.length);
                }
            };
        }
    }

    private static long[] unitStarts(int rows, UniformRandomProvider random) {
        List<Long> starts = new ArrayList<>();
        for (long row = 0; row < rows; row += 1 + random.nextInt(9)) {
            starts.add(row);
        }
        starts.add((long) rows);
        return starts.stream().mapToLong(Long::longValue).toArray();
    }

    @Test
    void spilledRecordsAreReadAsThoseInMemory() {
        double[][] rows = QueryFixtures.rows(3000, COLUMNS, random);
        long[] starts = unitStarts(3000, random);
        for (boolean sparse : new boolean[] {false, true}) {
            for (long[] units : new long[][] {null, starts}) {
                for (SamplingScheme sampling : List.of(new FullPass(), new PoissonSampling(0.3))) {
                    RecordsInMemory memory = QueryFixtures.source(rows, 100, sparse, units);
                    int maxRecords = units == null ? 1 : 3;
                    assertThat(sum(new Spilled(memory), maxRecords, 2, ROW, sampling))
                            .isEqualTo(sum(memory, maxRecords, 2, ROW, sampling));
                }
            }
        }
    }

    /** Persons whose rows lie across blocks: at most maxRecords rows are summed, and clipped once. */
    @Test
    void aPersonIsClippedOnce() {
        double[][] rows = QueryFixtures.rows(2000, COLUMNS, random);
        long[] starts = unitStarts(2000, random);
        for (int maxRecords : new int[] {1, 2, 4, 100}) {
            long[] expected = new long[COLUMNS];
            for (int unit = 0; unit + 1 < starts.length; unit++) {
                int from = (int) starts[unit];
                int to = (int) Math.min(starts[unit + 1], from + maxRecords);
                add(expected, alone(Arrays.copyOfRange(rows, from, to)));
            }
            for (int blockRows : new int[] {1, 2, 3, 17, 2000}) {
                for (int threads : new int[] {1, 2}) {
                    RecordSource source = QueryFixtures.source(rows, blockRows, false, starts);
                    assertThat(sum(source, maxRecords, threads, ROW, new FullPass()))
                            .as(QueryFixtures.because(maxRecords + " records in blocks of " + blockRows, seed))
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** A person of zeros, whose norm has no closed form, once took the first record of the person after. */
    @Test
    void aPersonOfZerosTakesNothingFromTheNext() {
        double[][] rows = {
            {1, 0, 0, 0, 0, 0, 0}, new double[COLUMNS], {0.1, 0.2, 0, 0, 0, 0, 0}, {0, 0, 0.3, 0, 0, 0, 0}
        };
        long[] starts = {0, 1, 2, 4};
        long[] expected = alone(new double[][] {rows[0]});
        add(expected, alone(rows[2], rows[3]));
        RecordSource source = QueryFixtures.source(rows, 4, false, starts);
        assertThat(sum(source, 2, 1, ROW, new FullPass())).isEqualTo(expected);
    }

    /** A NaN anywhere in a record makes its own contribution zero and leaves all others where they were. */
    @Test
    void poisonStaysWithItsRecord() {
        double[][] rows = QueryFixtures.rows(300, COLUMNS, random);
        double[][] others = new double[299][];
        System.arraycopy(rows, 0, others, 0, 150);
        System.arraycopy(rows, 151, others, 150, 149);
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE}) {
            rows[150] = new double[] {bad, -bad, 1, bad, 0, 0, bad};
            long[] with = sum(QueryFixtures.source(rows, 64, true, null), 1, 2, ROW, new FullPass());
            long[] without = sum(QueryFixtures.source(others, 64, true, null), 1, 2, ROW, new FullPass());
            double squares = 0;
            for (int i = 0; i < COLUMNS; i++) {
                squares += Math.pow((double) (with[i] - without[i]), 2);
            }
            assertThat(Math.sqrt(squares)).isLessThanOrEqualTo(grid.sensitivity());
            if (bad != Double.MAX_VALUE) {
                assertThat(with).isEqualTo(without);
            }
        }
    }

    /** Each unit and each pair of units is in Poisson batches as often as the rate says; a share beyond 6 standard deviations has probability below 1e-8. */
    @Test
    void poissonBatchesHaveTheirLaw() {
        int units = 8;
        int batches = 40_000;
        double rate = 0.3;
        double[][] rows = new double[units][units];
        for (int unit = 0; unit < units; unit++) {
            rows[unit][unit] = 1;
        }
        SumGrid unitGrid = new DiscreteGaussianMechanism(1).grid(1, units);
        RecordSum query = ContributionSum.of(units, (block, row, sum) -> sum.addRow(0, 1));
        LocalSummation summation = new LocalSummation(QueryFixtures.source(rows, 3, false, null), 1);
        long[][] together = new long[units][units];
        for (int number = 0; number < batches; number++) {
            long[] sums = summation.sum(request(query, unitGrid, new PoissonSampling(rate), seed + number, 1));
            for (int i = 0; i < units; i++) {
                for (int j = 0; j < units; j++) {
                    together[i][j] += sums[i] != 0 && sums[j] != 0 ? 1 : 0;
                }
            }
        }
        for (int i = 0; i < units; i++) {
            for (int j = 0; j <= i; j++) {
                double expected = i == j ? rate : rate * rate;
                double deviation = Math.sqrt(expected * (1 - expected) / batches);
                assertThat((double) together[i][j] / batches)
                        .as(QueryFixtures.because("units " + i + " and " + j, seed))
                        .isBetween(expected - 6 * deviation, expected + 6 * deviation);
            }
        }
    }

    /** Batches of fixed size from places of which some are empty, because their units were left out; the same false alarms. */
    @Test
    void fixedSizeBatchesHaveTheirLawAndEmptyPlaces() {
        int units = 6;
        int population = 8;
        int batches = 40_000;
        double[][] rows = new double[units][units];
        for (int unit = 0; unit < units; unit++) {
            rows[unit][unit] = 1;
        }
        SumGrid unitGrid = new DiscreteGaussianMechanism(1).grid(1, units);
        RecordSum query = ContributionSum.of(units, (block, row, sum) -> sum.addRow(0, 1));
        LocalSummation summation = new LocalSummation(QueryFixtures.source(rows, 4, false, null), 1);
        long[][] together = new long[units][units];
        for (int number = 0; number < batches; number++) {
            long[] sums =
                    summation.sum(request(query, unitGrid, new FixedSizeSampling(3, population), seed + number, 1));
            for (int i = 0; i < units; i++) {
                for (int j = 0; j < units; j++) {
                    together[i][j] += sums[i] != 0 && sums[j] != 0 ? 1 : 0;
                }
            }
        }
        for (int i = 0; i < units; i++) {
            for (int j = 0; j <= i; j++) {
                double expected = i == j ? 3.0 / 8 : 3.0 * 2 / (8 * 7);
                double deviation = Math.sqrt(expected * (1 - expected) / batches);
                assertThat((double) together[i][j] / batches)
                        .as(QueryFixtures.because("units " + i + " and " + j, seed))
                        .isBetween(expected - 6 * deviation, expected + 6 * deviation);
            }
        }
    }

    @Test
    void noRecordsSumToZero() {
        RecordsInMemory none = new RecordsInMemory(COLUMNS, true, List.of(), null);
        for (SamplingScheme sampling : List.of(new FullPass(), new PoissonSampling(0.5), new FixedSizeSampling(1, 5))) {
            assertThat(sum(none, 1, 2, ROW, sampling)).containsOnly(0);
        }
    }
}
