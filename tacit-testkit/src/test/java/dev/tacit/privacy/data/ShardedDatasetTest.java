package dev.tacit.privacy.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.mechanism.DiscreteGaussianMechanism;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.noise.ReplayNoise;
import dev.tacit.privacy.noise.SecureNoise;
import dev.tacit.privacy.sampling.SamplingScheme;
import dev.tacit.privacy.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.privacy.sampling.SamplingScheme.FullPass;
import dev.tacit.privacy.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyUnit;
import dev.tacit.testkit.BinomialCount;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

class ShardedDatasetTest {
    private static final int COLUMNS = 4;
    private static final int RECORDS = 700;
    private static final int SHARDS = 9;
    private static final DiscreteGaussianMechanism NOISE = new DiscreteGaussianMechanism(8);

    /** The sum of a shard's rows, and how many there are. */
    private static final ShardSum SUM = ShardSum.of(COLUMNS + 1, (rows, sum) -> {
        for (int row = 0; row < rows.rows(); row++) {
            rows.addTo(row, 1, sum, 0);
            sum[COLUMNS]++;
        }
    });

    private final double[][] rows = DoorFixtures.rows(RECORDS, COLUMNS, RandomSource.XO_RO_SHI_RO_128_PP.create(8L));

    private static RunRequest run(SamplingScheme sampling, long times) {
        return RunRequest.of("run", ReleasePlan.of("shards", times, COLUMNS + 1, sampling));
    }

    private static double[] exact(LocalDataset data, ShardSum query) {
        return data.sharded(SHARDS, ReplayNoise.ofSeed(1))
                .openNotPrivate(run(new FullPass(), 1), ReplayNoise.ofSeed(2))
                .release(query, 1e4)
                .value();
    }

    @Test
    void everyRowIsInOneShardWhateverTheStorage() {
        double[] expected = new double[COLUMNS + 1];
        for (double[] row : rows) {
            for (int column = 0; column < COLUMNS; column++) {
                expected[column] += row[column];
            }
            expected[COLUMNS]++;
        }
        for (boolean sparse : new boolean[] {false, true}) {
            for (int blockRows : new int[] {1, 30, 1000}) {
                for (int threads : new int[] {1, 3}) {
                    double[] sum = exact(
                            new LocalDataset(
                                    DoorFixtures.source(rows, blockRows, sparse, null),
                                    DoorFixtures.RECORD,
                                    RECORDS,
                                    threads),
                            SUM);
                    for (int i = 0; i <= COLUMNS; i++) {
                        assertThat(sum[i]).isBetween(expected[i] - 1e-2, expected[i] + 1e-2);
                    }
                }
            }
        }
    }

    /** Persons stay together, and their rows beyond maxRecords are left out. */
    @Test
    void aPersonIsInOneShard() {
        long[] starts = new long[RECORDS / 7 + 1];
        for (int unit = 0; unit < starts.length; unit++) {
            starts[unit] = 7L * unit;
        }
        for (int row = 0; row < RECORDS; row++) {
            rows[row] = new double[] {row / 7 + 1, 0, 0, 0};
        }
        LocalDataset data =
                new LocalDataset(DoorFixtures.source(rows, 30, false, starts), DoorFixtures.person(5), RECORDS / 7, 2);
        ShardSum incomplete = ShardSum.of(COLUMNS + 1, (shard, sum) -> {
            for (int row = 0; row < shard.rows(); row++) {
                sum[COLUMNS] += shard.squaredNorm(row) == shard.squaredNorm(row / 5 * 5) ? 0 : 1;
                sum[0]++;
            }
            sum[1] += shard.rows() % 5;
        });
        double[] sum = exact(data, incomplete);
        assertThat(sum[0]).isBetween(RECORDS / 7 * 5 - 0.01, RECORDS / 7 * 5 + 0.01);
        assertThat(sum[1]).isZero();
        assertThat(sum[COLUMNS]).isZero();
    }

