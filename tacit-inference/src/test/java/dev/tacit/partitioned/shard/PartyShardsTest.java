package dev.tacit.partitioned.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.Plans;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.partitioned.party.PartyFixtures;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Shards inside parties: where a record is depends on nobody else, and its shard is charged for two bounds. */
class PartyShardsTest {
    private static final int COLUMNS = 4;
    private static final int RECORDS = 4_000;
    private static final int PARTIES = 4;
    private static final int SHARDS = 8;
    private static final PartyRule RULE = new PartyRule.Hashed(PARTIES, 3);
    private static final PartyShards PARTY_SHARDS = new PartyShards(RULE, SHARDS, 3);
    private static final DiscreteGaussianMechanism NOISE = new DiscreteGaussianMechanism(8);

    private final double[][] rows = PartyFixtures.rows(RECORDS, COLUMNS, 8);

    /** How many rows a shard has, and 1 for the shard. */
    private static final ShardSum COUNT = ShardSum.of(2, (shard, sum) -> {
        sum[0] = shard.rows();
        sum[1] = 1;
    });

    private static ReleasePlan plan(int blocks, long times) {
        return ReleasePlan.of("shards", times, 2 * blocks, new FullPass()).seenBy(PartyView.of(PARTY_SHARDS));
    }

    private static ReleasePlan turns(long times) {
        return plan(1, times).seenBy(new PartyView(Optional.of(new PartyTurns(RULE, 1)), Optional.of(PARTY_SHARDS)));
    }

