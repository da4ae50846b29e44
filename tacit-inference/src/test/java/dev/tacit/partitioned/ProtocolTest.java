package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartiesSession;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.PartyJournal;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.NaturalGradients;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
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
        return new PartyDoor(
                data, Optional.of(new PartyDoor.Protection(mechanism, ledger(epsilon))), ReplayNoise.ofSeed(seed));
    }

    private static InMemoryLedger ledger(double epsilon) {
        return new InMemoryLedger(
                LedgerTerms.of(Parties.RECORD, new PrivacyBudget(epsilon, DELTA)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
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
        for (int i = 0; i < 3; i++) {
            assertThat(new ExactAccountant()
                            .epsilon(parties.get(i).event(), DELTA, Neighbours.ADD_REMOVE)
                            .upper())
                    .isLessThanOrEqualTo(budgets[i]);
        }
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
     * 6 000 numbers are within 12 % of their expectation but with probability below 1e-9.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 32})
    void sharedNoiseFallsWithTheRootOfTheNumberOfParties(int count) throws BudgetExhausted {
        int columns = 60;
        int releases = 100;
        LogisticRegression wide = new LogisticRegression(Runs.names(columns), 1, 0.5);
        DenseBlock nobody = DenseBlock.of(0, columns, new double[0], new double[0]);
        ReleasePlan plan = ReleasePlan.of("residual sums", releases, columns, new FullPass());
        List<PartyDoor> doors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            doors.add(door(Parties.split(nobody, 0).get(0), new NoiseSharing(count, 0, 0).share(3), 1000, i));
        }
        PartiesSession together = PartiesSession.open("test", plan, doors);
        PrivateSession alone = doors.get(0).open("again", plan);
        assertThat(alone.event()).isEqualTo(plan.event(new DiscreteGaussianMechanism(3)));
        assertThat(together.event()).isEqualTo(new PrivacyEvent.Disjoint(Collections.nCopies(count, alone.event())));
        double single = 0;
        double whole = 0;
        for (int round = 0; round < releases; round++) {
            NoisySum sum = together.release(wide.residualSum(new double[columns]), 1);
            assertThat(sum.noiseStandardDeviation()).isCloseTo(3, within(1e-4));
            whole += squares(sum) / (releases * columns);
            single += squares(alone.release(wide.residualSum(new double[columns]), 1)) / (releases * columns);
        }
        assertThat(whole).isCloseTo(9, within(0.12 * 9));
        assertThat(single).isCloseTo(9.0 / count, within(0.12 * 9 / count));
    }

    private static double squares(NoisySum sum) {
        return Arrays.stream(sum.value()).map(value -> value * value).sum();
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
        FactorParty elsewhere = party(1, door(data, sharing.share(4), 5, 1), OptionalDouble.of(1));
        assertThatThrownBy(() -> new Coordinator(prior, Coordinator.Settings.once(), Optional.empty())
                        .run(List.of(Links.asText(elsewhere)), Coordinator.Listener.NONE))
                .hasMessageContaining("a share of the noise protects nobody");
    }

    /** Shares of noise add up to what was charged if all are there and all are of the same noise. */
    @Test
    void doorsThatDoNotGoTogetherAreRefusedBeforeAnythingIsCharged() {
        List<PrivateDataset> data = Parties.split(rows, 100, 200);
        List<InMemoryLedger> ledgers = List.of(ledger(5), ledger(5));
        for (List<NoiseMechanism> mechanisms : List.<List<NoiseMechanism>>of(
                List.of(new NoiseShare(4, 3), new NoiseShare(4, 3)),
                List.of(new NoiseShare(4, 2), new NoiseShare(2, 2)),
                List.of(new NoiseShare(4, 1), new NoiseShare(4, 2)),
                List.of(new NoiseShare(4, 1), new DiscreteGaussianMechanism(4)))) {
            List<PartyDoor> doors = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                doors.add(new PartyDoor(
                        data.get(i),
                        Optional.of(new PartyDoor.Protection(mechanisms.get(i), ledgers.get(i))),
                        ReplayNoise.ofSeed(i)));
            }
            assertThatThrownBy(() -> PartiesSession.open("test", residualSums(3), doors))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(ledgers).allMatch(ledger -> ledger.entries().isEmpty());
    }

    /** What the second party cannot pay, or has records that do not fit, costs the first one nothing. */
    @Test
    void aPartyThatCannotTakePartCostsTheOthersNothing() {
        List<PrivateDataset> data = Parties.split(rows, 100, 200);
        NoiseMechanism mechanism = new DiscreteGaussianMechanism(4);
        InMemoryLedger paying = ledger(5);
        PartyDoor able = new PartyDoor(data.get(0), protection(mechanism, paying), ReplayNoise.ofSeed(1));
        PartyDoor poor = door(data.get(1), mechanism, 0.01, 2);
        assertThatThrownBy(() -> PartiesSession.open("test", residualSums(3), List.of(able, poor)))
                .isInstanceOf(BudgetExhausted.class);
        PartyDoor longRows = door(data.get(1).withRowNorm(3), mechanism, 5, 2);
        ReleasePlan shortRows = residualSums(3).forRows(OptionalDouble.of(1));
        assertThatThrownBy(() -> PartiesSession.open("test", shortRows, List.of(able, longRows)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(paying.entries()).isEmpty();
    }

    /** Asking first is not charging twice. */
    @Test
    void everyPartyIsChargedOnce() throws BudgetExhausted {
        List<PrivateDataset> data = Parties.split(rows, 100, 200);
        List<InMemoryLedger> ledgers = List.of(ledger(5), ledger(5));
        List<PartyDoor> doors = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            doors.add(new PartyDoor(
                    data.get(i), protection(new DiscreteGaussianMechanism(4), ledgers.get(i)), ReplayNoise.ofSeed(i)));
        }
        PartiesSession.open("test", residualSums(3), doors);
        assertThat(ledgers).allMatch(ledger -> ledger.entries().size() == 1);
    }

    private static Optional<PartyDoor.Protection> protection(NoiseMechanism mechanism, InMemoryLedger ledger) {
        return Optional.of(new PartyDoor.Protection(mechanism, ledger));
    }

    private ReleasePlan residualSums(int rounds) {
        return ReleasePlan.of("residual sums", rounds, model.columns(), new FullPass());
    }

    @Test
    void residualNewtonAcrossPartiesIsResidualNewton() throws BudgetExhausted {
        ResidualNewton kernel = new ResidualNewton(ResidualNewton.Settings.standard());
        ReleasePlan plan = kernel.plan(model, 300);
        GaussianPosterior pooled = (GaussianPosterior) InferenceRun.once(
                        kernel,
                        model,
                        Runs.dataset(rows).openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1))
                .posterior();
        for (int[] sizes : new int[][] {{300}, {100, 150, 50}, {1, 299}}) {
            List<PartyDoor> doors = Parties.split(rows, sizes).stream()
                    .map(data -> PartyDoor.notPrivate(data, ReplayNoise.ofSeed(1)))
                    .toList();
            PartiesSession session = PartiesSession.open("test", plan, doors);
            assertThat(session.publicSize()).isEqualTo(300);
            GaussianPosterior across =
                    (GaussianPosterior) InferenceRun.once(kernel, model, session, RandomStream.ofSeed(1))
                            .posterior();
            assertThat(across.mean()).containsExactly(pooled.mean(), within(1e-9));
            assertThat(across.covariance()).containsExactly(pooled.covariance(), within(1e-9));
        }
    }

    /** Releases that an aggregator adds up, and that the coordinator reads as a change, are the changes added up. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual clients", "local averaging", "parameter perturbation"})
    void theSumOfReleasesIsReadAsTheSumOfChanges(String name) {
        ShardSolver.Settings solver = new ShardSolver.Settings(2, 0.5);
        LocalSteps local = switch (name) {
            case "virtual clients" -> update;
            case "local averaging" ->
                new LocalAveraging(model, new LocalAveraging.Settings(GaussianFamily.MEAN_FIELD, 7, solver, 3));
            default -> LocalAveraging.parameterPerturbation(model, GaussianFamily.MEAN_FIELD, solver, 3);
        };
        double[] changes = aggregated(local, Optional.empty());
        assertThat(aggregated(local, Optional.of(Shares.plain()))).containsExactly(changes, within(1e-9));
        assertThat(changes).isNotEqualTo(prior.naturalParameters());
    }

    private double[] aggregated(LocalSteps local, Optional<Shares> shares) {
        NoiseSharing sharing = new NoiseSharing(3, 0, 0);
        List<PrivateDataset> data = Parties.split(rows, 120, 80, 100);
        List<JoinedLink> links = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            FactorTerms terms = FactorTerms.of(prior, 0.5).withShare(1.0 / 3).drawing(0, i);
            PartyDoor door = door(data.get(i), sharing.share(4), 100, i);
            FactorParty party = new FactorParty("party " + i, door, local, terms, shares, PartyJournal.NONE);
            assertThat(party.join(4)).isEqualTo(4);
            links.add(Links.asText(party));
        }
        return new Coordinator(
                        prior,
                        prior,
                        new Coordinator.Settings(4, new Schedule.Synchronous(), 0.5, Repair.floor()),
                        Optional.of(PlainSum.of(sharing)),
                        shares.flatMap(unused -> local.sumReading()))
                .run(links, Coordinator.Listener.NONE)
                .global()
                .naturalParameters();
    }

    @Test
    void releasesThatDoNotAddUpAreRefused() {
        PrivateDataset data = Parties.split(rows, 300).get(0);
        LocalSteps natural =
                new NaturalGradients(model, new NaturalGradients.Settings(GaussianFamily.MEAN_FIELD, 1, 1, 10, 1));
        for (LocalSteps local : List.of(natural, new DpOptimisation(model, DpOptimisation.Settings.standard()))) {
            assertThatThrownBy(() -> new FactorParty(
                            "a",
                            door(data, new DiscreteGaussianMechanism(4), 5, 1),
                            local,
                            FactorTerms.of(prior, 0.5).withShare(1),
                            Optional.of(Shares.plain()),
                            PartyJournal.NONE))
                    .hasMessageContaining("has no releases to add up");
        }
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

    @Test
    void aPartyReleasesOnceForARound() {
        PrivateDataset data = Parties.split(rows, 150, 150).get(0);
        FactorParty party = party(1, door(data, new DiscreteGaussianMechanism(4), 1000, 1), OptionalDouble.empty());
        party.join(2);
        DoubleVector natural = DoubleVector.of(prior.naturalParameters());
        assertThat(party.reply(new Message.GlobalState(-1, natural, NONE_USED)))
                .isEqualTo(new Message.Absence("party 1", -1, Message.Reason.OUT_OF_STEP));
        assertThat(party.roundsAnswered()).as("before the first round").isEqualTo(0);
        Message.GlobalState state = new Message.GlobalState(0, natural, NONE_USED);
        Message first = party.reply(state);
        assertThat(party.reply(state)).isEqualTo(first);
        assertThat(party.reply(new Message.GlobalState(0, natural, 0)))
                .isEqualTo(new Message.Absence("party 1", 0, Message.Reason.OUT_OF_STEP));
        assertThat(party.roundsAnswered()).isEqualTo(1);
        Message.GlobalState last = new Message.GlobalState(1, natural, 0);
        Message second = party.reply(last);
        assertThat(second).isInstanceOf(Message.FactorChange.class).isNotEqualTo(first);
        assertThat(party.reply(last)).as("also when the budget is spent").isEqualTo(second);
        assertThat(party.reply(state)).as("a round that is over").isInstanceOf(Message.Absence.class);
    }
}
