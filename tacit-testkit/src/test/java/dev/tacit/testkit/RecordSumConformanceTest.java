package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import dev.tacit.testkit.method.RecordSumConformance;
import java.util.function.Supplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

/** The suite for queries passes one that looks at its row and fails those that look aside. */
class RecordSumConformanceTest {
    private static final int COLUMNS = 5;
    private static final double[] THETA = {0.3, -0.2, 0.9, 0.1, -1.1};

    private final double[][] rows = new double[40][COLUMNS];
    private final double[] labels = new double[40];

    RecordSumConformanceTest() {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(4L);
        for (int row = 0; row < rows.length; row++) {
            rows[row] = random.doubles(COLUMNS, -1, 1).toArray();
            labels[row] = row % 2;
        }
    }

    private static ContributionSum sum(Supplier<ContributionSum.Worker> workers) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return COLUMNS;
            }

            @Override
            public Worker worker() {
                return workers.get();
            }
        };
    }

    @Test
    void logisticResidualsStandAlone() {
        ContributionSum sound = sum(() -> (block, row, sum) ->
                sum.addRow(0, block.label(row) - 1 / (1 + Math.exp(-Rows.dot(block, row, THETA, 0)))));
        assertThatCode(() -> RecordSumConformance.requireRowsStandAlone(sound, rows, labels))
                .doesNotThrowAnyException();
    }

    /** Starts from where the row before ended. */
    private static final class WarmStart implements ContributionSum.Worker {
        private double margin;

        @Override
        public void contribute(RecordBlock block, int row, Contribution sum) {
            margin = 0.01 * margin + Rows.dot(block, row, THETA, 0);
            sum.addRow(0, margin);
        }
    }

    /** Divides by the largest margin of the block. */
    private static final class BlockScale implements ContributionSum.Worker {
        private double largest;

        @Override
        public void prepare(RecordBlock block) {
            largest = 0;
            for (int row = 0; row < block.rows(); row++) {
                largest = Math.max(largest, Math.abs(Rows.dot(block, row, THETA, 0)));
            }
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution sum) {
            sum.addRow(0, Rows.dot(block, row, THETA, 0) / (1 + largest));
        }
    }

    /** Keeps a total that a row which is not a number spoils for all others. */
    private static final class Spoiled implements ContributionSum.Worker {
        private double total;

        @Override
        public void contribute(RecordBlock block, int row, Contribution sum) {
            total += 0 * Rows.squaredNorm(block, row);
            sum.addRow(0, 1 + total);
        }
    }

    @Test
    void queriesThatLookAsideAreFound() {
        for (Supplier<ContributionSum.Worker> workers :
                java.util.List.<Supplier<ContributionSum.Worker>>of(WarmStart::new, BlockScale::new, Spoiled::new)) {
            assertThatThrownBy(() -> RecordSumConformance.requireRowsStandAlone(sum(workers), rows, labels))
                    .isInstanceOf(AssertionError.class);
        }
    }
}
