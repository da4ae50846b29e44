package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.federated.release.FactorDoorway;
import dev.tacit.federated.release.PartyDoorway;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.PartyState;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What leaves the door of a party that adds all of its noise itself keeps the epsilon that the study says, when one of its records comes or
 * goes, over all rounds; a twin through whose door half the noise comes does not.
 *
 * <p>The record's gradient is longer than every bound here, so each round in whose batch it falls moves the sum by the whole bound. The
 * probability that a correct door fails is below 1e-6 for each test; noise is replayed from the seeds 1, 2, ..., and a failing verdict names
 * the seed of its events.
 */
class FactorDoorwayGuaranteeTest {
    private static final int OUTPUTS = 6_000;
    private static final int ROUNDS = 2;
    private static final double DELTA = 0.05;
    private static final double NOISE_MULTIPLIER = 1.2;
    private static final double BOUND = 0.05;
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /** Keeps in memory what the door released. */
    private static final class Seen implements SealedReleases {
        private final List<SealedRelease> releases = new ArrayList<>();

        @Override
        public void keep(SealedRelease release) {
            releases.add(release);
        }

        @Override
        public OptionalLong firstFrom(long index) {
            return releases.stream()
                    .mapToLong(SealedRelease::index)
                    .filter(each -> each >= index)
                    .findFirst();
        }

        @Override
        public double l2Bound(long index) {
            return releases.get((int) index).l2Bound();
        }

        @Override
        public SealedRelease read(long index, SumGrid grid) {
            return releases.get((int) index);
        }

        @Override
        public void dropBefore(long index) {
            // a test wants to see them
        }
    }

    /** A state that nobody comes back to. */
    private static final class NoState implements FactorDoorway.StateStore {
        @Override
        public Optional<PartyState> kept() {
            return Optional.empty();
        }

        @Override
        public void keep(PartyState state) {
            // nothing is resumed
        }
    }

    private static final class NoLedger implements PartyDoorway.Ledger {
        @Override
        public String head() {
            return "";
        }

        @Override
        public boolean knows(String head) {
            return true;
        }

        @Override
        public void outdateCopies(long rounds) {
            // nobody copies a folder here
        }

        @Override
        public long agreedRounds() {
            return 0;
        }

        @Override
        public long released() {
            return 0;
        }
    }

    private static StudyPlan plan(double noiseMultiplier) {
        Study like = StudyFixture.study(
                3,
                2,
                0,
                Study.Noise.OWN,
                Map.of(
                        "way",
                        "dp-optimisation",
                        "rounds",
                        Integer.toString(ROUNDS),
                        "localSteps",
                        "1",
                        "sampling",
                        "poisson:0.9",
                        "l2Bound",
                        Double.toString(BOUND)));
        return StudyPlan.of(new Study(
                like.name(),
                like.fitted(),
                like.budget(),
                noiseMultiplier,
                like.colluders(),
                like.missing(),
                like.noise(),
                like.seed(),
                like.coordinator(),
                like.members()));
    }

    private static PrivateDataset data(StudyPlan plan, boolean with) {
        int columns = plan.changes().orElseThrow().prior().dimension();
        int rows = with ? 3 : 2;
        double[] values = new double[rows * columns];
        Arrays.fill(values, 1 / Math.sqrt(columns));
        Arrays.fill(values, 0, 2 * columns, 0.1);
        double[] labels = new double[rows];
        labels[rows - 1] = with ? 1 : 0;
        return LocalSummation.dataset(
                RecordsInMemory.of(DenseBlock.of(rows, columns, values, labels), true), RECORD, 200, 1);
    }

    /** Everything that leaves, round by round, in units of the bound that is claimed. */
    private static double[] released(StudyPlan plan, boolean with, long seed) {
        Seen seen = new Seen();
        FactorDoorway door = FactorDoorway.open(
                plan,
                0,
                data(plan, with),
                new FreeLedger(RECORD),
                ReplayNoise.ofSeed(seed),
                seen,
                new NoState(),
                new NoLedger());
        double[] prior = plan.changes().orElseThrow().prior().naturalParameters();
        for (int round = 0; round < ROUNDS; round++) {
            Message.GlobalState state = new Message.GlobalState(
                    round, DoubleVector.of(prior), round == 0 ? Message.GlobalState.NONE_USED : round - 1);
            assertThat(door.refusal(state)).isEmpty();
            assertThat(door.answer(state)).isInstanceOf(Message.FactorChange.class);
        }
        return seen.releases.stream()
                .flatMapToDouble(release -> Arrays.stream(plan.ownMechanism()
                        .grid(release.l2Bound(), release.integers().length)
                        .numbers(release.integers())))
                .map(value -> value / BOUND)
                .toArray();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "0.5, false"})
    void whatLeavesTheDoorKeepsTheEpsilonOfTheStudy(double noiseFactor, boolean holds) {
        StudyPlan claimed = plan(NOISE_MULTIPLIER);
        StudyPlan used = plan(NOISE_MULTIPLIER * noiseFactor);
        double epsilon = new ExactAccountant()
                .epsilon(claimed.event(), DELTA, Neighbours.ADD_REMOVE)
                .upper();
        AtomicLong seed = new AtomicLong(1);
        Verdict verdict = NeighbourTest.of(true, false)
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("DoorGuaranteeTest finds finer defects of the mechanism behind this door")
                .run(with -> released(used, with, seed.getAndIncrement()));
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(holds);
    }
}
