package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.aggregate.Aggregator;
import dev.tacit.partitioned.aggregate.MaskedShares;
import dev.tacit.partitioned.aggregate.MaskedSum;
import dev.tacit.partitioned.aggregate.PairwiseMasks;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.PartiesSession;
import dev.tacit.partitioned.coordinator.Patience;
import dev.tacit.partitioned.coordinator.RegressionQueries;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.coordinator.StandIn;
import dev.tacit.partitioned.coordinator.SumProtocol;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.BoundedPlan;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.PartyJournal;
import dev.tacit.partitioned.party.SumParty;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.NaturalGradients;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.posterior.family.GaussianPosterior;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole protocols with masked sums: the same bits as plain ones, and rounds that stay closed. */
class MaskedProtocolTest {
    private static final int PARTIES = 3;
    private static final int ROUNDS = 4;

    private final LogisticRegression model = new LogisticRegression(Runs.names(3), 1, 0.7);
    private final DenseBlock rows = Runs.logistic(300, new double[] {2, -1, 0.5}, RandomStream.ofSeed(8));
    private final List<PrivateDataset> data = Parties.split(rows, 120, 80, 100);
    private final NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 3, 0.7);
    private final NoiseSharing sharing = new NoiseSharing(PARTIES, 0, 0);
    private final VirtualClients virtual = new VirtualClients(model, new VirtualClients.Settings(1, 3));
    private final ResidualNewton newton =
            new ResidualNewton(ResidualNewton.Settings.standard()).withNamedBounds(model, 300, 4);
    private final List<InMemoryLedger> ledgers = new ArrayList<>();

    private PartyDoor door(int party) {
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(Parties.RECORD, new PrivacyBudget(100, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        ledgers.add(ledger);
        return new PartyDoor(
                data.get(party),
                Optional.of(new PartyDoor.Protection(sharing.share(4), ledger)),
                ReplayNoise.ofSeed(party));
    }

    private static List<Shares> shares(boolean masked) {
        return masked
                ? PairwiseMasks.dealt(PARTIES, ReplayNoise.ofSeed(99)).stream()
                        .map(each -> (Shares) new MaskedShares(each))
                        .toList()
                : IntStream.range(0, PARTIES).mapToObj(unused -> Shares.plain()).toList();
    }

    private Optional<Aggregator> aggregator(boolean masked) {
        return Optional.of(masked ? MaskedSum.of(sharing) : PlainSum.of(sharing));
    }

    private FactorParty party(int party, LocalSteps update, Shares shares) {
        return new FactorParty(
                "party " + party,
                door(party),
                update,
                FactorTerms.of(prior, 0.5).withShare(1.0 / PARTIES).drawing(0, party),
                Optional.of(shares),
                PartyJournal.NONE);
    }

    private List<FactorParty> parties(LocalSteps update, boolean masked) {
        List<FactorParty> parties = new ArrayList<>();
        for (int i = 0; i < PARTIES; i++) {
            FactorParty party = party(i, update, shares(masked).get(i));
            assertThat(party.join(ROUNDS)).isEqualTo(ROUNDS);
            parties.add(party);
        }
        return parties;
    }

    private Coordinator.Outcome run(LocalSteps update, List<? extends JoinedLink> parties, boolean masked) {
        return new Coordinator(
                        prior,
                        prior,
                        new Coordinator.Settings(ROUNDS, new Schedule.Synchronous(), 0.5, Repair.floor()),
                        aggregator(masked),
                        update.sumReading())
                .run(parties, Coordinator.Listener.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual clients", "local averaging", "parameter perturbation"})
    void factorsAreThoseOfAPlainSumToTheBit(String name) {
        ShardSolver.Settings solver = new ShardSolver.Settings(2, 0.5);
        LocalSteps update = switch (name) {
            case "virtual clients" -> virtual;
            case "local averaging" ->
                new LocalAveraging(model, new LocalAveraging.Settings(GaussianFamily.MEAN_FIELD, 7, solver, 3));
            default -> LocalAveraging.parameterPerturbation(model, GaussianFamily.MEAN_FIELD, solver, 3);
        };
        Coordinator.Outcome plain = run(update, parties(update, false), false);
        Coordinator.Outcome masked =
                run(update, parties(update, true).stream().map(Links::asText).toList(), true);
        assertThat(masked.notes()).allMatch(Coordinator.RoundNote::used);
        assertThat(masked.global().naturalParameters()).isEqualTo(plain.global().naturalParameters());
        assertThat(masked.read().naturalParameters()).isEqualTo(plain.read().naturalParameters());
        assertThat(masked.global().naturalParameters()).isNotEqualTo(prior.naturalParameters());
    }

    private List<SumParty> sumParties(BoundedPlan plan, boolean masked) {
        List<SumParty> parties = new ArrayList<>();
        for (int i = 0; i < PARTIES; i++) {
            SumParty party = new SumParty(
                    "party " + i,
                    door(i),
                    new RegressionQueries<>(model),
                    shares(masked).get(i),
                    PartyJournal.NONE);
            assertThat((long) party.join("test", plan)).isEqualTo(plan.plan().releases());
            parties.add(party);
        }
        return parties;
    }

    private PartiesSession session(BoundedPlan plan, List<? extends JoinedLink> parties, boolean masked) {
        return new PartiesSession(
                plan.plan(),
                parties,
                300,
                Parties.RECORD,
                Provenance.SIMULATED_NOT_FOR_RELEASE,
                aggregator(masked),
                StandIn.NONE,
                Patience.UNLIMITED);
    }

    private GaussianPosterior newton(List<? extends JoinedLink> parties, BoundedPlan plan, boolean masked)
            throws LostReleaseException {
        return (GaussianPosterior) SumProtocol.run(
                newton, RegressionQueries.sent(model), session(plan, parties, masked), RandomStream.ofSeed(1));
    }

    /** Releases of two phases with different noise and grids. */
    @Test
    void residualNewtonIsThatOfAPlainSumToTheBit() throws LostReleaseException {
        BoundedPlan plan = BoundedPlan.of(newton, model, 300);
        GaussianPosterior plain = newton(sumParties(plan, false), plan, false);
        GaussianPosterior masked =
                newton(sumParties(plan, true).stream().map(Links::asText).toList(), plan, true);
        assertThat(masked.mean()).isEqualTo(plain.mean());
        assertThat(masked.covariance()).isEqualTo(plain.covariance());
    }

    /** Whoever is known to be missing costs nobody a release, and the others go on when it is back. */
    @Test
    void nobodyReleasesAnythingIfAPartyIsMissingAtTheRollCall() {
        List<FactorParty> parties = parties(virtual, true);
        List<JoinedLink> links =
                List.of(parties.get(0), parties.get(1), Links.lossy(parties.get(2), message -> message.round() == 1));
        Coordinator.Outcome outcome = run(virtual, links, true);
        assertThat(outcome.notes().stream().map(Coordinator.RoundNote::used)).containsExactly(true, false, true, true);
        assertThat(outcome.notes().get(1).answered()).isEqualTo(0);
        assertThat(parties.stream().map(FactorParty::roundsAnswered)).containsExactly(3, 3, 3);
    }

    /** A party that sends the call back is not counted as there. */
    @Test
    void whoAnswersTheRollCallWithAnotherMessageStopsTheRun() {
        List<FactorParty> parties = parties(virtual, true);
        JoinedLink echo = Links.answering("echo", message -> message);
        assertThatThrownBy(() -> run(virtual, List.of(parties.get(0), parties.get(1), echo), true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another kind of message");
        assertThat(parties.stream().map(FactorParty::roundsAnswered)).containsExactly(0, 0, 0);
    }

    /** Lost after the roll call: the others have released, masks do not cancel, and the round stays closed. */
    @Test
    void aRoundInWhichAShareIsLostStaysClosed() {
        List<FactorParty> parties = parties(virtual, true);
        List<JoinedLink> links = List.of(
                parties.get(0),
                parties.get(1),
                Links.lossy(parties.get(2), message -> message.round() == 1 && message instanceof Message.GlobalState));
        Coordinator.Outcome outcome = run(virtual, links, true);
        assertThat(outcome.notes().stream().map(Coordinator.RoundNote::used)).containsExactly(true, false, true, true);
        assertThat(parties.stream().map(FactorParty::roundsAnswered)).containsExactly(4, 4, 3);
    }

    @Test
    void sumsStayClosedToo() throws LostReleaseException {
        BoundedPlan plan = BoundedPlan.of(newton, model, 300);
        List<SumParty> parties = sumParties(plan, true);
        List<JoinedLink> links =
                List.of(parties.get(0), parties.get(1), Links.lossy(parties.get(2), message -> message.round() == 3));
        newton(links, plan, true);
        int expected = (int) plan.plan().releases() - 1;
        assertThat(parties.stream().map(SumParty::roundsAnswered)).containsExactly(expected, expected, expected);
    }

    @Test
    void whatCannotBeMaskedIsRefusedBeforeAnythingIsSpent() {
        Shares masked = shares(true).get(0);
        LocalSteps natural =
                new NaturalGradients(model, new NaturalGradients.Settings(GaussianFamily.MEAN_FIELD, 1, 1, 10, 1));
        assertThatThrownBy(() -> party(0, natural, masked))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("natural gradients cannot be masked");
        assertThatThrownBy(() -> party(0, new DpOptimisation(model, DpOptimisation.Settings.standard()), masked))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("DP optimisation cannot");
        assertThatThrownBy(() -> new SumParty(
                        "a",
                        PartyDoor.notPrivate(data.get(0), ReplayNoise.ofSeed(1)),
                        new RegressionQueries<>(model),
                        masked,
                        PartyJournal.NONE))
                .hasMessageStartingWith("masked sums need exact noise");
        assertThatThrownBy(() -> MaskedSum.of(new NoiseSharing(PARTIES, 0, 1)))
                .hasMessageStartingWith("masked sums cannot be opened without every party");
        assertThat(ledgers).hasSize(2);
        assertThat(ledgers).allMatch(ledger -> ledger.entries().isEmpty());
    }
}
