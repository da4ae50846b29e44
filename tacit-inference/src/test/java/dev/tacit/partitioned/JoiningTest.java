package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.Runs;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Patience;
import dev.tacit.partitioned.coordinator.Roster;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.BoundedPlan;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.InvitedParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.PartyJournal;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parties that know nothing of a run but what messages tell them. */
class JoiningTest {
    private static final int ROUNDS = 4;
    private static final String MODEL = "logistic-regression/virtual-clients";

    private final LogisticRegression model = new LogisticRegression(Runs.names(3), 1, 0.5);
    private final DenseBlock rows = Runs.logistic(300, new double[] {2, -1, 0.5}, RandomStream.ofSeed(8));
    private final List<PrivateDataset> data = Parties.split(rows, 150, 100, 50);
    private final NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 3, 0.5);
    private final LocalSteps steps = new VirtualClients(model, new VirtualClients.Settings(1, 2));
    private final List<InMemoryLedger> ledgers = new ArrayList<>();

    /** Everything goes there and back as text, before and after a party has joined. */
    private record Post(PartyLink party) implements PartyLink {
        @Override
        public String name() {
            return party.name();
        }

        @Override
        public CompletionStage<Message> answer(Message message) {
            return party.answer(Message.fromJson(message.toJson()))
                    .thenApply(answer -> Message.fromJson(answer.toJson()));
        }
    }

    private PartyDoor door(int party, NoiseMechanism mechanism, double epsilon) {
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(Parties.RECORD, new PrivacyBudget(epsilon, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        ledgers.add(ledger);
        return new PartyDoor(
                data.get(party), Optional.of(new PartyDoor.Protection(mechanism, ledger)), ReplayNoise.ofSeed(party));
    }

    private InvitedParty invited(int party, NoiseMechanism mechanism, double epsilon) {
        PartyDoor door = door(party, mechanism, epsilon);
        return new InvitedParty(
                "party " + party,
                "run",
                "sha",
                data.get(party).publicSize(),
                terms -> terms.model().equals(MODEL) && terms.factors().isPresent()
                        ? Optional.of(new FactorParty(
                                "party " + party,
                                door,
                                steps,
                                terms.factors().get(),
                                Optional.empty(),
                                PartyJournal.NONE))
                        : Optional.empty());
    }

    private Message.Terms terms(int place) {
        return new Message.Terms(
                0,
                Message.PROTOCOL,
                "run",
                MODEL,
                "sha",
                BoundedPlan.of(steps.releases().plan(ROUNDS), 1),
                Optional.empty(),
                Optional.of(FactorTerms.of(prior, 0.5).drawing(9, place)));
    }

    private Coordinator coordinator() {
        return new Coordinator(
                prior,
                new Coordinator.Settings(ROUNDS, new Schedule.Synchronous(), 0.5, Repair.floor()),
                Optional.empty());
    }

    @Test
    void aRunThatIsAllMessagesIsTheSameRun() {
        List<PartyLink> links = new ArrayList<>();
        List<FactorParty> known = new ArrayList<>();
        for (int party = 0; party < 3; party++) {
            links.add(new Post(invited(party, new DiscreteGaussianMechanism(4), 100)));
            FactorParty direct = new FactorParty(
                    "party " + party,
                    door(party, new DiscreteGaussianMechanism(4), 100),
                    steps,
                    FactorTerms.of(prior, 0.5).drawing(9, party));
            direct.join(ROUNDS);
            known.add(direct);
        }
        Roster roster = Roster.of(
                links,
                (place, all) -> {
                    assertThat(all).extracting(Message.Join::units).containsExactly(150L, 100L, 50L);
                    return terms(place);
                },
                Patience.UNLIMITED);
        assertThat(roster.absences()).isEmpty();
        assertThat(roster.joined()).extracting(Message.Joined::roundsPaid).containsExactly(4, 4, 4);
        assertThat(roster.parties().get(0).terms()).isEqualTo(known.get(0).terms());
        double[] found = coordinator()
                .run(roster.parties(), Coordinator.Listener.NONE)
                .global()
                .naturalParameters();
        assertThat(found)
                .isEqualTo(coordinator()
                        .run(known, Coordinator.Listener.NONE)
                        .global()
                        .naturalParameters());
    }

    private enum Flaw {
        NONE,
        PROTOCOL,
        RUN,
        SCHEMA,
        MODEL_UNKNOWN,
        BOUND,
        MORE_NUMBERS,
        SHARED_NOISE;

        Message.Terms in(Message.Terms good) {
            BoundedPlan plan = good.plan();
            return new Message.Terms(
                    0,
                    this == PROTOCOL ? 2 : good.protocol(),
                    this == RUN ? "another" : good.run(),
                    this == MODEL_UNKNOWN ? "oracle" : good.model(),
                    this == SCHEMA ? "md5" : good.schemaDigest(),
                    switch (this) {
                        case BOUND -> BoundedPlan.of(plan.plan(), 2);
                        case MORE_NUMBERS ->
                            BoundedPlan.of(
                                    ReleasePlan.of(
                                            plan.plan().phases().get(0).label(),
                                            ROUNDS,
                                            7,
                                            plan.plan().phases().get(0).sampling()),
                                    1);
                        default -> plan;
                    },
                    this == SHARED_NOISE ? Optional.of(new NoiseSharing(3, 0, 0)) : good.sharing(),
                    good.factors());
        }

        Message.Reason reason() {
            return switch (this) {
                case PROTOCOL -> Message.Reason.OTHER_PROTOCOL;
                case RUN -> Message.Reason.OTHER_RUN;
                case SCHEMA -> Message.Reason.OTHER_SCHEMA;
                default -> Message.Reason.TERMS_REFUSED;
            };
        }
    }

    /** Terms are refused by a value, and before anything is charged. */
    @ParameterizedTest
    @EnumSource(Flaw.class)
    void termsThatAPartyWouldNotUseCostNothing(Flaw flaw) {
        InvitedParty party = invited(0, new DiscreteGaussianMechanism(4), 100);
        Message answer = reply(party, flaw.in(terms(0)));
        if (flaw == Flaw.NONE) {
            assertThat(answer).isInstanceOf(Message.Joined.class);
            assertThat(ledgers.get(0).entries()).hasSize(1);
        } else {
            assertThat(answer).isEqualTo(new Message.Absence("party 0", 0, flaw.reason()));
            assertThat(ledgers.get(0).entries()).isEmpty();
            assertThat(reply(
                            party,
                            new Message.GlobalState(
                                    0, DoubleVector.of(prior.naturalParameters()), Message.GlobalState.NONE_USED)))
                    .isEqualTo(new Message.Absence("party 0", 0, Message.Reason.NOT_JOINED));
        }
    }

    private static Message reply(PartyLink party, Message message) {
        return party.answer(message).toCompletableFuture().join();
    }

    @Test
    void joiningTwiceIsChargedOnce() {
        InvitedParty party = invited(0, new DiscreteGaussianMechanism(4), 100);
        Message first = reply(party, terms(0));
        assertThat(reply(party, terms(0))).isEqualTo(first);
        assertThat(reply(party, terms(1))).isEqualTo(new Message.Absence("party 0", 0, Message.Reason.OUT_OF_STEP));
        assertThat(reply(party, new Message.RollCall(0))).isEqualTo(new Message.Present("party 0", 0));
        assertThat(ledgers.get(0).entries()).hasSize(1);
    }

    @Test
    void whoDoesNotJoinIsNamedAndTheOthersGoOn() {
        Roster roster = Roster.of(
                List.of(
                        invited(0, new DiscreteGaussianMechanism(4), 100),
                        invited(1, new NoiseSharing(3, 0, 0).share(4), 100),
                        invited(2, new DiscreteGaussianMechanism(4), 100)),
                (place, all) -> place == 2 ? Flaw.SCHEMA.in(terms(place)) : terms(place),
                Patience.UNLIMITED);
        assertThat(roster.parties()).hasSize(1);
        assertThat(roster.absences())
                .extracting(Message.Absence::party, Message.Absence::reason)
                .containsExactly(
                        tuple("party 1", Message.Reason.TERMS_REFUSED), tuple("party 2", Message.Reason.OTHER_SCHEMA));
    }
}
