package dev.tacit.door.sum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever computed a unit's numbers, it moves the sums by at most the sensitivity; what was clipped correctly is added whole. */
class UnitSumTest {
    private static final int DIMENSION = 12;
    private static final int UNITS = 50;
    private static final long SEED = 19;

    private static SumGrid grid(double noiseMultiplier, int dimension) {
        return new DiscreteGaussianMechanism(noiseMultiplier).grid(1.7, dimension);
    }

    private static double norm(long[] sums) {
        double total = 0;
        for (long sum : sums) {
            total += (double) sum * sum;
        }
        return Math.sqrt(total);
    }

    /** A way to the sums with a defect, for a unit whose numbers were clipped correctly. */
    @FunctionalInterface
    private interface Path {
        void add(UnitSum sum, int unit, double[] steps);
    }

    /** A summand with a defect: its records are vectors of grid steps that were clipped correctly. */
    private record Saboteur(String name, BiConsumer<RecordBlock, UnitSum> defect) implements RecordSum {
        @Override
        public int dimension() {
            return DIMENSION;
        }

        @Override
        public Summand summand(SumGrid grid) {
            return new Summand() {
                @Override
                public void addRows(RecordBlock block, UnitSum sum) {
                    defect.accept(block, sum);
                }

                @Override
                public void addPart(RecordBlock block, boolean last, UnitSum sum) {
                    defect.accept(block, sum);
                }
            };
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Saboteur saboteur(String name, Path path) {
        return new Saboteur(name, (block, sum) -> {
            for (int row = 0; row < block.rows(); row++) {
                path.add(sum, row, steps(block, row));
            }
        });
    }

    private static double[] steps(RecordBlock block, int row) {
        return DoorFixtures.numbers(block, row);
    }

    private static double[] changed(double[] steps, int place, double number) {
        double[] changed = steps.clone();
        changed[place] = number;
        return changed;
    }

    private static double[] scaled(double[] steps, double factor) {
        return Arrays.stream(steps).map(step -> factor * step).toArray();
    }

    private static void run(UnitSum sum, int unit, int offset, double[] steps, int count) {
        sum.begin(unit, steps);
        sum.run(offset, count);
        sum.end();
    }

    private static void runs(UnitSum sum, int unit, double[] steps, int[] offsets, int... sizes) {
        sum.begin(unit, steps);
        for (int i = 0; i < offsets.length; i++) {
            sum.run(offsets[i], sizes[i]);
        }
        sum.end();
    }

    private static void one(UnitSum sum, int unit, double[] steps) {
        run(sum, unit, 0, steps, DIMENSION);
    }

    private static void entries(UnitSum sum, int unit, double[] steps, int offset) {
        sum.begin(unit, steps);
        sum.entries(sparse(steps), 0, steps.length, offset, 1);
        sum.end();
    }

    private static SparseBlock sparse(double[] row) {
        int[] places = new int[row.length];
        Arrays.setAll(places, i -> i);
        return SparseBlock.of(1, row.length, new int[] {0, row.length}, places, row, null);
    }

    private static double[][] columns(double[]... units) {
        double[][] columns = new double[units[0].length][units.length];
        for (int i = 0; i < units.length; i++) {
            for (int j = 0; j < columns.length; j++) {
                columns[j][i] = units[i][j];
            }
        }
        return columns;
    }

    private static double[][] columns(RecordBlock block) {
        double[][] units = new double[block.rows()][];
        Arrays.setAll(units, row -> steps(block, row));
        return columns(units);
    }

    /** What computes numbers wrongly. */
    private static Stream<Saboteur> wrongNumbers() {
        double[] stale = new double[DIMENSION];
        return Stream.of(
                saboteur("a norm that is half of the true one", (sum, unit, v) -> one(sum, unit, scaled(v, 2))),
                saboteur("a norm that is off by a millionth", (sum, unit, v) -> one(sum, unit, scaled(v, 1.000001))),
                saboteur("squares that overflow", (sum, unit, v) -> one(sum, unit, scaled(v, 1e300))),
                saboteur("integers that overflow", (sum, unit, v) -> one(sum, unit, changed(v, 2, 0x1p63))),
                saboteur("rounding beyond 2^51", (sum, unit, v) -> one(sum, unit, changed(v, 2, 0x1p52 + 1))),
                saboteur("not a number", (sum, unit, v) -> one(sum, unit, changed(v, 4, Double.NaN))),
                saboteur("infinity", (sum, unit, v) -> one(sum, unit, changed(v, 4, Double.NEGATIVE_INFINITY))),
                saboteur("negative zeros", (sum, unit, v) -> one(sum, unit, scaled(v, -0.0))),
                saboteur("numbers left by units before", (sum, unit, v) -> {
                    Arrays.setAll(stale, i -> stale[i] + v[i]);
                    one(sum, unit, stale);
                }),
                saboteur("numbers that change before the end", (sum, unit, v) -> {
                    sum.begin(unit, v);
                    sum.run(0, DIMENSION);
                    v[0] *= 3;
                    sum.end();
                }),
                saboteur("a row times two", (sum, unit, v) -> entries(sum, unit, scaled(v, 2), 0)),
                saboteur("a dense row times minus two", (sum, unit, v) -> one(sum, unit, scaled(v, -2))),
                saboteur("a square that was not scaled", (sum, unit, v) -> {
                    double[] square = new double[10];
                    sum.begin(unit, square);
                    SparseBlock row = sparse(Arrays.copyOf(v, 4));
                    for (int i = 0, next = 0; i < 4; i++) {
                        for (int j = 0; j <= i; j++) {
                            square[next++] = v[i] * v[j];
                        }
                        sum.entries(row, 0, i + 1, i * (i + 1) / 2, 1);
                    }
                    sum.end();
                }));
    }

    /** What puts numbers where they do not belong. */
    private static Stream<Saboteur> wrongPlaces() {
        int half = DIMENSION / 2;
        return Stream.of(
                saboteur("runs at one place", (sum, unit, v) -> runs(sum, unit, v, new int[] {0, 0}, half, half)),
                saboteur(
                        "runs that overlap", (sum, unit, v) -> runs(sum, unit, v, new int[] {0, half - 1}, half, half)),
                saboteur("runs that descend", (sum, unit, v) -> runs(sum, unit, v, new int[] {half, 0}, half, half)),
                saboteur("a run behind the end", (sum, unit, v) -> run(sum, unit, 1, v, DIMENSION)),
                saboteur("a run before the beginning", (sum, unit, v) -> run(sum, unit, -1, v, DIMENSION)),
                saboteur(
                        "a place that wraps around", (sum, unit, v) -> run(sum, unit, Integer.MAX_VALUE, v, DIMENSION)),
                saboteur(
                        "more numbers than there are",
                        (sum, unit, v) -> runs(sum, unit, v, new int[] {0, half}, half, half + 1)),
                saboteur(
                        "one number too many",
                        (sum, unit, v) -> run(sum, unit, 0, Arrays.copyOf(v, DIMENSION + 1), DIMENSION + 1)),
                saboteur(
                        "a run of fewer than no numbers",
                        (sum, unit, v) -> runs(sum, unit, v, new int[] {0, 0}, -half, DIMENSION)),
                saboteur("a row behind the end", (sum, unit, v) -> entries(sum, unit, v, 3)),
                saboteur("entries that are not there", (sum, unit, v) -> {
                    sum.begin(unit, v);
                    sum.entries(sparse(Arrays.copyOf(v, half)), 0, DIMENSION, 0, 1);
                    sum.end();
                }),
                saboteur("entries that are wider than their place", (sum, unit, v) -> {
                    sum.begin(unit, v);
                    sum.entries(sparse(Arrays.copyOf(v, half)), 0, half, 0, 3);
                    sum.end();
                }),
                saboteur("entries of a row twice", (sum, unit, v) -> {
                    SparseBlock row = sparse(Arrays.copyOf(v, half));
                    sum.begin(unit, v);
                    sum.entries(row, 0, half, 0, 1);
                    sum.entries(row, 0, half, 0, 1);
                    sum.end();
                }));
    }

    /** What adds units in another way than one by one, once each. */
    private static Stream<Saboteur> wrongUnits() {
        UnitSum[] kept = new UnitSum[1];
        return Stream.of(
                saboteur("a unit twice", (sum, unit, v) -> {
                    one(sum, unit, v);
                    one(sum, unit, v);
                }),
                saboteur("a unit that ends twice", (sum, unit, v) -> {
                    one(sum, unit, v);
                    sum.end();
                    sum.run(0, DIMENSION);
                    sum.end();
                }),
                saboteur("units that are not there", (sum, unit, v) -> {
                    for (int other : new int[] {-1, Integer.MIN_VALUE, UNITS, Integer.MAX_VALUE}) {
                        one(sum, other, v);
                    }
                }),
                saboteur("every unit for each", (sum, unit, v) -> {
                    for (int other = 0; other < 3 * UNITS; other++) {
                        one(sum, other, v);
                    }
                }),
                saboteur("a unit that never ends", (sum, unit, v) -> {
                    sum.begin(unit, scaled(v, 5));
                    sum.run(0, DIMENSION);
                }),
                saboteur("the sums of the block before", (sum, unit, v) -> {
                    if (kept[0] != null) {
                        one(kept[0], unit, v);
                    }
                    kept[0] = sum;
                    one(sum, unit, v);
                }),
                new Saboteur("throwing in the middle", (block, sum) -> {
                    for (int row = 0; row < block.rows(); row++) {
                        one(sum, row, steps(block, row));
                        if (row == block.rows() / 2) {
                            throw new IllegalStateException("in the middle");
                        }
                    }
                }),
                new Saboteur("throwing when all is done", (block, sum) -> {
                    for (int row = 0; row < block.rows(); row++) {
                        one(sum, row, steps(block, row));
                    }
                    throw new OutOfMemoryError("as if");
                }),
                new Saboteur("throwing between begin and end", (block, sum) -> {
                    sum.begin(0, steps(block, 0));
                    sum.run(0, DIMENSION);
                    throw new IllegalStateException("in the middle");
                }));
    }

    /** What adds many units at once, and wrongly. */
    private static Stream<Saboteur> wrongColumns() {
        double[][] kept = new double[DIMENSION][2 * UNITS];
        return Stream.of(
                saboteur(
                        "columns of twice the numbers",
                        (sum, unit, v) -> sum.addColumns(unit, 1, columns(scaled(v, 2)))),
                saboteur(
                        "columns beyond 2^51",
                        (sum, unit, v) -> sum.addColumns(unit, 1, columns(changed(v, 2, 0x1p52 + 1)))),
                saboteur(
                        "columns with infinity",
                        (sum, unit, v) -> sum.addColumns(unit, 1, columns(changed(v, 2, Double.POSITIVE_INFINITY)))),
                saboteur(
                        "columns with what is no number",
                        (sum, unit, v) -> sum.addColumns(unit, 1, columns(changed(v, 2, Double.NaN)))),
                saboteur("two columns in one array", (sum, unit, v) -> {
                    double[][] columns = columns(v);
                    columns[1] = columns[0];
                    sum.addColumns(unit, 1, columns);
                }),
                saboteur("all columns in one array", (sum, unit, v) -> {
                    double[][] columns = new double[DIMENSION][];
                    double longest = Arrays.stream(v).map(Math::abs).max().orElseThrow();
                    Arrays.fill(columns, new double[] {longest});
                    sum.addColumns(unit, 1, columns);
                }),
                saboteur("columns left by units before", (sum, unit, v) -> {
                    for (int j = 0; j < DIMENSION; j++) {
                        kept[j][0] += v[j];
                    }
                    sum.addColumns(unit, 1, kept);
                }),
                saboteur("columns of a unit twice", (sum, unit, v) -> {
                    sum.addColumns(unit, 1, columns(v));
                    sum.addColumns(unit, 1, columns(v));
                }),
                saboteur("columns of a unit that is there", (sum, unit, v) -> {
                    one(sum, unit, v);
                    sum.addColumns(unit, 1, columns(v));
                }),
                saboteur("columns between begin and end", (sum, unit, v) -> {
                    sum.begin(unit, v);
                    sum.run(0, DIMENSION);
                    sum.addColumns(unit, 1, columns(v));
                    sum.end();
                }),
                saboteur("a unit behind its columns", (sum, unit, v) -> {
                    sum.addColumns(unit, 1, columns(v));
                    one(sum, unit, v);
                }),
                saboteur("too few columns", (sum, unit, v) -> {
                    sum.addColumns(unit, 1, Arrays.copyOf(columns(v), DIMENSION - 1));
                }),
                saboteur("too many columns", (sum, unit, v) -> {
                    sum.addColumns(unit, 1, columns(Arrays.copyOf(v, DIMENSION + 3)));
                }),
                saboteur("a column that is too short", (sum, unit, v) -> {
                    double[][] columns = columns(v);
                    columns[DIMENSION - 1] = new double[0];
                    sum.addColumns(unit, 1, columns);
                }),
                new Saboteur("columns of all units for each", (block, sum) -> {
                    for (int row = 0; row < block.rows(); row++) {
                        sum.addColumns(0, block.rows(), columns(block));
                    }
                }),
                new Saboteur("columns of units that are not there", (block, sum) -> {
                    for (int[] range : new int[][] {{-1, 1}, {block.rows(), 1}, {0, block.rows() + 1}, {1, -1}}) {
                        try {
                            sum.addColumns(range[0], range[1], new double[DIMENSION][2 * UNITS]);
                        } catch (RuntimeException expected) {
                            sum.addColumns(0, 1, columns(steps(block, 0)));
                        }
                    }
                }),
                new Saboteur("throwing behind columns", (block, sum) -> {
                    sum.addColumns(0, (block.rows() + 1) / 2, columns(block));
                    throw new IllegalStateException("in the middle");
                }));
    }

    static Stream<Saboteur> saboteurs() {
        return Stream.of(wrongNumbers(), wrongPlaces(), wrongUnits(), wrongColumns())
                .flatMap(each -> each);
    }

    /** One unit by itself moves the sums by at most the bound; so many equal ones, shown together, by at most so many bounds. */
    @ParameterizedTest
    @MethodSource("saboteurs")
    void noSummandMovesTheSumsByMoreThanTheBound(Saboteur saboteur) {
        Random random = new Random(SEED);
        for (double noiseMultiplier : new double[] {1, 0x1p-20, 40}) {
            SumGrid grid = grid(noiseMultiplier, DIMENSION);
            double[][] rows = new double[UNITS][];
            for (int unit = 0; unit < UNITS; unit++) {
                rows[unit] = clipped(grid, DIMENSION, random);
            }
            SumRequest request = DoorFixtures.request(saboteur, grid, new FullPass(), SEED, 1);
            PartSums sums = new PartSums(DoorFixtures.source(rows, 7, false, null), request);
            for (int unit = 0; unit < UNITS; unit++) {
                long[] before = sums.sums().clone();
                sums.addUnits(unit, 1);
                long[] moved = sums.sums().clone();
                Arrays.setAll(moved, i -> moved[i] - before[i]);
                assertThat(norm(moved)).as(saboteur + ", seed " + SEED).isLessThanOrEqualTo(grid.sensitivity());
            }
            double[][] equal = Collections.nCopies(UNITS, rows[0]).toArray(double[][]::new);
            for (boolean sparse : new boolean[] {false, true}) {
                assertThat(norm(PartSums.of(DoorFixtures.source(equal, UNITS, sparse, null), request)))
                        .as(saboteur + ", seed " + SEED)
                        .isLessThanOrEqualTo(UNITS * grid.sensitivity());
            }
            SumRequest person = DoorFixtures.request(saboteur, grid, new FullPass(), SEED, UNITS);
            RecordSource one = DoorFixtures.source(equal, 7, false, new long[] {0, UNITS});
            assertThat(norm(PartSums.of(one, person)))
                    .as(saboteur + ", rows of one person, seed " + SEED)
                    .isLessThanOrEqualTo(grid.sensitivity());
        }
    }

    /** Without a defect, the same rows move the sums by as much as they may, so the test above is not empty. */
    @Test
    void aSoundSummandIsAddedWhole() {
        SumGrid grid = grid(1, DIMENSION);
        double[] row = clipped(grid, DIMENSION, new Random(SEED));
        double[][] equal = Collections.nCopies(UNITS, row).toArray(double[][]::new);
        Saboteur[] sound = {
            saboteur("none", UnitSumTest::one),
            saboteur("none, by columns", (sum, unit, v) -> sum.addColumns(unit, 1, columns(v))),
            new Saboteur("none, by columns of all", (block, sum) -> sum.addColumns(0, block.rows(), columns(block)))
        };
        for (Saboteur each : sound) {
            SumRequest request = DoorFixtures.request(each, grid, new FullPass(), SEED, 1);
            assertThat(norm(PartSums.of(DoorFixtures.source(equal, UNITS, false, null), request)))
                    .as(each.name())
                    .isBetween(UNITS * grid.sensitivity() * (1 - 1e-6), UNITS * grid.sensitivity());
        }
    }

    /** Of units that are handed over together, those that are too long, no numbers or there already are left out, and no others. */
    @Test
    void columnsLeaveOutWhatMayNotBeAdded() {
        SumGrid grid = grid(1, DIMENSION);
        Random random = new Random(SEED);
        double[][] units = new double[UNITS][];
        long[] expected = new long[DIMENSION];
        UnitSum.Owner owner = new UnitSum.Owner(grid);
        owner.open(UNITS + 3);
        for (int i = 0; i < UNITS; i++) {
            double[] sound = clipped(grid, DIMENSION, random);
            double[] odd = switch (i % 7) {
                case 1 -> scaled(sound, 1.01);
                case 3 -> changed(sound, i % DIMENSION, Double.NaN);
                case 5 -> changed(sound, i % DIMENSION, -0x1p60);
                default -> sound;
            };
            units[i] = odd;
            if (i == 14) {
                one(owner.units(), 3 + i, sound);
            }
            for (int j = 0; odd == sound && j < DIMENSION; j++) {
                expected[j] += (long) Math.rint(sound[j]);
            }
        }
        owner.units().addColumns(3, UNITS, columns(units));
        assertThat(owner.sums()).containsExactly(expected);
        for (int i = 0; i < UNITS + 3; i++) {
            assertThat(owner.isAdded(i)).isEqualTo(i >= 3 && (i - 3) % 7 % 2 == 0);
        }
    }

    /** A vector of the length that a clip may leave, in grid steps. */
    private static double[] clipped(SumGrid grid, int dimension, Random random) {
        double[] steps = new double[dimension];
        double squares = 0;
        for (int i = 0; i < dimension; i++) {
            steps[i] = random.nextGaussian();
            squares += steps[i] * steps[i];
        }
        return scaled(steps, (1 + 0x1p-24) * grid.l2Bound() / grid.granularity() / Math.sqrt(squares));
    }

    private static long[] added(SumGrid grid, Consumer<UnitSum> unit) {
        UnitSum.Owner owner = new UnitSum.Owner(grid);
        owner.open(1);
        unit.accept(owner.units());
        return owner.sums();
    }

    /** Also with all coordinates half a step off the grid, where rounding adds most. */
    @Test
    void whatWasClippedCorrectlyIsAddedWhole() {
        Random random = new Random(SEED);
        for (int dimension : new int[] {1, 2, 3, 5, 64, 1001}) {
            for (double noiseMultiplier : new double[] {0x1p-20, 0.8, 40}) {
                SumGrid grid = grid(noiseMultiplier, dimension);
                for (int trial = 0; trial < 20; trial++) {
                    double[] steps = clipped(grid, dimension, random);
                    if (trial % 2 == 1) {
                        for (int i = 0; i < dimension; i++) {
                            steps[i] = Math.copySign(Math.floor(Math.abs(steps[i])) + 0.5, steps[i]);
                        }
                        double squares =
                                Arrays.stream(steps).map(step -> step * step).sum();
                        double most = (1 + 0x1p-24) * grid.l2Bound() / grid.granularity() / Math.sqrt(squares);
                        steps = scaled(steps, Math.min(1, most));
                    }
                    double[] numbers = steps;
                    int half = dimension / 2;
                    long[] run = added(grid, sum -> run(sum, 0, 0, numbers, dimension));
                    long[] entries = added(grid, sum -> entries(sum, 0, numbers, 0));
                    long[] runs =
                            added(grid, sum -> runs(sum, 0, numbers, new int[] {0, half}, half, dimension - half));
                    long[] expected = Arrays.stream(steps)
                            .mapToLong(step -> (long) Math.rint(step))
                            .toArray();
                    long[] columns = added(grid, sum -> sum.addColumns(0, 1, columns(numbers)));
                    for (long[] each : new long[][] {run, entries, runs, columns}) {
                        assertThat(Arrays.equals(each, expected))
                                .as("seed " + SEED)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** Adding 1.5 · 2^52 rounds as rint does, ties and signs included. */
    @Test
    void roundingIsToTheNearestEven() {
        SumGrid grid = grid(0x1p-20, 1);
        double most = grid.l2Bound() / grid.granularity();
        Random random = new Random(SEED);
        double[] numbers = new double[4_000];
        Arrays.setAll(numbers, i -> most * Math.scalb(random.nextGaussian() / 8, -(i % 45)));
        System.arraycopy(new double[] {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, most - 0.5, 0x1p-1074}, 0, numbers, 0, 9);
        for (double number : numbers) {
            for (double near : new double[] {number, Math.rint(number) + 0.5}) {
                long[] sums = added(grid, sum -> run(sum, 0, 0, new double[] {near}, 1));
                long[] columns = added(grid, sum -> sum.addColumns(0, 1, columns(new double[] {near})));
                if (Math.abs(near) <= most) {
                    assertThat(sums[0]).isEqualTo((long) Math.rint(near));
                    assertThat(columns[0]).isEqualTo((long) Math.rint(near));
                }
            }
        }
    }

    @Test
    void sumsWrapAround() {
        SumGrid grid = grid(1, 1);
        UnitSum.Owner sum = new UnitSum.Owner(grid);
        sum.sums()[0] = Long.MAX_VALUE;
        sum.open(2);
        run(sum.units(), 0, 0, new double[] {1000}, 1);
        assertThat(sum.sums()[0]).isNegative();
        run(sum.units(), 1, 0, new double[] {-1000}, 1);
        assertThat(sum.sums()[0]).isEqualTo(Long.MAX_VALUE);
        assertThat(sum.isAdded(0) && sum.isAdded(1)).isTrue();
        sum.open(3);
        sum.units().addColumns(0, 3, new double[][] {{700, 400, -100}});
        assertThat(sum.sums()[0]).isEqualTo(Long.MIN_VALUE + 999);
    }
}
