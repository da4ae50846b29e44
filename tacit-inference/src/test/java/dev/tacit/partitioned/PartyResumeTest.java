package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.inference.Runs;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.PartyJournal;
import dev.tacit.partitioned.party.PartyState;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.NaturalGradients;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parties that crash wherever they write anything down, and go on from what they wrote. */
class PartyResumeTest {
    private static final int ROUNDS = 3;
    private static final String RUN = "study 7";
    private static final LogisticRegression MODEL = new LogisticRegression(Runs.names(3), 1, 0.5);
    private static final NeuralNetworkDensity NETWORK = new NeuralNetworkDensity(
            Runs.names(3), 2, new NeuralNetworkDensity.Head.Binary(), NeuralNetworkDensity.Activation.RELU, 1, 1);

    private static final PrivateDataset DATA = Parties.split(
                    Runs.logistic(60, new double[] {2, -1, 0.5}, RandomStream.ofSeed(8)), 60)
            .get(0);

    private enum Way {
        VIRTUAL_CLIENTS,
        DP_OPTIMISATION,
        LOCAL_AVERAGING,
        NATURAL_GRADIENTS,
        NETWORK_VIRTUAL_CLIENTS,
        NETWORK_DP_OPTIMISATION;

        LocalSteps steps() {
            return switch (this) {
                case VIRTUAL_CLIENTS -> new VirtualClients(MODEL, new VirtualClients.Settings(1, 2));
                case DP_OPTIMISATION ->
                    new DpOptimisation(MODEL, new DpOptimisation.Settings(3, new PoissonSampling(0.5), 2, 0.05, 1));
                case LOCAL_AVERAGING ->
                    new LocalAveraging(
                            MODEL,
                            new LocalAveraging.Settings(
                                    GaussianFamily.MEAN_FIELD, 5, new ShardSolver.Settings(2, 0.5), 3));
                case NATURAL_GRADIENTS ->
                    new NaturalGradients(
                            MODEL, new NaturalGradients.Settings(GaussianFamily.FULL_COVARIANCE, 2, 0.5, 5, 1));
                case NETWORK_VIRTUAL_CLIENTS -> new VirtualClients(NETWORK, new VirtualClients.Settings(2, 1), 2);
                case NETWORK_DP_OPTIMISATION ->
                    new DpOptimisation(NETWORK, new DpOptimisation.Settings(3, new FullPass(), 2, 0.05, 2));
            };
        }

