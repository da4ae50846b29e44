package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.ResidualModel;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.PartiesSession;
import dev.tacit.partitioned.coordinator.Patience;
import dev.tacit.partitioned.coordinator.ProtocolStatement;
import dev.tacit.partitioned.coordinator.RegressionQueries;
import dev.tacit.partitioned.coordinator.ResidualFactor;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.coordinator.StandIn;
import dev.tacit.partitioned.coordinator.SumProtocol;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.BoundedPlan;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.SumParty;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.NaturalGradients;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parties that come and go, budgets that end, and noise that is shared. */
class ProtocolTest {
    private static final double[] WEIGHTS = {2, -1, 0.5};
    private static final double DELTA = 1e-5;
    private static final int NONE_USED = Message.GlobalState.NONE_USED;

    private final LogisticRegression model = new LogisticRegression(Runs.names(3), 1, 0.5);
    private final DenseBlock rows = Runs.logistic(300, WEIGHTS, RandomStream.ofSeed(8));
    private final NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 3, 0.5);
    private final VirtualClients update = new VirtualClients(model, new VirtualClients.Settings(1, 1));

    private static PartyDoor door(PrivateDataset data, NoiseMechanism mechanism, double epsilon, long seed) {
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(Parties.RECORD, new PrivacyBudget(epsilon, DELTA)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        return new PartyDoor(data, Optional.of(new PartyDoor.Protection(mechanism, ledger)), ReplayNoise.ofSeed(seed));
    }

    private FactorParty party(int number, PartyDoor door, OptionalDouble publicShare) {
        FactorTerms alone = FactorTerms.of(prior, 0.5).drawing(0, number);
        return new FactorParty(
                "party " + number,
                door,
                update,
                publicShare.isPresent() ? alone.withShare(publicShare.getAsDouble()) : alone);
    }

    private static double epsilon(LocalSteps update, int rounds, double noise) {
        return new ExactAccountant()
                .epsilon(
                        update.event(rounds, new DiscreteGaussianMechanism(noise), Neighbours.ADD_REMOVE),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
    }

    @Test
    void aPartyWhoseBudgetIsSpentStopsAndTheOthersGoOn() {
        int rounds = 6;
        double noise = 4;
        double[] budgets = {epsilon(update, rounds, noise) * (1 + 1e-9), epsilon(update, 4, noise) * (1 + 1e-9), 1e-3};
        List<PrivateDataset> data = Parties.split(rows, 100, 100, 100);
        List<FactorParty> parties = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            parties.add(party(
                    i + 1,
                    door(data.get(i), new DiscreteGaussianMechanism(noise), budgets[i], i),
                    OptionalDouble.empty()));
        }
        assertThat(parties.stream().map(each -> each.join(rounds))).containsExactly(6, 4, 0);
        Coordinator.Outcome outcome = new Coordinator(
                        prior,
                        new Coordinator.Settings(rounds, new Schedule.Sequential(), 0.5, Repair.floor()),
                        Optional.empty())
                .run(parties, Coordinator.Listener.NONE);
        assertThat(outcome.notes().stream().map(Coordinator.RoundNote::answered))
                .containsExactly(2, 2, 2, 2, 1, 1);
        assertThat(outcome.notes().get(5).absences())
                .extracting(Message.Absence::party, Message.Absence::reason)
                .containsExactly(
                        tuple("party 2", Message.Reason.BUDGET_SPENT), tuple("party 3", Message.Reason.BUDGET_SPENT));
        List<ProtocolStatement.PartyLine> lines = parties.stream()
                .map(each -> ProtocolStatement.PartyLine.of(
                        each.name(),
                        each.event(),
                        each.roundsPaid(),
                        each.roundsAnswered(),
                        DELTA,
                        new ExactAccountant(),
                        Neighbours.ADD_REMOVE))
                .toList();
        ProtocolStatement statement = new ProtocolStatement(rounds, DELTA, lines, Optional.empty());
        for (int i = 0; i < 3; i++) {
            assertThat(lines.get(i).epsilon()).isLessThanOrEqualTo(budgets[i]);
        }
        assertThat(statement.epsilon()).isEqualTo(lines.get(0).epsilon());
        assertThat(statement.sentences())
                .anyMatch(line -> line.startsWith("party 2 stopped taking part after round 4 of 6"))
                .anyMatch(line -> line.startsWith("party 3 stopped taking part after round 0 of 6"))
                .noneMatch(line -> line.startsWith("party 1 "));
    }

    @Test
    void aPartyThatDropsOutKeepsItsLastFactor() {
        List<PrivateDataset> data = Parties.split(rows, 150, 150);
        int rounds = 60;
        LocalSteps local =
                new NaturalGradients(model, new NaturalGradients.Settings(GaussianFamily.MEAN_FIELD, 1, 1, 10, 1));
        List<FactorParty> parties = Parties.notPrivate(data, local, prior, 0.5, rounds);
        List<double[]> reads = new ArrayList<>();
        new Coordinator(
                        prior,
                        new Coordinator.Settings(rounds, new Schedule.Sequential(), 0.5, Repair.floor()),
                        Optional.empty())
                .run(
                        List.of(parties.get(0), Links.lossy(parties.get(1), message -> message.round() >= 40)),
                        (note, read, traffic) -> reads.add(read.naturalParameters()));
        assertThat(reads.get(59)).containsExactly(reads.get(39), within(1e-3));
        List<FactorParty> alone = Parties.notPrivate(data.subList(0, 1), local, prior, 0.5, rounds);
        double[] without = new Coordinator(
                        prior,
                        new Coordinator.Settings(rounds, new Schedule.Sequential(), 0.5, Repair.floor()),
                        Optional.empty())
                .run(alone, Coordinator.Listener.NONE)
                .read()
                .naturalParameters();
        assertThat(without[4]).isNotCloseTo(reads.get(59)[4], within(1.0));
    }

    /** Sums of one phase of a plan do not answer for those of another: such a party stays away, and the others go on. */
    @Test
    void aPartyThatMissedTheFirstSumsStaysAwayFromLaterOnes() {
        ResidualModel sent = RegressionQueries.sent(model);
        int columns = model.columns();
        ReleasePlan plan = ReleasePlan.of(
                        "first sums", 1, sent.originStatistics(1).dimension(), new FullPass())
                .then(ReleasePlan.of("residual sums", 2, columns, new FullPass()));
        List<SumParty> parties = sumParties(BoundedPlan.of(plan, 1), 150, 150);
        JoinedLink late = Links.lossy(parties.get(1), message -> message.round() == 0);
        PartiesSession session = session(plan, List.of(parties.get(0), late), StandIn.NONE);
        session.release(sent.originStatistics(1), 1);
        double[] first =
                session.release(sent.residualSum(new double[columns]), 1).value();
        session.release(sent.residualSum(first), 1);
        assertThat(parties).extracting(SumParty::roundsAnswered).containsExactly(3, 0);
        assertThat(session.absences())
                .extracting(Message.Absence::party, Message.Absence::reason)
                .containsExactly(
                        tuple(late.name(), Message.Reason.UNREACHABLE),
                        tuple(late.name(), Message.Reason.OUT_OF_STEP),
                        tuple(late.name(), Message.Reason.OUT_OF_STEP));
    }

    @Test
    void anAggregatorRefusesRoundsWithTooLittleNoise() {
        List<PrivateDataset> data = Parties.split(rows, 100, 100, 100);
        NoiseSharing sharing = new NoiseSharing(3, 0, 1);
        List<JoinedLink> links = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            FactorParty party = party(i, door(data.get(i), sharing.share(4), 5, i), OptionalDouble.of(1.0 / 3));
            party.join(4);
            links.add(Links.lossy(
                    party, message -> (number == 0 && message.round() >= 1) || (number == 1 && message.round() == 2)));
        }
        List<double[]> reads = new ArrayList<>();
        Coordinator.Outcome outcome = new Coordinator(
                        prior,
                        new Coordinator.Settings(4, new Schedule.Synchronous(), 0.5, Repair.floor()),
                        Optional.of(PlainSum.of(sharing)))
                .run(links, (note, read, traffic) -> reads.add(read.naturalParameters()));
        assertThat(outcome.notes().stream().map(Coordinator.RoundNote::used)).containsExactly(true, true, false, true);
        assertThat(reads.get(2)).isEqualTo(reads.get(1));
        assertThat(reads.get(3)).isNotEqualTo(reads.get(2));
        assertThatThrownBy(() -> new Coordinator(
                        prior,
                        new Coordinator.Settings(4, new Schedule.Sequential(), 0.5, Repair.floor()),
                        Optional.of(PlainSum.of(sharing))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * Theorems 11 and 14: with an aggregator the noise of one party falls as 1/√M and the noise of the sum stays. Variances of
     * 2 × 6 000 numbers are within 12 % of their expectation but with probability below 1e-9.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 32})
    void sharedNoiseFallsWithTheRootOfTheNumberOfParties(int count) {
        int columns = 60;
        LogisticRegression wide = new LogisticRegression(Runs.names(columns), 1, 0.5);
        DenseBlock nobody = DenseBlock.of(0, columns, new double[0], new double[0]);
        NoiseSharing sharing = new NoiseSharing(count, 0, 0);
        ReleasePlan plan = ReleasePlan.of("residual sums", 100, columns, new FullPass());
        List<SumParty> parties = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SumParty party = new SumParty(
                    "party " + i,
                    door(Parties.split(nobody, 0).get(0), sharing.share(3), 100, i),
                    new RegressionQueries<>(wide));
            party.join("test", BoundedPlan.of(plan, 1));
            parties.add(party);
        }
        double single = 0;
        double whole = 0;
        double epsilon = new ExactAccountant()
                .epsilon(parties.get(0).event(), DELTA, Neighbours.ADD_REMOVE)
                .upper();
        PrivacyEvent curator = plan.event(new DiscreteGaussianMechanism(3));
        assertThat(parties.get(0).event()).isEqualTo(curator);
        assertThat(epsilon)
                .isEqualTo(new ExactAccountant()
                        .epsilon(curator, DELTA, Neighbours.ADD_REMOVE)
                        .upper());
        for (int round = 0; round < 100; round++) {
            Message.SumRequest request =
                    new Message.SumRequest(round, "residual-sum", DoubleVector.of(new double[columns]), 1);
            double[] sum = new double[columns];
            for (SumParty party : parties) {
                double[] share = ((Message.SumReply) party.reply(request)).numbers();
                for (int j = 0; j < columns; j++) {
                    sum[j] += share[j];
                    single += share[j] * share[j] / (100.0 * columns * count);
                }
            }
            for (double value : sum) {
                whole += value * value / (100.0 * columns);
            }
        }
        assertThat(whole).isCloseTo(9, within(0.12 * 9));
        assertThat(single).isCloseTo(9.0 / count, within(0.12 * 9 / count));
    }

    @Test
    void sharesOfNoiseGoToAnAggregatorOnly() {
        PrivateDataset data = Parties.split(rows, 300).get(0);
        NoiseSharing sharing = new NoiseSharing(3, 0, 0);
        assertThatThrownBy(() -> party(1, door(data, sharing.share(4), 1, 1), OptionalDouble.empty()))
                .hasMessageStartingWith("a share of the noise protects nobody without an aggregator");
        assertThatThrownBy(() -> new FactorParty(
                        "a",
                        door(data, sharing.share(4), 1, 1),
                        new DpOptimisation(model, DpOptimisation.Settings.standard()),
                        FactorTerms.of(prior, 0.5).withShare(1)))
                .hasMessageStartingWith("DP optimisation cannot share noise");
        FactorParty sharingNoise = party(1, door(data, sharing.share(4), 5, 1), OptionalDouble.of(1));
        assertThatThrownBy(() -> new Coordinator(prior, Coordinator.Settings.once(), Optional.empty())
                        .run(List.of(sharingNoise), Coordinator.Listener.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        SumParty sum = new SumParty("a", door(data, sharing.share(4), 5, 1), new RegressionQueries<>(model));
        assertThatThrownBy(() -> session(ReleasePlan.of("sums", 1, 3, new FullPass()), List.of(sum), StandIn.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private PartiesSession session(ReleasePlan plan, List<? extends JoinedLink> parties, StandIn standIn) {
        return new PartiesSession(
                plan,
                parties,
                300,
                Parties.RECORD,
                Provenance.NOT_PRIVATE,
                Optional.empty(),
                standIn,
                Patience.UNLIMITED);
    }

    private List<SumParty> sumParties(BoundedPlan plan, int... sizes) {
        List<SumParty> parties = new ArrayList<>();
        for (PrivateDataset data : Parties.split(rows, sizes)) {
            SumParty party = new SumParty(
                    "party " + parties.size(),
                    PartyDoor.notPrivate(data, ReplayNoise.ofSeed(1)),
                    new RegressionQueries<>(model));
            party.join("test", plan);
            parties.add(party);
        }
        return parties;
    }

    @Test
    void residualNewtonAcrossPartiesIsResidualNewton() throws LostReleaseException {
        ResidualNewton kernel = new ResidualNewton(ResidualNewton.Settings.standard()).withNamedBounds(model, 300, 0);
        BoundedPlan bounded = BoundedPlan.of(kernel, model, 300);
        ReleasePlan plan = bounded.plan();
        Posterior pooled = InferenceRun.once(
                        kernel,
                        model,
                        Runs.dataset(rows).openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1))
                .posterior();
        for (int[] sizes : new int[][] {{300}, {100, 150, 50}, {1, 299}}) {
            PartiesSession session = session(plan, sumParties(bounded, sizes), StandIn.NONE);
            Posterior across = SumProtocol.run(kernel, RegressionQueries.sent(model), session, RandomStream.ofSeed(1));
            assertThat(across.mean()).containsExactly(pooled.mean(), within(1e-9));
            assertThat(((GaussianPosterior) across).covariance())
                    .containsExactly(((GaussianPosterior) pooled).covariance(), within(1e-9));
            assertThat(session.traffic().messagesUp()).isEqualTo(9L * sizes.length);
            assertThat(session.absences()).isEmpty();
        }
    }

    @Test
    void theLastFactorStandsInForAPartyOfResidualNewton() throws LostReleaseException {
        ResidualNewton kernel = new ResidualNewton(ResidualNewton.Settings.standard()).withNamedBounds(model, 300, 0);
        BoundedPlan plan = BoundedPlan.of(kernel, model, 300);
        double[] everybody = run(kernel, plan, round -> false, StandIn.NONE);
        double[] standIn = run(kernel, plan, round -> round >= 4, new ResidualFactor(model, 4));
        double[] gone = run(kernel, plan, round -> round >= 4, StandIn.NONE);
        assertThat(distance(standIn, everybody)).isLessThan(0.2 * distance(gone, everybody));
    }

    private double[] run(ResidualNewton kernel, BoundedPlan plan, IntPredicate away, StandIn standIn)
            throws LostReleaseException {
        List<SumParty> parties = sumParties(plan, 100, 200);
        return SumProtocol.run(
                        kernel,
                        RegressionQueries.sent(model),
                        session(
                                plan.plan(),
                                List.of(
                                        parties.get(0),
                                        Links.lossy(parties.get(1), message -> away.test(message.round()))),
                                standIn),
                        RandomStream.ofSeed(1))
                .mean();
    }

    private static double distance(double[] a, double[] b) {
        double squares = 0;
        for (int i = 0; i < a.length; i++) {
            squares += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(squares);
    }

    /** Every private update and every schedule ends near the weights that made the labels, on plenty of records. */
    @Test
    void privateUpdatesLearn() {
        DenseBlock many = Runs.logistic(20_000, WEIGHTS, RandomStream.ofSeed(9));
        List<PrivateDataset> data = Parties.split(many, 8_000, 8_000, 4_000);
        DpOptimisation optimisation = new DpOptimisation(model, DpOptimisation.Settings.standard());
        assertLearns(data, optimisation, new Schedule.Sequential(), 15, 0.5, 3);
        assertLearns(data, optimisation, new Schedule.Asynchronous(1, 1.2), 30, 0.2, 3);
        assertLearns(data, update, new Schedule.Synchronous(), 60, 0.1, 10);
        assertLearns(
                data,
                new LocalAveraging(
                        model,
                        new LocalAveraging.Settings(
                                GaussianFamily.MEAN_FIELD, 200, new ShardSolver.Settings(3, 0.3), 2_000)),
                new Schedule.Sequential(),
                20,
                0.3,
                1);
    }

    private void assertLearns(
            List<PrivateDataset> data, LocalSteps local, Schedule schedule, int rounds, double damping, double noise) {
        List<FactorParty> parties = Parties.joined(
                data,
                set -> door(set, new DiscreteGaussianMechanism(noise), 1e6, set.publicSize()),
                local,
                prior,
                damping,
                rounds);
        double[] found = new Coordinator(
                        prior, new Coordinator.Settings(rounds, schedule, damping, Repair.floor()), Optional.empty())
                .run(parties, Coordinator.Listener.NONE)
                .read()
                .normalise(model.parameterNames())
                .orElseThrow("proper")
                .mean();
        assertThat(distance(found, WEIGHTS)).as(local.releases().name()).isLessThan(0.5);
    }

    private List<SumParty> sumParties(NoiseMechanism mechanism, ReleasePlan plan) {
        List<PrivateDataset> data = Parties.split(rows, 150, 150);
        List<SumParty> parties = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            SumParty party =
                    new SumParty("party " + i, door(data.get(i), mechanism, 1000, i), new RegressionQueries<>(model));
            party.join("sums", BoundedPlan.of(plan, 1));
            parties.add(party);
        }
        return parties;
    }

    private ReleasePlan residualSums(int rounds) {
        return ReleasePlan.of("residual sums", rounds, model.columns(), new SamplingScheme.FullPass());
    }

    private PartiesSession session(ReleasePlan plan, List<? extends JoinedLink> parties) {
        return new PartiesSession(
                plan,
                parties,
                300,
                Parties.RECORD,
                Provenance.SIMULATED_NOT_FOR_RELEASE,
                Optional.empty(),
                StandIn.NONE,
                Patience.UNLIMITED);
    }

    @Test
    void whereAPartyIsDoesNotDecideWhetherItsShareIsProtected() {
        ReleasePlan plan = residualSums(3);
        List<JoinedLink> remote = sumParties(new NoiseShare(2, 10), plan).stream()
                .map(Links::asText)
                .toList();
        assertThatThrownBy(() -> session(plan, remote))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a share of the noise protects nobody");
    }

    @Test
    void whereAPartyIsDoesNotDecideWhatItIsCharged() {
        ReleasePlan plan = residualSums(3);
        List<SumParty> parties = sumParties(new DiscreteGaussianMechanism(2), plan);
        List<JoinedLink> remote = parties.stream().map(Links::asText).toList();
        assertThat(session(plan, remote).event())
                .isEqualTo(session(plan, parties).event());
        assertThat(new ExactAccountant()
                        .epsilon(session(plan, remote).event(), DELTA, Neighbours.ADD_REMOVE)
                        .upper())
                .isGreaterThan(1);
    }

    @Test
    void aRoundThatIsAskedForAgainIsAnsweredByTheSameMessage() {
        SumParty party =
                sumParties(new DiscreteGaussianMechanism(2), residualSums(2)).get(0);
        Message.SumRequest request =
                new Message.SumRequest(0, RegressionQueries.RESIDUALS, DoubleVector.of(0.1, 0.2, 0.3), 1);
        Message first = party.reply(request);
        assertThat(party.reply(request)).isEqualTo(first);
        assertThat(party.roundsAnswered()).isEqualTo(1);
        Message other =
                party.reply(new Message.SumRequest(0, RegressionQueries.RESIDUALS, DoubleVector.of(0.1, 0.2, 0.4), 1));
        assertThat(other).isEqualTo(new Message.Absence("party 0", 0, Message.Reason.OUT_OF_STEP));
        assertThat(party.roundsAnswered()).isEqualTo(1);

        Message.SumRequest last =
                new Message.SumRequest(1, RegressionQueries.RESIDUALS, DoubleVector.of(0.1, 0.2, 0.3), 1);
        Message second = party.reply(last);
        assertThat(second).isNotEqualTo(first);
        assertThat(party.reply(last)).as("also when the budget is spent").isEqualTo(second);
        assertThat(party.reply(request)).as("a round that is over").isInstanceOf(Message.Absence.class);
    }

    @Test
    void aPartyOfFactorsReleasesOnceForARound() {
        PrivateDataset data = Parties.split(rows, 150, 150).get(0);
        FactorParty party = party(1, door(data, new DiscreteGaussianMechanism(4), 1000, 1), OptionalDouble.empty());
        party.join(3);
        Message.GlobalState state = new Message.GlobalState(0, DoubleVector.of(prior.naturalParameters()), NONE_USED);
        Message first = party.reply(state);
        assertThat(party.reply(state)).isEqualTo(first);
        assertThat(party.roundsAnswered()).isEqualTo(1);
        assertThat(party.reply(new Message.GlobalState(0, DoubleVector.of(prior.naturalParameters()), 0)))
                .isInstanceOf(Message.Absence.class);
    }
}
