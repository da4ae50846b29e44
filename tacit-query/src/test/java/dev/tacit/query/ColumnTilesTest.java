package dev.tacit.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.UnitSum;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

/** What is written column by column is what the same worker contributes row by row, whatever stands in the rows beside it. */
// worker::contribute hides that a worker can do columns, so that its rows are summed one by one.
@SuppressWarnings("UnnecessaryMethodReference")
class ColumnTilesTest {
    private final long seed = QueryFixtures.seed();
    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed);

    /** Copies of the row's numbers, side by side. */
    private static class Copies implements ColumnWorker {
        private final int columns;
        private final int copies;
        int written;

        Copies(int columns, int copies) {
            this.columns = columns;
            this.copies = copies;
        }

        @Override
        public void squaredNorms(RecordBlock block, double[] target) {
            for (int row = 0; row < block.rows(); row++) {
                target[row] = copies * Rows.squaredNorm(block, row);
            }
        }

        @Override
        public void write(RecordBlock block, double[] factors, double[][] target) {
            DenseBlock dense = (DenseBlock) block;
            for (int j = 0; j < copies * columns; j++) {
                for (int row = 0; row < block.rows(); row++) {
                    target[j][row] = factors[row] * dense.values()[dense.start(row) + j % columns];
                }
            }
            written += block.rows();
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            for (int copy = 0; copy < copies; copy++) {
                contribution.addRow(copy * columns, 1);
            }
        }
    }

    private static long[] sums(ContributionSum.Worker worker, SumGrid grid, RecordBlock block) {
        UnitSum.Owner owner = new UnitSum.Owner(grid);
        owner.open(block.rows());
        new ContributionSummand(worker, grid).addRows(block, owner.units());
        return owner.sums();
    }

    /** {@code most} is the largest number of a row. */
    private DenseBlock block(int rows, int columns, double most) {
        double[] values = random.doubles((long) rows * columns, -most, most).toArray();
        return DenseBlock.of(rows, columns, values, new double[rows]);
    }

    @Test
    void columnsAreTheSameIntegersAsRows() {
        for (int[] shape :
                new int[][] {{1, 1, 1}, {255, 3, 1}, {256, 3, 2}, {257, 5, 1}, {600, 70, 3}, {100, 512, 2}}) {
            int dimension = shape[1] * shape[2];
            SumGrid grid = new DiscreteGaussianMechanism(1).grid(1.3, dimension);
            DenseBlock block = block(shape[0], shape[1], 1.3 / Math.sqrt(dimension));
            Copies worker = new Copies(shape[1], shape[2]);
            assertThat(sums(worker, grid, block))
                    .as(QueryFixtures.because(dimension + " numbers", seed))
                    .containsExactly(sums(worker::contribute, grid, block));
            assertThat(worker.written).isEqualTo(shape[0]);
        }
    }

    /** Norms by other formulas may move a clipped number by its last bit, which can take it to the next integer. */
    @Test
    void longRowsAreClippedAndNoneIsLost() {
        SumGrid grid = new DiscreteGaussianMechanism(1).grid(0.7, 12);
        DenseBlock block = block(300, 6, 3);
        Copies worker = new Copies(6, 2);
        long[] columns = sums(worker, grid, block);
        long[] rows = sums(worker::contribute, grid, block);
        for (int j = 0; j < rows.length; j++) {
            assertThat(columns[j]).as(QueryFixtures.because("place " + j, seed)).isBetween(rows[j] - 30, rows[j] + 30);
        }
    }

    /** Numbers that are none, or of extreme size, are treated as they are row by row, and do nothing to their neighbours. */
    @Test
    void extremeRowsStandAlone() {
        double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, -Double.MAX_VALUE, 1e200, 1e150, 1e-200, 0, -0.0};
        SumGrid grid = new DiscreteGaussianMechanism(1).grid(1, 4);
        for (double number : odd) {
            DenseBlock block = block(270, 4, 0.5);
            for (int row = 0; row < 270; row += 3) {
                int from = block.start(row);
                block.values()[from + row % 4] = number;
            }
            Copies worker = new Copies(4, 1);
            assertThat(sums(worker, grid, block))
                    .as(QueryFixtures.because("rows with " + number, seed))
                    .containsExactly(sums(worker::contribute, grid, block));
        }
    }

    /** A worker whose norms are wrong loses what is too long, and nothing worse. */
    @Test
    void wrongNormsLoseTheRow() {
        SumGrid grid = new DiscreteGaussianMechanism(1).grid(1, 3);
        DenseBlock block = DenseBlock.of(2, 3, new double[] {3, 4, 0, 0.25, 0.5, -0.25}, new double[2]);
        Copies liar = new Copies(3, 1) {
            @Override
            public void squaredNorms(RecordBlock rows, double[] target) {
                target[0] = 0.5;
                target[1] = 0.5;
            }
        };
        assertThat(grid.numbers(sums(liar, grid, block))).containsExactly(0.25, 0.5, -0.25);
    }

    @Test
    void sumsOfManyNumbersAreAskedForRowByRow() {
        SumGrid grid = new DiscreteGaussianMechanism(1).grid(1, 1025);
        Copies worker = new Copies(1025, 1);
        DenseBlock block = block(40, 1025, 0.01);
        assertThat(sums(worker, grid, block)).containsExactly(sums(worker::contribute, grid, block));
        assertThat(worker.written).isZero();
    }
}