        NaturalGaussian prior() {
            return name().startsWith("NETWORK")
                    ? NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, NETWORK.dimension(), 1)
                    : NaturalGaussian.centred(steps().releases().family(), 3, 0.5);
        }
    }

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What survives a crash: ledger, sealed releases and the party's state, each written to until the crash comes. */
    private static final class Disk implements PrivacyLedger, PartyJournal, SealedReleases {
        private final InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(Parties.RECORD, new PrivacyBudget(1e6, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        private final boolean seals;
        private final Map<Long, SealedRelease> sealed = new TreeMap<>();
        private final List<Long> drawn = new ArrayList<>();
        private Optional<String> state = Optional.empty();
        private int writes;
        private int crashAt = -1;

        Disk(boolean seals) {
            this.seals = seals;
        }

        /** Everything that is written can be the last thing that is. */
        private void written() {
            if (writes++ == crashAt) {
                throw new Crash();
            }
        }

        @Override
        public void keep(PartyState next) {
            state = Optional.of(next.toJson());
            written();
        }

        @Override
        public void keep(SealedRelease release) {
            drawn.add(release.index());
            if (seals) {
                sealed.put(release.index(), release);
            }
            written();
        }

        @Override
        public OptionalLong firstFrom(long index) {
            return sealed.keySet().stream()
                    .filter(kept -> kept >= index)
                    .mapToLong(Long::longValue)
                    .findFirst();
        }

        @Override
        public double l2Bound(long index) {
            return sealed.get(index).l2Bound();
        }

        @Override
        public SealedRelease read(long index, SumGrid grid) {
            return sealed.get(index);
        }

        @Override
        public void dropBefore(long index) {
            sealed.keySet().removeIf(kept -> kept < index);
        }

        @Override
        public LedgerEntry charge(Charge charge) throws BudgetExhausted {
            LedgerEntry entry = ledger.charge(charge);
            written();
            return entry;
        }

        @Override
        public LedgerEntry advance(LedgerEntry entry, long released) {
            LedgerEntry advanced = ledger.advance(entry, released);
            written();
            return advanced;
        }

        @Override
        public PrivacyUnit unit() {
            return ledger.unit();
        }

        @Override
        public List<LedgerEntry> entries() {
            return ledger.entries();
        }

        @Override
        public boolean durable() {
            return true;
        }
    }

    private static PartyDoor door(Disk disk, NoiseSource noise) {
        return new PartyDoor(
                DATA, Optional.of(new PartyDoor.Protection(new DiscreteGaussianMechanism(5), disk)), noise, disk);
    }

    /** A process that starts: it goes on from what is on the disk, or joins. */
    private static FactorParty started(Way way, Disk disk, NoiseSource noise) {
        FactorParty party = new FactorParty(
                "party", door(disk, noise), way.steps(), FactorTerms.of(way.prior(), 0.5), Optional.empty(), disk);
        if (disk.state.isPresent()) {
            party.resume(PartyState.fromJson(disk.state.get()));
        } else {
            assertThat(party.join(RUN, ROUNDS)).isEqualTo(ROUNDS);
        }
        return party;
    }

    /** Starts that the disk ends are followed by others. */
    private static Message reply(FactorParty[] party, Supplier<FactorParty> start, Message asked) {
        while (true) {
            try {
                if (party[0] == null) {
                    party[0] = start.get();
                }
                return party[0].reply(asked);
            } catch (Crash crash) {
                party[0] = null;
            }
        }
    }

    private static Message.GlobalState asked(Way way, int round) {
        NaturalGaussian prior = way.prior();
        return new Message.GlobalState(
                round, DoubleVector.of(prior.power(1 + 0.5 * round).naturalParameters()), round - 1);
    }

    private static List<Message> answers(Way way, Disk disk, NoiseSource noise) {
        FactorParty[] party = {null};
        List<Message> answers = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            answers.add(reply(party, () -> started(way, disk, noise), asked(way, round)));
        }
        return answers;
    }

    /** With noise that can be replayed, a crash at any write changes no bit of any answer, and nothing is charged twice. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void aCrashAnywhereChangesNothing(Way way) {
        Disk quiet = new Disk(true);
        List<Message> expected = answers(way, quiet, ReplayNoise.ofSeed(3));
        assertThat(expected).hasSize(ROUNDS).allMatch(Message.FactorChange.class::isInstance);
        assertThat(quiet.writes).isGreaterThan(3 * ROUNDS);
        for (int crash = 0; crash < quiet.writes; crash++) {
            Disk disk = new Disk(true);
            disk.crashAt = crash;
            assertThat(answers(way, disk, ReplayNoise.ofSeed(3)))
                    .as("crash at write " + crash)
                    .isEqualTo(expected);
            assertThat(disk.entries()).hasSize(1);
            assertThat(disk.entries().get(0).released())
                    .isEqualTo((long) ROUNDS * way.steps().releases().times());
        }
    }

    /** Noise that cannot be replayed is drawn once for each release, and what is sealed is handed out after the crash. */
    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"VIRTUAL_CLIENTS", "DP_OPTIMISATION", "LOCAL_AVERAGING"})
    void noReleaseIsDrawnTwice(Way way) {
        Disk quiet = new Disk(true);
        answers(way, quiet, SecureNoise.create());
        for (int crash = 0; crash < quiet.writes; crash++) {
            Disk disk = new Disk(true);
            disk.crashAt = crash;
            List<Message> answers = answers(way, disk, SecureNoise.create());
            assertThat(answers).as("crash at write " + crash).allMatch(Message.FactorChange.class::isInstance);
            assertThat(disk.drawn).as("crash at write " + crash).doesNotHaveDuplicates();
            assertThat(disk.entries()).hasSize(1);
        }
    }

    /** What is sealed nowhere is lost, if the ledger knows of it; the round is over, and the next one goes on. */
    @Test
    void aReleaseThatIsLostIsNotMadeAgain() {
        int lost = 0;
        Disk quiet = new Disk(false);
        answers(Way.VIRTUAL_CLIENTS, quiet, SecureNoise.create());
        for (int crash = 0; crash < quiet.writes; crash++) {
            Disk disk = new Disk(false);
            disk.crashAt = crash;
            List<Message> answers = answers(Way.VIRTUAL_CLIENTS, disk, SecureNoise.create());
            List<Message> absent =
                    answers.stream().filter(Message.Absence.class::isInstance).toList();
            assertThat(absent)
                    .hasSizeLessThanOrEqualTo(1)
                    .allMatch(message -> ((Message.Absence) message).reason() == Message.Reason.RELEASE_LOST);
            assertThat(disk.entries().get(0).released()).isEqualTo(ROUNDS);
            lost += absent.size();
        }
        assertThat(lost).as("crashes after the ledger was told").isEqualTo(ROUNDS);
    }

    /** The twin has no name for its run, so it cannot be resumed, and a second start pays twice. */
    @Test
    void aPartyWithoutARunPaysAgain() {
        Disk disk = new Disk(true);
        for (int start = 0; start < 2; start++) {
            new FactorParty(
                            "party",
                            door(disk, ReplayNoise.ofSeed(3)),
                            Way.VIRTUAL_CLIENTS.steps(),
                            FactorTerms.of(Way.VIRTUAL_CLIENTS.prior(), 0.5))
                    .join(ROUNDS);
        }
        assertThat(disk.entries()).hasSize(2);
    }

    @Test
    void aRunThatHasBegunIsNotJoinedWithoutItsState() {
        Disk disk = new Disk(true);
        FactorParty party = started(Way.VIRTUAL_CLIENTS, disk, ReplayNoise.ofSeed(3));
        party.reply(asked(Way.VIRTUAL_CLIENTS, 0));
        disk.state = Optional.empty();
        assertThatThrownBy(() -> started(Way.VIRTUAL_CLIENTS, disk, ReplayNoise.ofSeed(3)))
                .hasMessageStartingWith("the ledger knows of releases of this run");
    }

    /** An answer that nobody used leaves the factor, and the factors of virtual clients, where they were. */
    @Test
    void anAnswerThatWasNotUsedIsTakenBack() {
        for (Way way : List.of(Way.VIRTUAL_CLIENTS, Way.DP_OPTIMISATION, Way.NATURAL_GRADIENTS)) {
            FactorParty party = started(way, new Disk(true), ReplayNoise.ofSeed(3));
            party.reply(asked(way, 0));
            PartyState before = party.state();
            NaturalGaussian next = way.prior().power(1.5);
            party.reply(new Message.GlobalState(
                    1, DoubleVector.of(next.naturalParameters()), Message.GlobalState.NONE_USED));
            assertThat(party.state().factor()).as("lost " + way).isEqualTo(before.factor());
            assertThat(party.state().memory().size()).isEqualTo(before.memory().size());

            FactorParty other = started(way, new Disk(true), ReplayNoise.ofSeed(3));
            other.reply(asked(way, 0));
            other.reply(new Message.GlobalState(1, DoubleVector.of(next.naturalParameters()), 0));
            assertThat(other.state().factor()).as("used " + way).isNotEqualTo(before.factor());
        }
    }

    @Test
    void aStateIsWrittenDownAsItAlwaysWas() {
        Disk disk = new Disk(true);
        FactorParty party = started(Way.VIRTUAL_CLIENTS, disk, ReplayNoise.ofSeed(3));
        String hash = party.state().position().hash();
        assertThat(party.state().toJson())
                .isEqualTo(
                        "{\"format\":\"tacit-party-state 1\",\"run\":\"study 7\",\"roundsPaid\":3,\"roundsAnswered\":0,"
                                + "\"sequence\":" + party.state().position().sequence() + ",\"hash\":\"" + hash
                                + "\",\"released\":0,"
                                + "\"factor\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
                                + "\"memory\":\"\",\"steps\":0}");
        party.reply(asked(Way.VIRTUAL_CLIENTS, 0));
        assertThat(PartyState.fromJson(party.state().toJson())).isEqualTo(party.state());
        assertThatThrownBy(() -> PartyState.fromJson(party.state().toJson().replace("state 1", "state 2")))
                .hasMessageContaining("format is not one that this version reads");
        assertThatThrownBy(
                        () -> PartyState.fromJson(party.state().toJson().replace("\"steps\"", "\"more\":1,\"steps\"")))
                .hasMessageContaining("has a field that does not belong there");
    }
}
