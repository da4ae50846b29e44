package dev.tacit.partitioned.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.partitioned.Parties;
import dev.tacit.partitioned.party.PartyFixtures;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import org.junit.jupiter.api.Test;

/** Shards that are drawn at random: who is where, and that a shard is charged for two bounds. */
class RandomShardsTest {
    private static final int COLUMNS = 4;
    private static final int RECORDS = 700;
    private static final int SHARDS = 9;
    private static final long SEED = 41;
    private static final DiscreteGaussianMechanism NOISE = new DiscreteGaussianMechanism(8);

    /** The sum of a shard's rows, and how many there are. */
    private static final ShardSum SUM = ShardSum.of(COLUMNS + 1, (rows, sum) -> {
        for (int row = 0; row < rows.rows(); row++) {
            Rows.addTo(rows, row, 1, sum, 0);
            sum[COLUMNS]++;
        }
    });

    private final double[][] rows = PartyFixtures.rows(RECORDS, COLUMNS, 8);

    private static RunRequest run(SamplingScheme sampling, long times, Neighbours neighbours) {
        return RunRequest.of(
                "run",
                ReleasePlan.of("shards", times, COLUMNS + 1, sampling)
                        .seenBy(new RandomShards(SHARDS, neighbours, ReplayNoise.ofSeed(1))));
    }

