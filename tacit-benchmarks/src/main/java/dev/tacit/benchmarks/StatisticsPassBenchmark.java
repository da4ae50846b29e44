package dev.tacit.benchmarks;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Milliseconds for one whole release through the door: clip, round, sum, ledger, noise.
 *
 * <p>Records have 108 columns and 15 non-zeros, as Adult has after one-hot encoding. {@link BesideNumpy} compares with
 * numpy in the same run.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StatisticsPassBenchmark {
    static final int COLUMNS = 108;
    static final int NON_ZEROS = 15;
    static final int SQUARES = COLUMNS * (COLUMNS + 1) / 2;

    private static final int BLOCK_ROWS = 4096;
    private static final int MOST_RELEASES = 10_000_000;

    /** How many records there are: as a dense table of doubles, 28 MB, or 226 MB, which no processor cache holds. */
    @Param({"32768", "262144"})
    int records = 32_768;

    /** How many threads compute a release. */
    @Param({"1", "2"})
    int threads = 1;

    private final double[] theta = new double[COLUMNS];
    private PrivateSession residuals;
    private PrivateSession statistics;

    /** Draws the records and opens a session for each kind of release. */
    @Setup
    public void open() throws BudgetExhausted {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(1L);
        for (int column = 0; column < COLUMNS; column++) {
            theta[column] = random.nextDouble() - 0.5;
        }
        RecordsInMemory rows = new RecordsInMemory(COLUMNS, true, blocks(random, records), null);
        residuals = session(rows, COLUMNS);
        statistics = session(rows, COLUMNS + SQUARES);
    }

    private static List<RecordBlock> blocks(UniformRandomProvider random, int records) {
        List<RecordBlock> blocks = new ArrayList<>();
        for (int block = 0; block < records / BLOCK_ROWS; block++) {
            int[] starts = new int[BLOCK_ROWS + 1];
            int[] columns = new int[BLOCK_ROWS * NON_ZEROS];
            double[] values = new double[BLOCK_ROWS * NON_ZEROS];
            double[] labels = new double[BLOCK_ROWS];
            int entry = 0;
            for (int row = 0; row < BLOCK_ROWS; row++) {
                for (int part = 0; part < NON_ZEROS; part++) {
                    int from = part * COLUMNS / NON_ZEROS;
                    int width = (part + 1) * COLUMNS / NON_ZEROS - from;
                    columns[entry] = from + random.nextInt(width);
                    values[entry] = random.nextDouble();
                    entry++;
                }
                starts[row + 1] = entry;
                labels[row] = random.nextInt(2);
            }
            blocks.add(SparseBlock.of(BLOCK_ROWS, COLUMNS, starts, columns, values, labels));
        }
        return blocks;
    }

    private PrivateSession session(RecordsInMemory rows, int dimension) throws BudgetExhausted {
        PrivacyUnit unit = PrivacyUnit.record(Neighbours.ADD_REMOVE);
        ReleasePlan plan = ReleasePlan.of("sum", MOST_RELEASES, dimension, new SamplingScheme.FullPass());
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(unit, new PrivacyBudget(1e9, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        return LocalSummation.dataset(rows, unit, records, threads)
                .open(
                        RunRequest.of("benchmark", plan),
                        new DiscreteGaussianMechanism(1),
                        ledger,
                        ReplayNoise.ofSeed(1));
    }

    /** Σ (y − σ(xᵀθ)) x: the gradient of logistic regression. */
    @Benchmark
    public NoisySum residualSum() {
        return residuals.release(new Logistic(theta, false), 1);
    }

    /** Σ r x and Σ w x xᵀ: the statistics of a Newton step, jointly clipped. */
    @Benchmark
    public NoisySum firstAndSecondOrder() {
        return statistics.release(new Logistic(theta, true), 1);
    }

    /** Probabilities for a whole block at once, then a multiple of each row, and of its square. */
    private static final class Logistic implements ContributionSum {
        private static final long serialVersionUID = 1;

        private final double[] theta;
        private final boolean squares;

        Logistic(double[] theta, boolean squares) {
            this.theta = theta;
            this.squares = squares;
        }

        @Override
        public int dimension() {
            return squares ? COLUMNS + SQUARES : COLUMNS;
        }

        @Override
        public Worker worker() {
            return new Worker() {
                private double[] probabilities = {};

                @Override
                public void prepare(RecordBlock block) {
                    if (probabilities.length < block.rows()) {
                        probabilities = new double[block.rows()];
                    }
                    Rows.dots(block, theta, 0, probabilities);
                    for (int row = 0; row < block.rows(); row++) {
                        probabilities[row] = 1 / (1 + Math.exp(-probabilities[row]));
                    }
                }

                @Override
                public void contribute(RecordBlock block, int row, Contribution contribution) {
                    double probability = probabilities[row];
                    contribution.addRow(0, block.label(row) - probability);
                    if (squares) {
                        contribution.addSquare(COLUMNS, probability * (1 - probability));
                    }
                }
            };
        }
    }

    static {
        if (Contribution.squareSize(COLUMNS) != SQUARES) {
            throw new IllegalStateException("the size of a square has changed");
        }
    }
}
