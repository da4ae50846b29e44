package dev.tacit.door.sum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A record that makes a summand throw contributes nothing, and what other units contribute stays the same to the bit. */
class ThrowingSummandTest {
    private static final int COLUMNS = 7;

    private final long seed = DoorFixtures.seed();
    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed);
    private final SumGrid grid = new DiscreteGaussianMechanism(1).grid(1, COLUMNS);

    /** In what way a row throws. */
    enum Kind {
        EXCEPTION,
        STACK,
        MEMORY,
        ASSERTION
    }

    /** When: as its block is looked at, as it is its turn, or only if it is not alone in its block. */
    enum When {
        IN_PREPARE,
        IN_ITS_TURN,
        AMONG_OTHERS
    }

    /** Throws on rows that begin with a number above 1, after half of its work. */
    private record Fragile(When when, Kind kind) implements VectorSum {
        @Override
        public int dimension() {
            return COLUMNS;
        }

        private void fail(RecordBlock block, int row) {
            if (DoorFixtures.numbers(block, row)[0] > 1) {
                switch (kind) {
                    case EXCEPTION -> throw new IllegalStateException("a secret");
                    case STACK -> deeper(1);
                    case MEMORY -> throw new OutOfMemoryError("as if a record asked for too much");
                    default -> throw new AssertionError("a secret");
                }
            }
        }

        @SuppressWarnings("InfiniteRecursion")
        private static int deeper(int depth) {
            return depth < 0 ? 0 : deeper(depth + 1) + 1;
        }

        @Override
        public Worker worker() {
            return new Worker() {
                /** Not zero while a row is worked on: a worker that threw would carry it to the next row. */
                private double left;

                @Override
                public void prepare(RecordBlock block) {
                    boolean looks = when == When.IN_PREPARE || (when == When.AMONG_OTHERS && block.rows() > 1);
                    for (int row = 0; looks && row < block.rows(); row++) {
                        left = 1;
                        fail(block, row);
                    }
                    left = 0;
                }

                @Override
                public void add(RecordBlock block, int row, double[] vector) {
                    vector[0] += left;
                    left = 1;
                    VectorSum.add(block, row, 0.5, vector);
                    if (when == When.IN_ITS_TURN) {
                        fail(block, row);
                    }
                    VectorSum.add(block, row, 0.5, vector);
                    left = 0;
                }
            };
        }
    }

    /** What does not throw, in the same arithmetic. */
    private static final VectorSum SOUND = VectorSum.of(COLUMNS, (block, row, vector) -> {
        VectorSum.add(block, row, 0.5, vector);
        VectorSum.add(block, row, 0.5, vector);
    });

    private long[] sum(RecordSource records, int maxRecords, RecordSum query, SamplingScheme sampling) {
        return PartSums.of(records, DoorFixtures.request(query, grid, sampling, seed, maxRecords));
    }

    private static boolean throwsAlone(double[] row) {
        return row[0] > 1;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRecordThatThrowsContributesNothingAndMovesNoOther(Kind kind) {
        double[][] rows = DoorFixtures.rows(kind == Kind.STACK ? 80 : 500, COLUMNS, random);
        double[][] zeroed = Arrays.stream(rows)
                .map(row -> throwsAlone(row) ? new double[COLUMNS] : row)
                .toArray(double[][]::new);
        assertThat(Arrays.stream(rows).filter(ThrowingSummandTest::throwsAlone).count())
                .isBetween(1L, rows.length - 1L);
        for (SamplingScheme sampling : List.of(new FullPass(), new PoissonSampling(0.4))) {
            for (boolean sparse : new boolean[] {false, true}) {
                RecordSource source = DoorFixtures.source(rows, 64, sparse, null);
                RecordSource others = DoorFixtures.source(zeroed, 64, sparse, null);
                for (When when : When.values()) {
                    RecordSource expected = when == When.AMONG_OTHERS ? source : others;
                    assertThat(sum(source, 1, new Fragile(when, kind), sampling))
                            .as(DoorFixtures.because(kind + " " + when + " " + sampling, seed))
                            .isEqualTo(sum(expected, 1, SOUND, sampling));
                }
            }
        }
    }

    /** Each row alone and all together: the same integers, and none for those that throw. */
    @Test
    void everyRowContributesTogetherWhatItContributesAlone() {
        double[][] rows = DoorFixtures.rows(300, COLUMNS, random);
        for (When when : When.values()) {
            RecordSum query = new Fragile(when, Kind.EXCEPTION);
            long[] total = new long[COLUMNS];
            for (double[] row : rows) {
                long[] alone = sum(DoorFixtures.source(new double[][] {row}, 1, false, null), 1, query, new FullPass());
                if (throwsAlone(row) && when != When.AMONG_OTHERS) {
                    assertThat(alone).containsOnly(0);
                }
                Arrays.setAll(total, i -> total[i] + alone[i]);
            }
            assertThat(sum(DoorFixtures.source(rows, 300, false, null), 1, query, new FullPass()))
                    .as(DoorFixtures.because(when.name(), seed))
                    .isEqualTo(total);
        }
    }

    /** Persons of one to nine rows. */
    private long[] unitStarts(int rows) {
        List<Long> starts = new ArrayList<>();
        for (long row = 0; row < rows; row += 1 + random.nextInt(9)) {
            starts.add(row);
        }
        starts.add((long) rows);
        return starts.stream().mapToLong(Long::longValue).toArray();
    }

    @Test
    void oneRowThatThrowsTakesItsPersonAndNoOneElse() {
        double[][] rows = DoorFixtures.rows(600, COLUMNS, random);
        long[] starts = unitStarts(600);
        long[] expected = new long[COLUMNS];
        for (int unit = 0; unit + 1 < starts.length; unit++) {
            int from = (int) starts[unit];
            double[][] own = Arrays.copyOfRange(rows, from, (int) Math.min(starts[unit + 1], from + 3));
            if (Arrays.stream(own).noneMatch(ThrowingSummandTest::throwsAlone)) {
                RecordSource person = DoorFixtures.source(own, own.length, false, new long[] {0, own.length});
                long[] one = sum(person, 3, SOUND, new FullPass());
                Arrays.setAll(expected, i -> expected[i] + one[i]);
            }
        }
        for (When when : List.of(When.IN_PREPARE, When.IN_ITS_TURN)) {
            for (int blockRows : new int[] {2, 64, 600}) {
                RecordSource source = DoorFixtures.source(rows, blockRows, false, starts);
                assertThat(sum(source, 3, new Fragile(when, Kind.EXCEPTION), new FullPass()))
                        .as(DoorFixtures.because(when + " in blocks of " + blockRows, seed))
                        .isEqualTo(expected);
            }
        }
    }

    /** The first block of its rows was already looked at when the second one throws; a summand that is new knows nothing of it. */
    @Test
    void aPersonThatThrowsInItsSecondBlockContributesNothing() {
        double[] sound = {0.1, 0.2, 0, 0, 0, 0, 0};
        double[] bad = {1.5, 0, 0, 0, 0, 0, 0};
        double[][] rows = {sound, sound, sound, sound, bad, sound, sound, sound};
        long[] starts = {0, 1, 6, 8};
        double[][] others = {sound, sound, sound};
        for (SamplingScheme sampling : List.of(new FullPass(), new PoissonSampling(1))) {
            long[] expected = sum(DoorFixtures.source(others, 3, false, new long[] {0, 1, 3}), 5, SOUND, sampling);
            for (When when : List.of(When.IN_PREPARE, When.IN_ITS_TURN)) {
                for (int blockRows : new int[] {1, 2, 3, 4}) {
                    RecordSource source = DoorFixtures.source(rows, blockRows, false, starts);
                    assertThat(sum(source, 5, new Fragile(when, Kind.EXCEPTION), sampling))
                            .as(when + " in blocks of " + blockRows)
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** A summand that keeps what a row before it left, found by the same comparison: the test above can fail. */
    @Test
    void aSummandThatCarriesSomethingOverIsSeen() {
        double[][] rows = DoorFixtures.rows(100, COLUMNS, random);
        RecordSum carrying = new VectorSum() {
            private static final long serialVersionUID = 1;

            @Override
            public int dimension() {
                return COLUMNS;
            }

            @Override
            public Worker worker() {
                double[] left = new double[1];
                return (block, row, vector) -> {
                    vector[0] += left[0];
                    VectorSum.add(block, row, 1, vector);
                    left[0] = VectorSum.squares(block, row) / 100;
                };
            }
        };
        long[] total = new long[COLUMNS];
        for (double[] row : rows) {
            long[] alone = sum(DoorFixtures.source(new double[][] {row}, 1, false, null), 1, carrying, new FullPass());
            Arrays.setAll(total, i -> total[i] + alone[i]);
        }
        assertThat(sum(DoorFixtures.source(rows, 100, false, null), 1, carrying, new FullPass()))
                .isNotEqualTo(total);
    }
}
