package dev.tacit.partitioned.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.partitioned.party.PartyFixtures;
import dev.tacit.query.ContributionSum;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parties by a public rule: where a record is depends on nobody else, and a turn sees one party and is charged to it alone. */
class PartyTurnsTest {
    private static final int ROWS = 4_000;
    private static final int COLUMNS = 3;
    private static final long SEED = 5;

    private static DenseBlock rows() {
        Random random = new Random(SEED);
        double[] values = new double[ROWS * COLUMNS];
        double[] labels = new double[ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt(3) == 0 ? 0 : random.nextGaussian();
        }
        for (int i = 0; i < ROWS; i++) {
            labels[i] = random.nextInt(2);
        }
        return DenseBlock.of(ROWS, COLUMNS, values, labels);
    }

    /** Each party has a tenth of the records: a count beyond 6 standard deviations has probability below 1e-8. */
    @Test
    void aHashDealsRecordsOutEvenlyAndByTheirNumbersAlone() {
        PartyRule rule = new PartyRule.Hashed(10, 77);
        DenseBlock rows = rows();
        SparseBlock same = PartyFixtures.sparse(rows);
        RecordBlock behind = rows.part(1, ROWS);
        int[] counts = new int[10];
        for (int row = 0; row < ROWS; row++) {
            int party = rule.party(rows, row);
            counts[party]++;
            assertThat(rule.party(same, row)).isEqualTo(party);
            if (row > 0) {
                assertThat(rule.party(behind, row - 1)).isEqualTo(party);
            }
        }
        for (int count : counts) {
            assertThat((double) count).isBetween(400 - 6 * 19.0, 400 + 6 * 19.0);
        }
    }

    @Test
    void anotherKeyDealsThemOutAnew() {
        DenseBlock rows = rows();
        int equal = 0;
        for (int row = 0; row < ROWS; row++) {
            equal += new PartyRule.Hashed(10, 1).party(rows, row) == new PartyRule.Hashed(10, 2).party(rows, row)
                    ? 1
                    : 0;
        }
        assertThat((double) equal).isBetween(400 - 6 * 19.0, 400 + 6 * 19.0);
    }

    @Test
    void aCategoryIsThePlaceOfItsOne() {
        DenseBlock rows = DenseBlock.of(3, 4, new double[] {5, 0, 0.3, 0, 5, 0.3, 0, 0, 5, 0, 0, 0}, new double[3]);
        PartyRule rule = new PartyRule.Category("hospital", 1, 3);
        assertThat(rule.party(rows, 0)).isEqualTo(1);
        assertThat(rule.party(rows, 1)).isEqualTo(0);
        assertThat(rule.party(rows, 2)).isEqualTo(0);
    }

    private static ReleasePlan plan(int parties, int inARow, long times) {
        return ReleasePlan.of("counts", times, 1, new FullPass())
                .seenBy(PartyView.of(new PartyTurns(new PartyRule.Hashed(parties, 0), inARow)));
    }

    private static final RecordSum COUNT = ContributionSum.of(1, (block, row, contribution) -> contribution.add(0, 1));

    @Test
    void aTurnSeesTheRecordsOfOneParty() {
        DenseBlock rows = rows();
        PartyRule rule = new PartyRule.Hashed(3, 0);
        PrivateDataset data = LocalSummation.dataset(
                RecordsInMemory.of(rows, true), PrivacyUnit.record(Neighbours.ADD_REMOVE), ROWS, 1);
        PrivateSession session = data.openNotPrivate(RunRequest.of("counts", plan(3, 2, 6)), ReplayNoise.ofSeed(1));
        int[] counts = new int[3];
        for (int row = 0; row < ROWS; row++) {
            counts[rule.party(rows, row)]++;
        }
        for (int release = 0; release < 6; release++) {
            assertThat(session.release(COUNT, 1).value()[0]).isEqualTo(counts[release / 2]);
        }
    }

    /** A record pays for the releases of its party, those of a turn that was cut short included. */
    @Test
    void aRecordPaysForItsParty() {
        ExactAccountant accountant = new ExactAccountant();
        DiscreteGaussianMechanism noise = new DiscreteGaussianMechanism(2);
        for (long times : new long[] {1, 2, 3, 7, 12, 13}) {
            long mostOfOne = times / 6 * 2 + Math.min(times % 6, 2);
            PrivacyEvent alone =
                    ReleasePlan.of("counts", mostOfOne, 1, new FullPass()).event(noise);
            assertThat(accountant
                            .epsilon(plan(3, 2, times).event(noise), 1e-5, Neighbours.ADD_REMOVE)
                            .upper())
                    .isEqualTo(accountant
                            .epsilon(alone, 1e-5, Neighbours.ADD_REMOVE)
                            .upper());
        }
    }

    @Test
    void whatTurnsDoNotProtectIsRefused() {
        assertThatThrownBy(() -> open(PrivacyUnit.record(Neighbours.REPLACE_ONE)))
                .hasMessageContaining("schedule=synchronous");
        assertThatThrownBy(() -> open(new PrivacyUnit("person", 2, Neighbours.ADD_REMOVE)))
                .hasMessageContaining("schedule=synchronous");
        ReleasePlan records = ReleasePlan.of("counts", 1, 1, new FullPass());
        assertThatThrownBy(() -> records.then(plan(3, 1, 3))).hasMessageContaining("all see the same");
    }

    private static PrivateSession open(PrivacyUnit unit) throws Exception {
        return LocalSummation.dataset(RecordsInMemory.of(rows(), true), unit, ROWS, 1)
                .open(
                        RunRequest.of("counts", plan(3, 1, 3)),
                        new DiscreteGaussianMechanism(1),
                        PartyFixtures.ledger(unit),
                        ReplayNoise.ofSeed(1));
    }
}
