package dev.tacit.model.regression;

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
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.Runs;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.update.SiteStatistics;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Sums of rows and their squares are the same integers whether rows are seen alone, in blocks that are written row by row, or
 * in blocks that are written column by column.
 */
class SquareStatisticsTest {
    private static final int ROWS = 4500;
    private static final double[] ODD = {Double.NaN, Double.POSITIVE_INFINITY, 1e200, -1e100, 1e-100, 1e-200, 0, 3};

    /** About half of them are longer than 1, some are zeros, and some have odd numbers. */
    private static DenseBlock block(int columns, boolean odd) {
        RandomStream random = RandomStream.ofSeed(8);
        double[] values = new double[ROWS * columns];
        double[] labels = new double[ROWS];
        for (int row = 0; row < ROWS; row++) {
            double size = row % 40 == 7 ? 0 : 4 * random.uniform() / Math.sqrt(columns);
            for (int j = 0; j < columns; j++) {
                values[row * columns + j] = random.uniform() < 0.2 ? 0 : size * (2 * random.uniform() - 1);
            }
            if (odd && row % 9 == 4) {
                values[row * columns + row % columns] = ODD[row / 9 % ODD.length];
            }
            labels[row] = odd && row % 50 == 3 ? Double.NaN : row % 2;
        }
        return DenseBlock.of(ROWS, columns, values, labels);
    }

    private static Map<String, ContributionSum> queries(int columns) {
        List<String> names = Runs.names(columns);
        LogisticRegression logistic = new LogisticRegression(names, 1, 1);
        double[] mean = new double[columns];
        mean[0] = 0.7;
        GaussianPosterior posterior = new GaussianPosterior(names, mean, SymmetricMatrix.scaledIdentity(columns, 0.3));
        return Map.of(
                "residual Newton",
                logistic.originStatistics(4),
                "Pólya-Gamma",
                new PolyaGammaLogistic(logistic, 3, 0.5, true).expectedStatistics(posterior),
                "linear regression",
                new LinearRegression(names, 1, 1, -1, 2, ROWS, 0.7).expectedStatistics(posterior),
                "noisy linear regression",
                new NoisyLinearRegression(names, 1, 1, 1, 1, 0.8, false, ROWS)
                        .releases()
                        .get(0)
                        .sum(),
                "sites",
                new SiteStatistics(logistic, GaussianFamily.FULL_COVARIANCE, posterior, 2));
    }

    private static long[] sums(DenseBlock block, int blockRows, ContributionSum query, SamplingScheme sampling) {
        List<RecordBlock> blocks = new ArrayList<>();
        for (int from = 0; from < ROWS; from += blockRows) {
            blocks.add(block.part(from, Math.min(ROWS, from + blockRows)));
        }
        // So fine that integers show the last bits of numbers.
        SumGrid grid = new DiscreteGaussianMechanism(0x1p-20).grid(0.9, query.dimension());
        RecordsInMemory records = new RecordsInMemory(block.columns(), true, blocks, null);
        return PartSums.of(
                records,
                new SumRequest(query, grid, sampling, ReplayNoise.ofSeed(2).batchKey(), 1));
    }

    @Test
    void blocksOfEverySizeAddTheSameIntegers() {
        for (int columns : new int[] {1, 6, 20}) {
            for (boolean odd : new boolean[] {false, true}) {
                DenseBlock block = block(columns, odd);
                queries(columns).forEach((name, query) -> {
                    for (SamplingScheme sampling : List.of(new FullPass(), new PoissonSampling(0.2))) {
                        long[] alone = sums(block, 1, query, sampling);
                        for (int blockRows : new int[] {7, 100, 4096}) {
                            assertThat(sums(block, blockRows, query, sampling))
                                    .as("%s in blocks of %d", name, blockRows)
                                    .containsExactly(alone);
                        }
                    }
                });
            }
        }
    }
}
