package dev.tacit.privacy.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.privacy.mechanism.DiscreteGaussianMechanism;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.GaussianSampler;
import dev.tacit.privacy.noise.ReplayNoise;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever computed a unit's numbers, it moves the sums by at most the sensitivity; what was clipped correctly is added whole. */
class UnitSumTest {
    private static final int DIMENSION = 12;
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

    /** A way to the sums with a defect; each is handed numbers that were clipped correctly. */
    private record Saboteur(String name, BiConsumer<UnitSum, double[]> path) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static double[] changed(double[] steps, int place, double number) {
        double[] changed = steps.clone();
        changed[place] = number;
        return changed;
    }

    private static double[] scaled(double[] steps, double factor) {
        return Arrays.stream(steps).map(step -> factor * step).toArray();
    }

    private static void run(UnitSum sum, int offset, double[] steps, int count) {
        sum.begin(steps);
        sum.run(offset, count);
        sum.end();
    }

    private static void runs(UnitSum sum, double[] steps, int[] offsets, int... sizes) {
        sum.begin(steps);
        for (int i = 0; i < offsets.length; i++) {
            sum.run(offsets[i], sizes[i]);
        }
        sum.end();
    }

    private static void one(UnitSum sum, double[] steps) {
        run(sum, 0, steps, DIMENSION);
    }

    private static SparseBlock sparse(double[] row) {
        int[] places = new int[row.length];
        Arrays.setAll(places, i -> i);
        return SparseBlock.of(1, row.length, new int[] {0, row.length}, places, row, null);
    }

    static Stream<Saboteur> saboteurs() {
        double[] stale = new double[DIMENSION];
        int half = DIMENSION / 2;
        return Stream.of(
                new Saboteur("a norm that is half of the true one", (sum, v) -> one(sum, scaled(v, 2))),
                new Saboteur("a norm that is off by a millionth", (sum, v) -> one(sum, scaled(v, 1.000001))),
                new Saboteur("squares that overflow", (sum, v) -> one(sum, scaled(v, 1e300))),
                new Saboteur("integers that overflow", (sum, v) -> one(sum, changed(v, 2, 0x1p63))),
                new Saboteur("rounding beyond 2^51", (sum, v) -> one(sum, changed(v, 2, 0x1p52 + 1))),
                new Saboteur("not a number", (sum, v) -> one(sum, changed(v, 4, Double.NaN))),
                new Saboteur("infinity", (sum, v) -> one(sum, changed(v, 4, Double.NEGATIVE_INFINITY))),
                new Saboteur("negative zeros", (sum, v) -> one(sum, scaled(v, -0.0))),
                new Saboteur("numbers left by units before", (sum, v) -> {
                    Arrays.setAll(stale, i -> stale[i] + v[i]);
                    one(sum, stale);
                }),
                new Saboteur("runs at one place", (sum, v) -> runs(sum, scaled(v, 1), new int[] {0, 0}, half, half)),
                new Saboteur("runs that overlap", (sum, v) -> runs(sum, v, new int[] {0, half - 1}, half, half)),
                new Saboteur("runs that descend", (sum, v) -> runs(sum, v, new int[] {half, 0}, half, half)),
                new Saboteur("a run behind the end", (sum, v) -> run(sum, 1, v, DIMENSION)),
                new Saboteur("a run before the beginning", (sum, v) -> run(sum, -1, v, DIMENSION)),
                new Saboteur("a place that wraps around", (sum, v) -> run(sum, Integer.MAX_VALUE, v, DIMENSION)),
                new Saboteur("more numbers than there are", (sum, v) -> runs(sum, v, new int[] {0, 6}, half, half + 1)),
                new Saboteur(
                        "a run of fewer than no numbers", (sum, v) -> runs(sum, v, new int[] {0, 0}, -half, DIMENSION)),
                new Saboteur("a row times two", (sum, v) -> sum.addRow(sparse(v), 0, 0, 2)),
                new Saboteur(
                        "a dense row times minus two",
                        (sum, v) -> sum.addRow(DenseBlock.of(1, DIMENSION, v, null), 0, 0, -2)),
                new Saboteur("a row behind the end", (sum, v) -> sum.addRow(sparse(v), 0, 3, 1)),
                new Saboteur("a square that was not scaled", (sum, v) -> {
                    sum.begin(v);
                    sum.square(sparse(Arrays.copyOf(v, 4)), 0, 0, 1);
                    sum.end();
                }),
                new Saboteur("entries of a row twice", (sum, v) -> {
                    SparseBlock row = sparse(Arrays.copyOf(v, half));
                    sum.begin(v);
                    sum.entries(row, 0, 0, 1);
                    sum.entries(row, 0, 0, 1);
                    sum.end();
                }));
    }

