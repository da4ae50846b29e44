package dev.tacit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.UnitSum;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

class ContributionTest {
    private final long seed = QueryFixtures.seed();
    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed);

    private static SumGrid grid(double noiseMultiplier, double l2Bound, int dimension) {
        return new DiscreteGaussianMechanism(noiseMultiplier).grid(l2Bound, dimension);
    }

    private static long[] contributed(SumGrid grid, RecordBlock block, Consumer<Contribution> work) {
        UnitSum.Owner sum = new UnitSum.Owner(grid);
        sum.open(1);
        Contribution contribution = new Contribution(grid);
        contribution.beginRow(block, 0, sum.units());
        work.accept(contribution);
        contribution.endUnit(0);
        contribution.leaveBlock();
        return sum.sums();
    }

    /** The definition, in the plainest code: clip(v), divided by g and rounded. */
    private static double[] clipped(SumGrid grid, double[] vector) {
        double squares = 0;
        for (double value : vector) {
            squares += value * value;
        }
        double factor = Math.min(1, grid.l2Bound() / Math.sqrt(squares)) / grid.granularity();
        double[] result = new double[vector.length];
        for (int i = 0; i < vector.length; i++) {
            result[i] = vector[i] * factor;
        }
        return result;
    }

    private static void addSquare(double[] vector, int offset, double[] row, double scale) {
        for (int i = 0; i < row.length; i++) {
            for (int j = 0; j < i; j++) {
                vector[offset + i * (i + 1) / 2 + j] += Math.sqrt(2) * scale * row[i] * row[j];
            }
            vector[offset + i * (i + 3) / 2] += scale * row[i] * row[i];
        }
    }

    /** Every combination of pieces, apart and overlapping, few and many, equals the vector it stands for. */
    @Test
    void piecesAreTheVectorsTheyStandFor() {
        int columns = 5;
        int square = Contribution.squareSize(columns);
        int dimension = 2 * columns + 2 * square + 10;
        for (int trial = 0; trial < 3000; trial++) {
            SumGrid grid = grid(1, Math.scalb(1.0, random.nextInt(8) - 4), dimension);
            double[] row = QueryFixtures.row(columns, random);
            double[] vector = new double[dimension];
            int count = random.nextInt(12);
            int[] kinds = random.ints(count, 0, 5).toArray();
            double[] scales = random.doubles(count, -1, 1).toArray();
            int[] offsets = new int[count];
            for (int i = 0; i < count; i++) {
                int size = new int[] {1, columns, square, 4, 6}[kinds[i]];
                offsets[i] = random.nextInt(dimension - size + 1);
                for (int j = 0; j < columns && kinds[i] == 1; j++) {
                    vector[offsets[i] + j] += scales[i] * row[j];
                }
                if (kinds[i] == 2) {
                    addSquare(vector, offsets[i], row, scales[i]);
                } else if (kinds[i] == 3) {
                    for (int j = 0; j < 4; j++) {
                        vector[offsets[i] + j] += scales[i] * (j + 1);
                    }
                } else if (kinds[i] == 4) {
                    for (int j = 0; j < 6; j++) {
                        vector[offsets[i] + j] += scales[i] * (1 + j / 3) * (2 - j % 3);
                    }
                } else if (kinds[i] == 0) {
                    vector[offsets[i]] += scales[i];
                }
            }
            Consumer<Contribution> work = contribution -> {
                for (int i = 0; i < count; i++) {
                    double s = scales[i];
                    switch (kinds[i]) {
                        case 0 -> contribution.add(offsets[i], s);
                        case 1 -> contribution.addRow(offsets[i], s);
                        case 2 -> contribution.addSquare(offsets[i], s);
                        case 4 ->
                            contribution.addOuter(offsets[i], new double[] {s, 2 * s}, 2, new double[] {2, 1, 0, 7}, 3);
                        default -> contribution.addAll(offsets[i], new double[] {9, s, 2 * s, 3 * s, 4 * s, 9}, 1, 4);
                    }
                }
            };
            double[] expected = clipped(grid, vector);
            for (RecordBlock block : new RecordBlock[] {QueryFixtures.dense(row), QueryFixtures.sparse(row)}) {
                long[] sums = contributed(grid, block, work);
                for (int i = 0; i < dimension; i++) {
                    assertThat((double) sums[i])
                            .as(QueryFixtures.because("coordinate " + i, seed))
                            .isBetween(expected[i] - 0.50001, expected[i] + 0.50001);
                }
            }
        }
    }

    private double extreme() {
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> -0.0;
            case 2 -> Double.MIN_VALUE;
            case 3 -> Double.MAX_VALUE;
            case 4 -> Double.POSITIVE_INFINITY;
            case 5 -> Double.NaN;
            case 6 -> 1 + random.nextDouble();
            default -> Math.scalb(random.nextDouble() - 0.5, random.nextInt(2099) - 1074);
        };
    }

    private static void requireWithinSensitivity(SumGrid grid, long[] sums, String because) {
        BigInteger squares = BigInteger.ZERO;
        for (long sum : sums) {
            squares = squares.add(BigInteger.valueOf(sum).pow(2));
        }
        assertThat(new BigDecimal(squares)).as(because).isLessThanOrEqualTo(new BigDecimal(grid.sensitivity()).pow(2));
    }

    /** Numbers, scales, bounds and grids of every size that a double has; the norm of the integers is exact. */
    @Test
    void noRecordExceedsTheSensitivity() {
        for (int trial = 0; trial < 60_000; trial++) {
            int columns = 1 + random.nextInt(6);
            int square = Contribution.squareSize(columns);
            int dimension = columns + square + 2;
            double noiseMultiplier = Math.scalb(1 + random.nextDouble(), random.nextInt(40) - 20);
            double bound = Math.scalb(1 + random.nextDouble(), random.nextBoolean() ? 0 : random.nextInt(798) - 399);
            SumGrid grid = grid(noiseMultiplier, bound, dimension);
            double[] row = new double[columns];
            boolean ordinary = random.nextInt(3) == 0;
            int exponent = random.nextInt(2099) - 1074;
            for (int j = 0; j < columns; j++) {
                row[j] = ordinary ? Math.scalb(random.nextDouble() - 0.5, exponent) : extreme();
            }
            double[] scales = {extreme(), extreme(), extreme()};
            if (random.nextBoolean()) {
                // A worker that divides by what it finds in the record.
                scales[0] = bound / row[0];
                scales[1] = bound / row[0] / row[0];
            }
            int pieces = 1 + random.nextInt(15);
            Consumer<Contribution> work = contribution -> {
                if ((pieces & 1) != 0) {
                    contribution.addRow(0, scales[0]);
                }
                if ((pieces & 2) != 0) {
                    contribution.addSquare(columns, scales[1]);
                }
                if ((pieces & 4) != 0) {
                    contribution.add(dimension - 1, scales[2]);
                }
                if ((pieces & 8) != 0) {
                    contribution.add(dimension - 2, bound);
                }
            };
            for (RecordBlock block : new RecordBlock[] {QueryFixtures.dense(row), QueryFixtures.sparse(row)}) {
                requireWithinSensitivity(
                        grid, contributed(grid, block, work), QueryFixtures.because("trial " + trial, seed));
            }
        }
    }

    /** The same for products of two vectors of any size, beside a number. */
    @Test
    void noProductExceedsTheSensitivity() {
        for (int trial = 0; trial < 60_000; trial++) {
            int lefts = 1 + random.nextInt(4);
            int rights = 1 + random.nextInt(5);
            int dimension = lefts * rights + 1;
            double noiseMultiplier = Math.scalb(1 + random.nextDouble(), random.nextInt(40) - 20);
            double bound = Math.scalb(1 + random.nextDouble(), random.nextBoolean() ? 0 : random.nextInt(798) - 399);
            SumGrid grid = grid(noiseMultiplier, bound, dimension);
            double[] left = factor(lefts);
            double[] right = factor(rights);
            if (random.nextBoolean()) {
                // A worker that scales one factor by what it finds in the other.
                left[0] = bound / right[0];
            }
            double number = extreme();
            boolean alone = random.nextBoolean();
            long[] sums = contributed(grid, QueryFixtures.dense(new double[] {1}), contribution -> {
                contribution.addOuter(0, left, lefts, right, rights);
                Arrays.fill(left, Double.MAX_VALUE);
                if (!alone) {
                    contribution.add(dimension - 1, number);
                }
            });
            requireWithinSensitivity(grid, sums, QueryFixtures.because("trial " + trial, seed));
        }
    }

    private double[] factor(int size) {
        double[] numbers = new double[size];
        boolean ordinary = random.nextInt(3) > 0;
        int exponent = random.nextInt(1600) - 800;
        for (int j = 0; j < size; j++) {
            numbers[j] = ordinary ? Math.scalb(random.nextDouble() - 0.5, exponent) : extreme();
        }
        return numbers;
    }

    /** A product that is not finite, or has a factor of zeros, counts as what it is. */
    @Test
    void productsOfZerosAndInfinitiesAreZero() {
        SumGrid grid = grid(1, 1, 5);
        double[] ones = {1, 1};
        for (double bad : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
            long[] sums = contributed(grid, QueryFixtures.dense(new double[] {1}), contribution -> {
                contribution.addOuter(0, new double[] {bad, 0}, 2, ones, 2);
                contribution.add(4, 0.25);
            });
            assertThat(sums).startsWith(0, 0, 0, 0);
            assertThat(sums[4] * grid.granularity()).isEqualTo(bad == 0 ? 0.25 : 0);
        }
    }

    /** Hill climbing over records and scales towards the largest norm of the integers finds none above the bound. */
    @Test
    void adversariesDoNotClimbAboveTheSensitivity() {
        int columns = 4;
        int dimension = columns + Contribution.squareSize(columns) + 1;
        for (int start = 0; start < 30; start++) {
            SumGrid grid = grid(Math.scalb(1.0, -random.nextInt(20)), 1 + random.nextDouble(), dimension);
            double[] best = new double[columns + 3];
            for (int i = 0; i < best.length; i++) {
                best[i] = Math.scalb(random.nextDouble() - 0.5, random.nextInt(20));
            }
            BigInteger highest = BigInteger.ZERO;
            for (int step = 0; step < 2000; step++) {
                double[] next = best.clone();
                int changed = random.nextInt(next.length);
                next[changed] = random.nextBoolean()
                        ? next[changed] * (1 + Math.scalb(random.nextDouble() - 0.5, -random.nextInt(50)))
                        : Math.nextUp(next[changed]);
                double[] row = Arrays.copyOf(next, columns);
                long[] sums = contributed(grid, QueryFixtures.dense(row), contribution -> {
                    contribution.addRow(0, next[columns]);
                    contribution.addSquare(columns, next[columns + 1]);
                    contribution.add(dimension - 1, next[columns + 2]);
                });
                requireWithinSensitivity(grid, sums, QueryFixtures.because("step " + step, seed));
                BigInteger squares = BigInteger.ZERO;
                for (long sum : sums) {
                    squares = squares.add(BigInteger.valueOf(sum).pow(2));
                }
                if (squares.compareTo(highest) >= 0) {
                    highest = squares;
                    best = next;
                }
            }
        }
    }

    /** Numbers whose squares underflow to zero, times a scale that brings them back, were once not clipped at all. */
    @Test
    void rowsWhoseSquaresUnderflowAreClipped() {
        SumGrid grid = grid(1, 1, 2);
        double[] row = {1e-170, 1e-170};
        for (RecordBlock block : new RecordBlock[] {QueryFixtures.dense(row), QueryFixtures.sparse(row)}) {
            long[] sums = contributed(grid, block, contribution -> contribution.addRow(0, 1e300));
            assertThat(sums[0] * grid.granularity()).isBetween(0.7071, 0.7072);
            assertThat(sums[1]).isEqualTo(sums[0]);
        }
    }

    @Test
    void finiteVectorsAreClippedHoweverLong() {
        SumGrid grid = grid(1, 1, 3);
        double[] row = {3, 4};
        for (double scale : new double[] {1, 1e100, 1e200, 1e300, Double.MAX_VALUE / 4}) {
            long[] sums = contributed(grid, QueryFixtures.sparse(row), contribution -> contribution.addRow(1, scale));
            assertThat(sums[1] * grid.granularity()).isBetween(0.59999, 0.60001);
            assertThat(sums[2] * grid.granularity()).isBetween(0.79999, 0.80001);
        }
    }

    @Test
    void nonFiniteContributionsAreZero() {
        SumGrid grid = grid(1, 1, 4);
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            for (double[] row : new double[][] {{0.1, 0.2}, {0, 0}}) {
                for (RecordBlock block : new RecordBlock[] {QueryFixtures.dense(row), QueryFixtures.sparse(row)}) {
                    assertThat(contributed(grid, block, contribution -> {
                                contribution.add(0, 0.5);
                                contribution.addRow(1, bad);
                            }))
                            .containsOnly(0);
                    assertThat(contributed(grid, block, contribution -> {
                                contribution.addRow(1, 0.5);
                                contribution.add(0, bad);
                            }))
                            .containsOnly(0);
                }
            }
            for (RecordBlock block : new RecordBlock[] {
                QueryFixtures.dense(new double[] {bad, 1}), QueryFixtures.sparse(new double[] {bad, 1})
            }) {
                for (double scale : new double[] {0, 1, 1e-300}) {
                    assertThat(contributed(grid, block, contribution -> contribution.addRow(1, scale)))
                            .containsOnly(0);
                    assertThat(contributed(grid, block, contribution -> contribution.addSquare(1, scale)))
                            .containsOnly(0);
                }
            }
        }
    }

    @Test
    void piecesOutsideOfTheContributionAreRefused() {
        SumGrid grid = grid(1, 1, 4);
        RecordBlock block = QueryFixtures.dense(new double[] {1, 2});
        for (int offset : new int[] {-1, 3, 4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> contributed(grid, block, contribution -> contribution.addRow(offset, 1)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> contributed(
                            grid, block, c -> c.addOuter(offset, new double[] {1, 2}, 2, new double[] {3}, 1)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> contributed(grid, block, contribution -> contribution.addSquare(offset, 1)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> contributed(grid, block, contribution -> contribution.add(4, 1)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Contribution.squareSize(46_341)).isInstanceOf(ArithmeticException.class);
    }

    /** What the fast way and the vector make of the same record differs by rounding only. */
    @Test
    void bothWaysAgree() {
        int columns = 6;
        SumGrid grid = grid(0.7, 1.3, columns);
        for (int trial = 0; trial < 2000; trial++) {
            double[] row = QueryFixtures.row(columns, random);
            double scale = 2 * random.nextDouble();
            long[] fast = contributed(grid, QueryFixtures.sparse(row), c -> c.addRow(0, scale));
            long[] slow = contributed(grid, QueryFixtures.dense(row), c -> {
                c.addRow(0, scale / 2);
                c.addRow(0, scale / 2);
            });
            for (int i = 0; i < columns; i++) {
                assertThat(Math.abs(fast[i] - slow[i])).isLessThanOrEqualTo(1);
            }
        }
    }
}
