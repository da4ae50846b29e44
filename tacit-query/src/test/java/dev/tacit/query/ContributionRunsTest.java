package dev.tacit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sum.UnitSum;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

/** Runs of numbers at ascending places are clipped as the vector that they stand for, whatever is in them. */
class ContributionRunsTest {
    private static final int DIMENSION = 40;

    private final long seed = QueryFixtures.seed();
    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed);
    private final RecordBlock block = QueryFixtures.dense(new double[] {1, 2});

    private record Run(int offset, double[] values) {}

    private static SumGrid grid(double noiseMultiplier, double l2Bound) {
        return new DiscreteGaussianMechanism(noiseMultiplier).grid(l2Bound, DIMENSION);
    }

    private long[] contributed(SumGrid grid, List<Run> runs, int rows) {
        UnitSum.Owner sum = new UnitSum.Owner(grid);
        sum.open(1);
        long[] sums = sum.sums();
        Contribution contribution = new Contribution(grid);
        for (int row = 0; row < rows; row++) {
            contribution.beginRow(block, 0, sum.units());
            for (Run run : runs) {
                contribution.addAll(run.offset(), run.values(), 0, run.values().length);
            }
        }
        contribution.endUnit(0);
        contribution.leaveBlock();
        return sums;
    }

    private List<Run> runs(boolean ascending) {
        List<Run> runs = new java.util.ArrayList<>();
        int next = 0;
        for (int i = 0; i < 5; i++) {
            int offset = ascending ? next + random.nextInt(4) : random.nextInt(DIMENSION - 4);
            double[] values = random.doubles(1 + random.nextInt(4), -1, 1).toArray();
            runs.add(new Run(offset, values));
            next = offset + values.length;
        }
        return runs;
    }

    @Test
    void runsAreTheVectorTheyStandFor() {
        for (int trial = 0; trial < 4000; trial++) {
            SumGrid grid = grid(1, Math.scalb(1.0, random.nextInt(6) - 4));
            List<Run> runs = runs(random.nextInt(4) > 0);
            int rows = 1 + random.nextInt(2);
            double[] vector = new double[DIMENSION];
            for (Run run : runs) {
                for (int j = 0; j < run.values().length; j++) {
                    vector[run.offset() + j] += rows * run.values()[j];
                }
            }
            double norm = Math.sqrt(Arrays.stream(vector).map(v -> v * v).sum());
            double units = Math.min(1, grid.l2Bound() / norm) / grid.granularity();
            long[] sums = contributed(grid, runs, rows);
            for (int i = 0; i < DIMENSION; i++) {
                assertThat((double) sums[i])
                        .as(QueryFixtures.because("coordinate " + i, seed))
                        .isBetween(vector[i] * units - 0.50001, vector[i] * units + 0.50001);
            }
        }
    }

    private double extreme() {
        return switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> Double.MIN_VALUE;
            case 2 -> Double.MAX_VALUE;
            case 3 -> Double.POSITIVE_INFINITY;
            case 4 -> Double.NaN;
            case 5 -> 1e140;
            default -> Math.scalb(random.nextDouble() - 0.5, random.nextInt(2099) - 1074);
        };
    }

    /** Numbers, bounds and grids of every size; the norm of the integers is exact. */
    @Test
    void noRunsExceedTheSensitivity() {
        for (int trial = 0; trial < 40_000; trial++) {
            double bound = Math.scalb(1 + random.nextDouble(), random.nextBoolean() ? 0 : random.nextInt(798) - 399);
            SumGrid grid = grid(Math.scalb(1 + random.nextDouble(), random.nextInt(40) - 20), bound);
            boolean ordinary = random.nextBoolean();
            int exponent = random.nextInt(2099) - 1074;
            List<Run> runs = runs(true);
            for (Run run : runs) {
                for (int j = 0; j < run.values().length; j++) {
                    run.values()[j] = ordinary ? Math.scalb(random.nextDouble() - 0.5, exponent) : extreme();
                }
            }
            BigInteger squares = BigInteger.ZERO;
            for (long sum : contributed(grid, runs, 1)) {
                squares = squares.add(BigInteger.valueOf(sum).pow(2));
            }
            assertThat(new BigDecimal(squares))
                    .as(QueryFixtures.because("trial " + trial, seed))
                    .isLessThanOrEqualTo(new BigDecimal(grid.sensitivity()).pow(2));
        }
    }

    /** For every number of columns, width and place: column by column is the same as run after run, bit by bit. */
    @Test
    void columnsAreRuns() {
        for (int trial = 0; trial < 2000; trial++) {
            int width = 1 + random.nextInt(3);
            int columns = DIMENSION / width;
            int offset = random.nextInt(DIMENSION - columns * width + 1);
            List<Integer> chosen = new java.util.ArrayList<>();
            for (int column = 0; column < columns; column++) {
                if (random.nextInt(3) == 0) {
                    chosen.add(column);
                }
            }
            int[] indices = chosen.stream().mapToInt(Integer::intValue).toArray();
            double[] ones = new double[indices.length];
            Arrays.fill(ones, 1);
            SparseBlock sparse =
                    SparseBlock.of(1, columns, new int[] {0, indices.length}, indices, ones, new double[] {0});
            double[] values = random.doubles((long) width * indices.length + 2, -1, 1)
                    .map(value -> random.nextInt(40) == 0 ? extreme() : value)
                    .toArray();
            SumGrid grid = grid(1, Math.scalb(1.0, random.nextInt(6) - 4));
            boolean before = random.nextInt(4) == 0;
            UnitSum.Owner sum = new UnitSum.Owner(grid);
            UnitSum.Owner expectedSum = new UnitSum.Owner(grid);
            sum.open(1);
            expectedSum.open(1);
            long[] sums = sum.sums();
            long[] expected = expectedSum.sums();
            Contribution contribution = new Contribution(grid);
            Contribution reference = new Contribution(grid);
            for (int row = 0; row <= random.nextInt(2); row++) {
                contribution.beginRow(sparse, 0, sum.units());
                reference.beginRow(sparse, 0, expectedSum.units());
                if (before) {
                    contribution.add(DIMENSION - 1, 0.3);
                    reference.add(DIMENSION - 1, 0.3);
                }
                contribution.addColumns(offset, width, values);
                for (int entry = 0; entry < indices.length; entry++) {
                    reference.addAll(offset + width * indices[entry], values, entry * width, width);
                }
            }
            contribution.endUnit(0);
            reference.endUnit(0);
            contribution.leaveBlock();
            reference.leaveBlock();
            assertThat(sums).as(QueryFixtures.because("trial " + trial, seed)).containsExactly(expected);
        }
    }

    /** What is handed over is copied: changing it afterwards changes nothing. */
    @Test
    void theDoorKeepsItsOwnCopy() {
        SumGrid grid = grid(1, 1);
        UnitSum.Owner sum = new UnitSum.Owner(grid);
        sum.open(1);
        long[] sums = sum.sums();
        Contribution contribution = new Contribution(grid);
        double[] values = {0.6, 0.8};
        contribution.beginRow(block, 0, sum.units());
        contribution.addAll(3, values, 0, 2);
        values[0] = 1e9;
        contribution.endUnit(0);
        assertThat(sums[3] * grid.granularity()).isBetween(0.59999, 0.60001);
    }

    @Test
    void notANumberMakesTheUnitZeroAndLeavesNothingBehind() {
        SumGrid grid = grid(1, 1);
        UnitSum.Owner sum = new UnitSum.Owner(grid);
        sum.open(3);
        long[] sums = sum.sums();
        Contribution contribution = new Contribution(grid);
        double[] bad = {Double.NaN, Double.POSITIVE_INFINITY};
        for (int unit = 0; unit < 2; unit++) {
            contribution.beginRow(block, 0, sum.units());
            contribution.addAll(5 * unit, new double[] {0.1, bad[unit]}, 0, 2);
            contribution.endUnit(unit);
        }
        assertThat(sums).containsOnly(0);
        contribution.beginRow(block, 0, sum.units());
        contribution.addAll(0, new double[] {0.5}, 0, 1);
        contribution.endUnit(2);
        assertThat(sums[5]).isZero();
        assertThat(sums[0] * grid.granularity()).isBetween(0.49999, 0.50001);
    }

    @Test
    void runsOutsideOfTheContributionAreRefused() {
        for (int offset : new int[] {-1, DIMENSION - 1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> contributed(grid(1, 1), List.of(new Run(offset, new double[2])), 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