    /** Pairs of units meet as often as uniform, independent ones; false alarms below 1e-6. */
    @Test
    void shardsAreUniformAndIndependent() {
        long seed = Long.getLong("tacit.test.seed", SecureNoise.create().nextLong() >>> 1);
        int views = 6_000;
        int units = 4;
        int shards = 3;
        double[][] few = new double[units][units];
        for (int unit = 0; unit < units; unit++) {
            few[unit][unit] = 1;
        }
        LocalDataset data = DoorFixtures.dataset(few, false, 1);
        RunRequest once = RunRequest.of("run", ReleasePlan.of("pairs", 1, units * units, new FullPass()));
        ShardSum pairs = ShardSum.of(units * units, (shard, sum) -> {
            double[] present = new double[units];
            for (int row = 0; row < shard.rows(); row++) {
                shard.addTo(row, 1, present, 0);
            }
            for (int i = 0; i < units * units; i++) {
                sum[i] = present[i / units] * present[i % units];
            }
        });
        long[] met = new long[units * units];
        for (int view = 0; view < views; view++) {
            double[] sum = data.sharded(shards, ReplayNoise.ofSeed(seed + view))
                    .openNotPrivate(once, ReplayNoise.ofSeed(1))
                    .release(pairs, 100)
                    .value();
            for (int i = 0; i < met.length; i++) {
                met[i] += Math.round(sum[i]);
            }
        }
        double level = 1e-6 / (units * units);
        for (int i = 0; i < units; i++) {
            assertThat(met[i * units + i]).isEqualTo(views);
            for (int j = 0; j < i; j++) {
                BinomialCount together = new BinomialCount(met[i * units + j], views);
                assertThat(1.0 / shards)
                        .as("units " + i + " and " + j + ", repeat with -Dtacit.test.seed=" + seed)
                        .isBetween(together.lowerBound(level), together.upperBound(level));
            }
        }
    }

    @Test
    void chargesTwoBoundsUnderBothRelationsAndNotFour() throws BudgetExhausted {
        for (Neighbours neighbours : Neighbours.values()) {
            PrivacyUnit unit = PrivacyUnit.record(neighbours);
            PrivacyLedger ledger = DoorFixtures.ledger(unit);
            LocalDataset data = new LocalDataset(DoorFixtures.source(rows, 64, false, null), unit, RECORDS, 1);
            ShardSession session = data.sharded(SHARDS, ReplayNoise.ofSeed(1))
                    .open(run(new FullPass(), 3), NOISE, ledger, ReplayNoise.ofSeed(2));
            NoisySum sum = session.release(SUM, 2);
            assertThat(sum.noiseStandardDeviation()).isBetween(16.0, 16.001);
            assertThat(sum.expectedBatchSize()).isEqualTo(SHARDS);
            assertThat(sum.provenance()).isEqualTo(Provenance.SIMULATED_NOT_FOR_RELEASE);
            assertThat(ledger.entries().get(0).event()).isEqualTo(session.event());
            assertThat(ledger.entries().get(0).released()).isEqualTo(1);
            assertThat(new ExactAccountant()
                            .epsilon(session.event(), 1e-5, neighbours)
                            .upper())
                    .isEqualTo(new ExactAccountant()
                            .epsilon(PrivacyEvent.gaussian(4).times(3), 1e-5, Neighbours.ADD_REMOVE)
                            .upper());
        }
    }

    @Test
    void samplesOfShardsNeedReplaceOne() throws BudgetExhausted {
        for (SamplingScheme sampling :
                new SamplingScheme[] {new PoissonSampling(0.5), new FixedSizeSampling(3, SHARDS)}) {
            LocalDataset data = DoorFixtures.dataset(rows, false, 1);
            assertThatThrownBy(() -> data.sharded(SHARDS, ReplayNoise.ofSeed(1))
                            .open(
                                    run(sampling, 1),
                                    NOISE,
                                    DoorFixtures.ledger(DoorFixtures.RECORD),
                                    ReplayNoise.ofSeed(2)))
                    .hasMessageContaining("all shards");
            PrivacyUnit replaced = PrivacyUnit.record(Neighbours.REPLACE_ONE);
            NoisySum sum = new LocalDataset(DoorFixtures.source(rows, 64, false, null), replaced, RECORDS, 1)
                    .sharded(SHARDS, ReplayNoise.ofSeed(1))
                    .open(run(sampling, 1), NOISE, DoorFixtures.ledger(replaced), ReplayNoise.ofSeed(2))
                    .release(SUM, 1);
            assertThat(sum.expectedBatchSize()).isEqualTo(sampling.expectedBatchSize(SHARDS));
        }
    }

    @Test
    void aShardThatFailsContributesNothingAndViewsRepeat() throws BudgetExhausted {
        ShardSum fragile = ShardSum.of(COLUMNS + 1, (shard, sum) -> {
            sum[0] = 1;
            if (shard.rows() > 1) {
                throw new StackOverflowError();
            }
        });
        assertThat(exact(DoorFixtures.dataset(rows, true, 2), fragile)).containsOnly(0);
        LocalDataset data = DoorFixtures.dataset(rows, true, 2);
        double[][] twice = new double[2][];
        for (int i = 0; i < 2; i++) {
            twice[i] = data.sharded(SHARDS, ReplayNoise.ofSeed(1))
                    .open(
                            run(new FullPass(), 1),
                            NOISE,
                            DoorFixtures.ledger(DoorFixtures.RECORD),
                            ReplayNoise.ofSeed(2))
                    .release(SUM, 1)
                    .value();
        }
        assertThat(twice[0]).isEqualTo(twice[1]);
    }
}