    @ParameterizedTest
    @MethodSource("saboteurs")
    void noPathMovesTheSumsByMoreThanTheBound(Saboteur saboteur) {
        ReplayNoise random = ReplayNoise.ofSeed(SEED);
        for (double noiseMultiplier : new double[] {1, 0x1p-20, 40}) {
            SumGrid grid = grid(noiseMultiplier, DIMENSION);
            UnitSum sum = new UnitSum(grid);
            for (int unit = 0; unit < 50; unit++) {
                long[] before = sum.sums().clone();
                saboteur.path().accept(sum, clipped(grid, DIMENSION, random));
                long[] moved = sum.sums().clone();
                Arrays.setAll(moved, i -> moved[i] - before[i]);
                assertThat(norm(moved)).as(saboteur + ", seed " + SEED).isLessThanOrEqualTo(grid.sensitivity());
            }
        }
    }

    /** A vector of the length that a clip may leave, in grid steps. */
    private static double[] clipped(SumGrid grid, int dimension, ReplayNoise random) {
        double[] steps = new double[dimension];
        double squares = 0;
        for (int i = 0; i < dimension; i++) {
            steps[i] = GaussianSampler.next(random);
            squares += steps[i] * steps[i];
        }
        return scaled(steps, (1 + 0x1p-24) * grid.l2Bound() / grid.granularity() / Math.sqrt(squares));
    }

    /** Also with all coordinates half a step off the grid, where rounding adds most. */
    @Test
    void whatWasClippedCorrectlyIsAddedWhole() {
        ReplayNoise random = ReplayNoise.ofSeed(SEED);
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
                    UnitSum run = new UnitSum(grid);
                    run(run, 0, steps, dimension);
                    UnitSum entries = new UnitSum(grid);
                    entries.begin(steps);
                    entries.entries(sparse(steps), 0, 0, 1);
                    entries.end();
                    UnitSum runs = new UnitSum(grid);
                    runs(runs, steps, new int[] {0, dimension / 2}, dimension / 2, dimension - dimension / 2);
                    UnitSum row = new UnitSum(grid);
                    row.addRow(sparse(steps), 0, 0, 1);
                    long[] expected = Arrays.stream(steps)
                            .mapToLong(step -> (long) Math.rint(step))
                            .toArray();
                    for (UnitSum each : new UnitSum[] {run, entries, runs, row}) {
                        assertThat(Arrays.equals(each.sums(), expected))
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
        ReplayNoise random = ReplayNoise.ofSeed(SEED);
        double[] numbers = new double[4_000];
        Arrays.setAll(numbers, i -> most * Math.scalb(GaussianSampler.next(random) / 8, -(i % 45)));
        System.arraycopy(new double[] {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, most - 0.5, 0x1p-1074}, 0, numbers, 0, 9);
        for (double number : numbers) {
            for (double near : new double[] {number, Math.rint(number) + 0.5}) {
                UnitSum sum = new UnitSum(grid);
                run(sum, 0, new double[] {near}, 1);
                if (Math.abs(near) <= most) {
                    assertThat(sum.sums()[0]).isEqualTo((long) Math.rint(near));
                }
            }
        }
    }

    @Test
    void sumsWrapAround() {
        SumGrid grid = grid(1, 1);
        UnitSum sum = new UnitSum(grid);
        sum.sums()[0] = Long.MAX_VALUE;
        run(sum, 0, new double[] {1000}, 1);
        assertThat(sum.sums()[0]).isNegative();
        run(sum, 0, new double[] {-1000}, 1);
        assertThat(sum.sums()[0]).isEqualTo(Long.MAX_VALUE);
    }
}