    private static PrivateSession open(double[][] records, ReleasePlan plan, int threads) {
        return PartyFixtures.dataset(records, true, threads)
                .openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1));
    }

    private static PartyShardSum ofEachParty(ShardSum query) {
        return new PartyShardSum(Collections.nCopies(PARTIES, query));
    }

    /** A shard's count beyond 6 standard deviations has probability below 1e-8; parties and shards have the same key. */
    @Test
    void shardsOfAPartyAreEvenAndDoNotFollowTheParty() {
        int[] counts = new int[PARTIES * SHARDS];
        for (int row = 0; row < RECORDS; row++) {
            DenseBlock alone = PartyFixtures.dense(rows[row]);
            int shard = PARTY_SHARDS.shard(alone, 0);
            assertThat(shard / SHARDS).isEqualTo(RULE.party(alone, 0));
            assertThat(PARTY_SHARDS.shard(PartyFixtures.sparse(alone), 0)).isEqualTo(shard);
            counts[shard]++;
        }
        double expected = (double) RECORDS / counts.length;
        for (int count : counts) {
            assertThat((double) count)
                    .isBetween(expected - 6 * Math.sqrt(expected), expected + 6 * Math.sqrt(expected));
        }
    }

    @Test
    void everyRecordIsInOneShardOfItsPartyWhateverTheThreads() {
        for (int threads : new int[] {1, 3}) {
            double[] counts = open(rows, plan(PARTIES, 1), threads)
                    .release(ofEachParty(COUNT), 1e3)
                    .value();
            int[] expected = new int[PARTIES];
            for (int row = 0; row < RECORDS; row++) {
                DenseBlock alone = DenseBlock.of(1, COLUMNS, rows[row], new double[] {row % 2});
                expected[RULE.party(alone, 0)]++;
            }
            for (int party = 0; party < PARTIES; party++) {
                assertThat(Math.round(counts[2 * party])).isEqualTo(expected[party]);
                assertThat(Math.round(counts[2 * party + 1])).isEqualTo(SHARDS);
            }
        }
    }

    @Test
    void oneQueryForAllIsTheSumOverAllParties() {
        double[] sum =
                open(rows, plan(1, 1), 2).release(PartyShardSum.of(COUNT), 1e3).value();
        assertThat(Math.round(sum[0])).isEqualTo(RECORDS);
        assertThat(Math.round(sum[1])).isEqualTo(PARTIES * SHARDS);
    }

    @Test
    void aTurnSeesTheShardsOfOneParty() {
        PrivateSession session = open(rows, turns(PARTIES), 1);
        double[] all =
                open(rows, plan(PARTIES, 1), 1).release(ofEachParty(COUNT), 1e3).value();
        for (int party = 0; party < PARTIES; party++) {
            assertThat(session.release(PartyShardSum.of(COUNT), 1e3).value())
                    .containsExactly(all[2 * party], all[2 * party + 1]);
        }
    }

    /** To the last bit, and wherever in the file the record was. */
    @Test
    void aRecordThatGoesChangesOneShardOnly() {
        ShardSum fingerprints = ShardSum.of(2, (shard, sum) -> {
            for (int row = 0; row < shard.rows(); row++) {
                sum[0] = 0.9 * sum[0] + Rows.squaredNorm(shard, row);
            }
            sum[1] = shard.rows();
        });
        PartyRule many = new PartyRule.Hashed(PARTIES * SHARDS, 5);
        ReleasePlan plan = ReleasePlan.of("shards", 1, 2 * PARTIES * SHARDS, new FullPass())
                .seenBy(PartyView.of(new PartyShards(many, 1, 0)));
        PartyShardSum query = new PartyShardSum(Collections.nCopies(PARTIES * SHARDS, fingerprints));
        double[] before = open(rows, plan, 1).release(query, 1e3).value();
        for (int gone : new int[] {0, 2, RECORDS - 2}) {
            List<double[]> left = new ArrayList<>(Arrays.asList(rows));
            // Two at once, so that the fixture's labels, which alternate, stay with their rows.
            left.subList(gone, gone + 2).clear();
            double[] after = open(left.toArray(double[][]::new), plan, 1)
                    .release(query, 1e3)
                    .value();
            long changed = 0;
            for (int shard = 0; shard < PARTIES * SHARDS; shard++) {
                changed +=
                        before[2 * shard] == after[2 * shard] && before[2 * shard + 1] == after[2 * shard + 1] ? 0 : 1;
            }
            assertThat(changed).isBetween(1L, 2L);
        }
    }

    @Test
    void aShardIsChargedForTwoBounds() throws BudgetExhausted {
        for (Neighbours neighbours : Neighbours.values()) {
            PrivacyUnit unit = PrivacyUnit.record(neighbours);
            PrivacyLedger ledger = PartyFixtures.ledger(unit);
            PrivateDataset data = LocalSummation.dataset(PartyFixtures.source(rows, 64, false, null), unit, RECORDS, 1);
            PrivateSession session = data.open(RunRequest.of("test", plan(1, 3)), NOISE, ledger, ReplayNoise.ofSeed(2));
            assertThat(session.release(PartyShardSum.of(COUNT), 2).noiseStandardDeviation())
                    .isBetween(16.0, 16.001);
            assertThat(ledger.entries().get(0).event())
                    .isEqualTo(session.event())
                    .isEqualTo(PrivacyEvent.gaussian(4).times(3));
        }
    }

    /** Nine releases of three parties in turns: a record pays for three of them, each against two bounds. */
    @Test
    void turnsPayForTheirOwnShards() {
        ReleasePlan turns = turns(3 * PARTIES);
        assertThat(new ExactAccountant()
                        .epsilon(turns.event(NOISE), 1e-5, Neighbours.ADD_REMOVE)
                        .upper())
                .isEqualTo(new ExactAccountant()
                        .epsilon(PrivacyEvent.gaussian(4).times(3), 1e-5, Neighbours.ADD_REMOVE)
                        .upper());
        assertThat(Plans.first(turns, PARTIES).event(NOISE))
                .isEqualTo(turns(PARTIES).event(NOISE));
        assertThat(Plans.withoutSampling(turns).event(NOISE)).isEqualTo(turns.event(NOISE));
    }

    @Test
    void aShardThatFailsOrIsNotANumberContributesNothing() {
        for (double trouble : new double[] {Double.NaN, Double.NEGATIVE_INFINITY, 0}) {
            ShardSum fragile = ShardSum.of(2, (shard, sum) -> {
                sum[0] = shard.rows() > 1 ? trouble : 1;
                if (shard.rows() > 1 && trouble == 0) {
                    throw new StackOverflowError();
                }
            });
            assertThat(open(rows, plan(1, 1), 2)
                            .release(PartyShardSum.of(fragile), 1)
                            .value())
                    .containsOnly(0);
        }
    }

    @Test
    void sumsOverShardsAndOverRecordsDoNotTakeEachOthersPlace() {
        RecordSum record = ContributionSum.of(2, (block, row, contribution) -> contribution.add(0, 1));
        ReleasePlan records = ReleasePlan.of("records", 1, 2, new FullPass());
        assertThatThrownBy(() -> open(rows, records, 1).release(PartyShardSum.of(COUNT), 1))
                .hasMessageContaining("see records");
        assertThatThrownBy(() -> open(rows, plan(1, 1), 1).release(record, 1)).hasMessageContaining("over shards");
        assertThatThrownBy(() -> records.then(plan(1, 1))).hasMessageContaining("all see the same");
    }

    @Test
    void whatShardsDoNotProtectIsRefused() {
        ReleasePlan sampled =
                ReleasePlan.of("shards", 1, 2, new PoissonSampling(0.5)).seenBy(PartyView.of(PARTY_SHARDS));
        assertThatThrownBy(() -> open(rows, sampled, 1)).hasMessageContaining("all shards");
        PartyTurns others = new PartyTurns(new PartyRule.Hashed(PARTIES, 4), 1);
        assertThatThrownBy(() -> new PartyView(Optional.of(others), Optional.of(PARTY_SHARDS)))
                .hasMessageContaining("take turns");
        assertThatThrownBy(() -> new PartyShards(RULE, 0, 0)).hasMessageContaining("at least one shard");
        PrivateDataset persons = LocalSummation.dataset(
                PartyFixtures.source(rows, 64, false, new long[] {0, 2, RECORDS}), PartyFixtures.person(2), 2, 1);
        assertThatThrownBy(() -> persons.open(
                        RunRequest.of("test", plan(1, 1)),
                        NOISE,
                        PartyFixtures.ledger(persons.unit()),
                        ReplayNoise.ofSeed(1)))
                .hasMessageContaining("one record");
        assertThatThrownBy(() -> open(rows, plan(2, 1), 1).release(new PartyShardSum(List.of(COUNT, COUNT)), 1))
                .hasMessageContaining("every party");
        assertThatThrownBy(() -> new PartyShardSum(List.of())).hasMessageContaining("every party");
    }
}