    private static double[] exact(PrivateDataset data, ShardSum query) {
        return data.openNotPrivate(run(new FullPass(), 1, Neighbours.ADD_REMOVE), ReplayNoise.ofSeed(2))
                .release(PartyShardSum.of(query), 1e4)
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
                            LocalSummation.dataset(
                                    PartyFixtures.source(rows, blockRows, sparse, null),
                                    Parties.RECORD,
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
        PrivateDataset data = LocalSummation.dataset(
                PartyFixtures.source(rows, 30, false, starts), PartyFixtures.person(5), RECORDS / 7, 2);
        ShardSum incomplete = ShardSum.of(COLUMNS + 1, (shard, sum) -> {
            for (int row = 0; row < shard.rows(); row++) {
                sum[COLUMNS] += Rows.squaredNorm(shard, row) == Rows.squaredNorm(shard, row / 5 * 5) ? 0 : 1;
                sum[0]++;
            }
            sum[1] += shard.rows() % 5;
        });
        double[] sum = exact(data, incomplete);
        assertThat(sum[0]).isBetween(RECORDS / 7 * 5 - 0.01, RECORDS / 7 * 5 + 0.01);
        assertThat(sum[1]).isZero();
        assertThat(sum[COLUMNS]).isZero();
    }

    /** Pairs of units meet as often as uniform, independent ones; a count beyond 6 standard deviations has probability below 1e-8. */
    @Test
    void shardsAreUniformAndIndependent() {
        int views = 6_000;
        int units = 4;
        int shards = 3;
        double[][] few = new double[units][units];
        for (int unit = 0; unit < units; unit++) {
            few[unit][unit] = 1;
        }
        PrivateDataset data = PartyFixtures.dataset(few, false, 1);
        ReleasePlan once = ReleasePlan.of("pairs", 1, units * units, new FullPass());
        ShardSum pairs = ShardSum.of(units * units, (shard, sum) -> {
            double[] present = new double[units];
            for (int row = 0; row < shard.rows(); row++) {
                Rows.addTo(shard, row, 1, present, 0);
            }
            for (int i = 0; i < units * units; i++) {
                sum[i] = present[i / units] * present[i % units];
            }
        });
        long[] met = new long[units * units];
        for (int view = 0; view < views; view++) {
            ReleasePlan seen =
                    once.seenBy(new RandomShards(shards, Neighbours.ADD_REMOVE, ReplayNoise.ofSeed(SEED + view)));
            double[] sum = data.openNotPrivate(RunRequest.of("run", seen), ReplayNoise.ofSeed(1))
                    .release(PartyShardSum.of(pairs), 100)
                    .value();
            for (int i = 0; i < met.length; i++) {
                met[i] += Math.round(sum[i]);
            }
        }
        double deviation = Math.sqrt(views * (1.0 / shards) * (1 - 1.0 / shards));
        for (int i = 0; i < units; i++) {
            assertThat(met[i * units + i]).isEqualTo(views);
            for (int j = 0; j < i; j++) {
                assertThat((double) met[i * units + j])
                        .as("units " + i + " and " + j + ", seed " + SEED)
                        .isBetween((double) views / shards - 6 * deviation, (double) views / shards + 6 * deviation);
            }
        }
    }

    @Test
    void chargesTwoBoundsUnderBothRelationsAndNotFour() throws BudgetExhausted {
        for (Neighbours neighbours : Neighbours.values()) {
            PrivacyUnit unit = PrivacyUnit.record(neighbours);
            PrivacyLedger ledger = PartyFixtures.ledger(unit);
            PrivateDataset data = LocalSummation.dataset(PartyFixtures.source(rows, 64, false, null), unit, RECORDS, 1);
            PrivateSession session =
                    data.open(run(new FullPass(), 3, neighbours), NOISE, ledger, ReplayNoise.ofSeed(2));
            NoisySum sum = session.release(PartyShardSum.of(SUM), 2);
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
            PrivateDataset data = PartyFixtures.dataset(rows, false, 1);
            assertThatThrownBy(() -> data.open(
                            run(sampling, 1, Neighbours.ADD_REMOVE),
                            NOISE,
                            PartyFixtures.ledger(Parties.RECORD),
                            ReplayNoise.ofSeed(2)))
                    .hasMessageContaining("all shards");
            PrivacyUnit replaced = PrivacyUnit.record(Neighbours.REPLACE_ONE);
            NoisySum sum = LocalSummation.dataset(PartyFixtures.source(rows, 64, false, null), replaced, RECORDS, 1)
                    .open(
                            run(sampling, 1, Neighbours.REPLACE_ONE),
                            NOISE,
                            PartyFixtures.ledger(replaced),
                            ReplayNoise.ofSeed(2))
                    .release(PartyShardSum.of(SUM), 1);
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
        assertThat(exact(PartyFixtures.dataset(rows, true, 2), fragile)).containsOnly(0);
        PrivateDataset data = PartyFixtures.dataset(rows, true, 2);
        double[][] twice = new double[2][];
        for (int i = 0; i < 2; i++) {
            twice[i] = data.open(
                            run(new FullPass(), 1, Neighbours.ADD_REMOVE),
                            NOISE,
                            PartyFixtures.ledger(Parties.RECORD),
                            ReplayNoise.ofSeed(2))
                    .release(PartyShardSum.of(SUM), 1)
                    .value();
        }
        assertThat(twice[0]).isEqualTo(twice[1]);
    }

    @Test
    void shardsAreForTheUnitThatTheDataDeclare() {
        PrivateDataset data = PartyFixtures.dataset(rows, false, 1);
        assertThatThrownBy(() ->
                        data.openNotPrivate(run(new FullPass(), 1, Neighbours.REPLACE_ONE), ReplayNoise.ofSeed(2)))
                .hasMessageContaining("the data set declares");
    }

    /** What would be a release of noise alone, because records are not shards and shards are not records. */
    @Test
    void sumsOverShardsAndOverRecordsDoNotTakeEachOthersPlace() {
        RecordSum record = ContributionSum.of(COLUMNS + 1, (block, row, contribution) -> contribution.add(0, 1));
        PrivateDataset data = PartyFixtures.dataset(rows, false, 1);
        PrivateSession shards =
                data.openNotPrivate(run(new FullPass(), 1, Neighbours.ADD_REMOVE), ReplayNoise.ofSeed(2));
        assertThatThrownBy(() -> shards.release(record, 1)).hasMessageContaining("over shards");
    }
}
