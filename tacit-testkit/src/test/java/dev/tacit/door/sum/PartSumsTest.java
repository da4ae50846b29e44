package dev.tacit.door.sum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

/** The sums of the parts are those of the whole, bit by bit, however records are cut into parts. Seeds are fixed. */
class PartSumsTest {
    private static final long SEED = 20_261_117;
    private static final int CUTS = 640;
    private static final int COLUMNS = 3;

    /** Clipped for about half of the rows. */
    private static final VectorSum QUERY = VectorSum.of(COLUMNS + 1, (block, row, vector) -> {
        VectorSum.add(block, row, 0.4, vector);
        vector[COLUMNS] += VectorSum.squares(block, row) / 8;
    });

    private static final SumGrid GRID = new DiscreteGaussianMechanism(1).grid(1, COLUMNS + 1);

    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);

    /**
     * Units of a table.
     *
     * @param rows of all units
     * @param unitStarts the first row of each unit, then the number of rows
     * @param stretches of each unit, ascending from 0; null if every row is a unit and stretches have the usual length
     */
    private record Table(double[][] rows, int[] unitStarts, int[] stretches) {
        int units() {
            return unitStarts.length - 1;
        }

        boolean grouped() {
            return rows.length != units();
        }

        /** Units from one up to, not including, another. */
        RecordSource part(int from, int to, int blockRows, boolean sparse, boolean ownStreams) {
            double[][] own = Arrays.copyOfRange(rows, unitStarts[from], unitStarts[to]);
            long[] starts = IntStream.rangeClosed(from, to)
                    .mapToLong(unit -> unitStarts[unit] - unitStarts[from])
                    .toArray();
            RecordSource inner = new MemoryRecords(own, COLUMNS, blockRows, sparse, grouped() ? starts : null);
            return new Part(inner, this, from, ownStreams);
        }
    }

    /** @param ownStreams a defect: it counts streams from its own first unit */
    private record Part(RecordSource inner, Table table, int from, boolean ownStreams) implements RecordSource {
        @Override
        public int columns() {
            return inner.columns();
        }

        @Override
        public boolean labelled() {
            return inner.labelled();
        }

        @Override
        public long rows() {
            return inner.rows();
        }

        @Override
        public int blockRows() {
            return inner.blockRows();
        }

        @Override
        public long units() {
            return inner.units();
        }

        @Override
        public long firstRow(long unit) {
            return inner.firstRow(unit);
        }

        @Override
        public long unitsBefore() {
            return from;
        }

        @Override
        public Stretch stretchOf(long unit) {
            if (ownStreams) {
                return inner.stretchOf(unit);
            }
            int[] stretches = table.stretches();
            if (stretches == null) {
                return RecordSource.super.stretchOf(unit);
            }
            int place = from + (int) unit;
            int first = place;
            while (first > 0 && stretches[first - 1] == stretches[place]) {
                first--;
            }
            int end = place;
            while (end < from + units() && stretches[end] == stretches[place]) {
                end++;
            }
            return new Stretch(stretches[place], place - first, end - place);
        }

        @Override
        public Reader reader() {
            return inner.reader();
        }
    }

    /** Every 40th table is so long that it has several stretches of the usual length; others have short ones of their own. */
    private Table table(int number, boolean persons) {
        boolean usual = number % 40 == 0;
        int units = usual ? RecordSource.STRETCH_UNITS + random.nextInt(12_000) : 1 + random.nextInt(150);
        int[] starts = new int[units + 1];
        for (int unit = 0; unit < units; unit++) {
            starts[unit + 1] = starts[unit] + (persons ? 1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 3) : 1);
        }
        int[] stretches = usual ? null : new int[units];
        for (int unit = 1; !usual && unit < units; unit++) {
            // Marks of nobody leave streams out.
            stretches[unit] = stretches[unit - 1] + (random.nextInt(9) == 0 ? 1 + random.nextInt(3) : 0);
        }
        return new Table(DoorFixtures.rows(starts[units], COLUMNS, random), starts, stretches);
    }

    private SamplingScheme sampling(int number, int units) {
        return switch (number % 3) {
            case 0 -> new FullPass();
            case 1 -> new PoissonSampling(0.05 + 0.9 * random.nextDouble());
            default -> {
                // Some places have no unit, because it was left out.
                int population = units + random.nextInt(20);
                yield new FixedSizeSampling(1 + random.nextInt(population), population);
            }
        };
    }

    /** Where parts begin; persons are cut between stretches. */
    private int[] cuts(Table table) {
        int units = table.units();
        List<Integer> cuts = new ArrayList<>(List.of(0));
        for (int i = random.nextInt(6); i > 0; i--) {
            int cut = random.nextInt(units + 1);
            while (table.grouped() && cut > 0 && cut < units && sameStretch(table, cut)) {
                cut++;
            }
            cuts.add(cut);
        }
        cuts.add(units);
        return cuts.stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    private static boolean sameStretch(Table table, int unit) {
        return table.stretches() == null
                ? unit % RecordSource.STRETCH_UNITS != 0
                : table.stretches()[unit] == table.stretches()[unit - 1];
    }

    private static long[] plus(long[] sums, long[] more) {
        long[] both = new long[sums.length];
        Arrays.setAll(both, i -> sums[i] + more[i]);
        return both;
    }

    /** How many of the cuts give other sums than the whole. */
    private int wrongCuts(boolean ownStreams) {
        int wrong = 0;
        for (int number = 0; number < CUTS; number++) {
            boolean sparse = random.nextBoolean();
            Table table = table(number, number % 2 == 1 || number % 80 == 0);
            SamplingScheme sampling = sampling(number, table.units());
            SumRequest request = DoorFixtures.request(QUERY, GRID, sampling, number, 1 + random.nextInt(4));
            RecordSource whole = table.part(0, table.units(), 1 + random.nextInt(64), sparse, false);
            long[] expected = PartSums.of(whole, request);
            int[] cuts = cuts(table);
            long[] together = new long[GRID.dimension()];
            for (int i = 0; i + 1 < cuts.length; i++) {
                RecordSource part = table.part(cuts[i], cuts[i + 1], 1 + random.nextInt(64), sparse, ownStreams);
                long[] share = PartSums.of(part, request);
                assertThat(PartSums.of(part, request)).as("a part again").isEqualTo(share);
                together = plus(together, share);
            }
            wrong += Arrays.equals(together, expected) ? 0 : 1;
        }
        return wrong;
    }

    @Test
    void partsAddUpToTheWhole() {
        assertThat(wrongCuts(false)).as("cuts of " + CUTS + ", seed " + SEED).isZero();
    }

    /** A third of the cuts are Poisson batches, most of them of several parts. */
    @Test
    void aPartWithStreamsOfItsOwnIsFound() {
        assertThat(wrongCuts(true)).as("cuts of " + CUTS + ", seed " + SEED).isGreaterThan(CUTS / 6);
    }

    /** A batch is not the same units whatever the key says, and units of different stretches are not drawn alike. */
    @Test
    void everyKeyAndEveryStretchHasABatchOfItsOwn() {
        int units = 3 * RecordSource.STRETCH_UNITS;
        double[][] rows = new double[units][1];
        for (int unit = 0; unit < units; unit++) {
            rows[unit][0] =
                    unit % RecordSource.STRETCH_UNITS < 40 ? Math.scalb(1.0, -(unit % RecordSource.STRETCH_UNITS)) : 0;
        }
        SumGrid fine = SumGrid.withoutNoise(1, 1, 1);
        RecordSource all = DoorFixtures.source(rows, 1000, false, null);
        List<Long> batches = new ArrayList<>();
        for (long key = 0; key < 3; key++) {
            SumRequest request = DoorFixtures.request(VectorSum.ofRows(1), fine, new PoissonSampling(0.5), key, 1);
            for (long stretch = 0; stretch < 3; stretch++) {
                PartSums sums = new PartSums(all, request);
                sums.addUnits(stretch * RecordSource.STRETCH_UNITS, RecordSource.STRETCH_UNITS);
                batches.add(sums.sums()[0]);
            }
        }
        // Two of nine batches of 40 units are equal with probability 36 · 2^−40.
        assertThat(batches).doesNotHaveDuplicates();
    }

    @Test
    void aRequestThatTravelledIsTheSame() throws IOException, ClassNotFoundException {
        Table table = table(1, true);
        for (int number = 0; number < 3; number++) {
            SumRequest request = DoorFixtures.request(QUERY, GRID, sampling(number, table.units()), number, 3);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(request);
            }
            SumRequest read;
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                read = (SumRequest) in.readObject();
            }
            BatchKey key = read.batch();
            assertThat(key.stretch(5).nextLong())
                    .isEqualTo(request.batch().stretch(5).nextLong());
            RecordSource whole = table.part(0, table.units(), 16, false, false);
            assertThat(PartSums.of(whole, read)).isEqualTo(PartSums.of(whole, request));
        }
    }
}
