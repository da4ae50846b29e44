package dev.tacit.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.sum.PartSums;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.UnitSum;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.noise.ReplayNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

/** Rows and squares that are written together are the same integers as those that are written one by one. */
class SquareBatchTest {
    private static final double[] ODD = {
        Double.NaN,
        Double.NEGATIVE_INFINITY,
        Double.MAX_VALUE,
        Double.MIN_VALUE,
        1e200,
        -1e140,
        1e70,
        1e-70,
        1e-140,
        -0.0
    };

    /** More than a block of 4,096, and no multiple of what is taken together. */
    private static final int ROWS = 4999;

    private final long seed = QueryFixtures.seed();
    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed);

    /** Rows of which some are zeros, some have odd numbers, and many are longer than any bound of these tests. */
    private DenseBlock block(int columns, boolean odd) {
        double[] values = new double[ROWS * columns];
        for (int row = 0; row < ROWS; row++) {
            double size = random.nextInt(50) == 0 ? 0 : Math.scalb(1.0, random.nextInt(8) - 4);
            for (int j = 0; j < columns; j++) {
                values[row * columns + j] = random.nextInt(4) == 0 ? 0 : size * (2 * random.nextDouble() - 1);
            }
            if (odd && random.nextInt(5) == 0) {
                values[row * columns + random.nextInt(columns)] = ODD[random.nextInt(ODD.length)];
            }
        }
        double[] labels = random.ints(ROWS, 0, 4).asDoubleStream().toArray();
        double[] weights = random.doubles(ROWS, 0, 2).toArray();
        return new DenseBlock(ROWS, columns, values, 0, labels, weights, 0);
    }

    private static RecordsInMemory records(RecordBlock all, int blockRows, long[] unitStarts) {
        List<RecordBlock> blocks = new ArrayList<>();
        for (int from = 0; from < all.rows(); from += blockRows) {
            blocks.add(all.part(from, Math.min(all.rows(), from + blockRows)));
        }
        return new RecordsInMemory(all.columns(), true, blocks, unitStarts);
    }

    private static long[] sums(RecordsInMemory records, ContributionSum query, SumGrid grid, SamplingScheme sampling) {
        int maxRecords = records.units() == records.rows() ? 1 : 100;
        return PartSums.of(
                records,
                new SumRequest(query, grid, sampling, ReplayNoise.ofSeed(1).batchKey(), maxRecords));
    }

    /** So fine that integers show the last bits of numbers. */
    private SumGrid grid(ContributionSum query) {
        double bound = Math.scalb(1 + random.nextDouble(), random.nextInt(4) - 2);
        return new DiscreteGaussianMechanism(0x1p-20).grid(bound, query.dimension());
    }

    private static double scale(RecordBlock block, int row) {
        return (block.label(row) - 0.7) * block.weight(row);
    }

    private static ContributionSum rowAndSquare(int columns) {
        return ContributionSum.of(columns + Contribution.squareSize(columns), (block, row, contribution) -> {
            contribution.addRow(0, scale(block, row));
            contribution.addSquare(columns, 0.3);
        });
    }

    /** What regressions add, and what is in the way of waiting: gaps, other shapes beside it, and rows that throw. */
    private static Map<String, ContributionSum> queries(int columns) {
        int square = Contribution.squareSize(columns);
        return Map.of(
                "row, square",
                rowAndSquare(columns),
                "square, row and number in another order",
                ContributionSum.of(columns + square + 1, (block, row, contribution) -> {
                    contribution.addSquare(1, scale(block, row));
                    contribution.addRow(square + 1, -0.2);
                    contribution.add(0, 0.1 * block.label(row));
                }),
                "square",
                ContributionSum.of(square, (block, row, contribution) -> contribution.addSquare(0, 1.0 / 3)),
                "two squares and rows",
                ContributionSum.of(2 * (columns + square), (block, row, contribution) -> {
                    contribution.addSquare(0, 0.2 * block.label(row));
                    contribution.addRow(square, 0.1);
                    contribution.addSquare(columns + square, scale(block, row));
                    contribution.addRow(columns + 2 * square, 0.3);
                }),
                "some places of some rows",
                ContributionSum.of(columns + square, (block, row, contribution) -> {
                    if (block.label(row) != 1) {
                        contribution.addSquare(columns, 0.3);
                    }
                    if (block.label(row) != 2) {
                        contribution.addRow(0, 0.2);
                    }
                }),
                "two shapes, and overlaps",
                ContributionSum.of(columns + square, (block, row, contribution) -> {
                    boolean first = block.label(row) == 0;
                    contribution.addRow(first ? 0 : square, 0.4);
                    contribution.addSquare(first ? columns : 0, 0.3);
                    if (block.label(row) == 3) {
                        contribution.add(0, 0.1);
                    }
                }),
                "rows that throw",
                ContributionSum.of(columns + square, (block, row, contribution) -> {
                    contribution.addRow(0, 0.4);
                    contribution.addSquare(columns, 0.3);
                    if (block.weight(row) > 1.99) {
                        throw new IllegalStateException("a row of this kind");
                    }
                }));
    }

    /** Blocks of one row, and of seven, are written row by row. */
    @Test
    void blocksOfEverySizeAddTheSameIntegers() {
        for (int columns : new int[] {1, 2, 3, 8, 20}) {
            for (boolean odd : new boolean[] {false, true}) {
                DenseBlock block = block(columns, odd);
                queries(columns).forEach((name, query) -> {
                    SumGrid grid = grid(query);
                    for (SamplingScheme sampling : List.of(new FullPass(), new PoissonSampling(0.3))) {
                        long[] alone = sums(records(block, 1, null), query, grid, sampling);
                        for (int blockRows : new int[] {7, 32, 33, 300, 4096, ROWS}) {
                            assertThat(sums(records(block, blockRows, null), query, grid, sampling))
                                    .as(QueryFixtures.because(name + " in blocks of " + blockRows, seed))
                                    .containsExactly(alone);
                        }
                    }
                });
            }
        }
    }

    /** Clip and products written out, each operation in its place. */
    private static void addByFormula(DenseBlock block, int row, SumGrid grid, long[] sums) {
        int columns = block.columns();
        double[] x = Arrays.copyOfRange(block.values(), block.start(row), block.start(row) + columns);
        double length = Rows.squaredNorm(block, row);
        double first = scale(block, row) * (1 / grid.l2Bound());
        double second = 0.3 * (1 / grid.l2Bound()) * length;
        double squares = first * first * length + second * second;
        double units = squares > 1 ? 1 / grid.granularity() / Math.sqrt(squares) : 1 / grid.granularity();
        int next = 0;
        for (int j = 0; j < columns; j++) {
            sums[next++] += (long) Math.rint(scale(block, row) * units * x[j]);
        }
        for (int i = 0; i < columns; i++) {
            for (int j = 0; j < i; j++) {
                sums[next++] += (long) Math.rint(Math.sqrt(2) * (0.3 * units) * x[i] * x[j]);
            }
            sums[next++] += (long) Math.rint(0.3 * units * x[i] * x[i]);
        }
    }

    @Test
    void theyAreTheIntegersOfTheFormula() {
        for (int columns : new int[] {1, 5, 20}) {
            DenseBlock block = block(columns, false);
            ContributionSum query = rowAndSquare(columns);
            SumGrid grid = grid(query);
            long[] expected = new long[query.dimension()];
            for (int row = 0; row < ROWS; row++) {
                addByFormula(block, row, grid, expected);
            }
            assertThat(sums(records(block, ROWS, null), query, grid, new FullPass()))
                    .as(QueryFixtures.because(columns + " columns", seed))
                    .containsExactly(expected);
        }
    }

    /** Whatever takes the place of a row, all others add what they added before. */
    @Test
    void aRowChangesItsOwnContributionOnly() {
        int columns = 4;
        DenseBlock block = (DenseBlock) block(columns, true).part(0, 300);
        ContributionSum query = rowAndSquare(columns);
        SumGrid grid = grid(query);
        for (double number : ODD) {
            int row = random.nextInt(300);
            long[] rest = sums(records(block, 300, null), query, grid, new FullPass());
            subtract(rest, sums(records(block.part(row, row + 1), 1, null), query, grid, new FullPass()));
            block.values()[block.start(row) + random.nextInt(columns)] = number;
            long[] changed = sums(records(block, 300, null), query, grid, new FullPass());
            subtract(changed, sums(records(block.part(row, row + 1), 1, null), query, grid, new FullPass()));
            assertThat(changed)
                    .as(QueryFixtures.because("row " + row + " with " + number, seed))
                    .containsExactly(rest);
        }
    }

    private static void subtract(long[] sums, long[] others) {
        Arrays.setAll(sums, i -> sums[i] - others[i]);
    }

    @Test
    void personsAreAddedAsBefore() {
        int columns = 3;
        DenseBlock block = block(columns, true);
        List<Long> starts = new ArrayList<>();
        for (long next = 0; next < ROWS; next += 1 + (random.nextBoolean() ? 0 : random.nextInt(60))) {
            starts.add(next);
        }
        starts.add((long) ROWS);
        long[] unitStarts = starts.stream().mapToLong(Long::longValue).toArray();
        queries(columns).forEach((name, query) -> {
            SumGrid grid = grid(query);
            assertThat(sums(records(block, ROWS, unitStarts), query, grid, new FullPass()))
                    .as(QueryFixtures.because(name, seed))
                    .containsExactly(sums(records(block, 1, unitStarts), query, grid, new FullPass()));
        });
    }

    /** Otherwise these tests would compare one way with itself. */
    @Test
    void rowsWaitInLargeBlocksOfDenseRowsOnly() {
        int columns = 3;
        ContributionSum query = rowAndSquare(columns);
        for (int rows : new int[] {31, 32}) {
            double[] ones = new double[rows * columns];
            Arrays.fill(ones, 1);
            double[] labels = new double[rows];
            RecordBlock dense = DenseBlock.of(rows, columns, ones, labels);
            assertThat(waits(dense, query)).isEqualTo(rows == 32);
            assertThat(waits(OddRecords.sparse(columns, ones, labels), query)).isFalse();
        }
    }

    private boolean waits(RecordBlock block, ContributionSum query) {
        SumGrid grid = grid(query);
        UnitSum.Owner owner = new UnitSum.Owner(grid);
        owner.open(block.rows());
        Contribution contribution = new Contribution(grid);
        contribution.beginRow(block, 0, owner.units());
        query.worker().contribute(block, 0, contribution);
        contribution.endUnit(0);
        boolean waits = !owner.isAdded(0);
        contribution.leaveBlock();
        assertThat(owner.isAdded(0)).isTrue();
        return waits;
    }
}
