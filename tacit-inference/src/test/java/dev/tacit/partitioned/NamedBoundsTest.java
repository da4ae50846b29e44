package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.ResidualModel;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.PartiesSession;
import dev.tacit.partitioned.coordinator.Patience;
import dev.tacit.partitioned.coordinator.RegressionQueries;
import dev.tacit.partitioned.coordinator.StandIn;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.BoundedPlan;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.LongVector;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyTerms;
import dev.tacit.partitioned.message.Traffic;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.SumParty;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A coordinator that asks a party for a sum that its plan does not have next. */
class NamedBoundsTest {
    private static final double ROW_NORM = 1.3;
    private static final DoubleVector ORIGIN = DoubleVector.of(0, 0, 0);

    private final LogisticRegression model = new LogisticRegression(Runs.names(3), ROW_NORM, 0.5);
    private final PrivateDataset data = Parties.split(
                    Runs.logistic(100, new double[] {2, -1, 0.5}, RandomStream.ofSeed(8)), 100)
            .get(0);
    private static final double NOISE = 2;
    private final ResidualNewton kernel =
            new ResidualNewton(ResidualNewton.Settings.standard()).withNamedBounds(model, 100, NOISE);
    private final BoundedPlan plan = BoundedPlan.of(kernel, model, 100);
    private final double firstBound = plan.l2Bounds().get(0);
    private final InMemoryLedger ledger = new InMemoryLedger(
            LedgerTerms.of(Parties.RECORD, new PrivacyBudget(1000, 1e-5)),
            new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
    private final PartyDoor door = new PartyDoor(
            data,
            Optional.of(new PartyDoor.Protection(new DiscreteGaussianMechanism(NOISE), ledger)),
            ReplayNoise.ofSeed(1));

    private SumParty joined() {
        SumParty party = new SumParty("party", door, new RegressionQueries<>(model));
        assertThat(party.join("sums", plan)).isEqualTo(9);
        return party;
    }

    private static Message.SumRequest statistics(int round, double l2Bound) {
        return new Message.SumRequest(round, RegressionQueries.ORIGIN, DoubleVector.of(4), l2Bound);
    }

    private static Message.SumRequest residuals(int round, double l2Bound) {
        return new Message.SumRequest(round, RegressionQueries.RESIDUALS, ORIGIN, l2Bound);
    }

    private void assertRefused(JoinedLink party, Message.SumRequest request, Message.Reason reason) {
        List<?> before = ledger.entries();
        assertThat(reply(party, request)).isEqualTo(new Message.Absence("party", request.round(), reason));
        assertThat(ledger.entries()).isEqualTo(before);
    }

    private static Message reply(JoinedLink party, Message request) {
        return party.answer(request).toCompletableFuture().join();
    }

    private void assertHoldsToItsPlan(JoinedLink party) {
        for (double bound :
                new double[] {10 * firstBound, firstBound / 10, Math.nextUp(firstBound), Double.NaN, 0, -1}) {
            assertRefused(party, statistics(0, bound), Message.Reason.BOUND_NOT_NAMED);
        }
        List<?> before = ledger.entries();
        assertThat(reply(party, statistics(0, firstBound))).isInstanceOf(Message.SumReply.class);
        assertThat(ledger.entries()).as("a release is announced").isNotEqualTo(before);
        assertRefused(party, residuals(1, firstBound), Message.Reason.BOUND_NOT_NAMED);
        assertRefused(party, residuals(1, 10 * ROW_NORM), Message.Reason.BOUND_NOT_NAMED);
        assertRefused(party, residuals(1, ROW_NORM), Message.Reason.BOUND_NOT_NAMED);
        assertThat(reply(party, residuals(1, 0.7 * ROW_NORM))).isInstanceOf(Message.SumReply.class);
        assertThat(reply(party, residuals(2, 0.7 * ROW_NORM))).isInstanceOf(Message.SumReply.class);
    }

    @Test
    void residualNewtonNamesTheBoundsThatItAsksWith() {
        assertThat(plan.l2Bounds()).containsExactly(firstBound, 0.7 * ROW_NORM);
        ResidualNewton open = new ResidualNewton(ResidualNewton.Settings.standard());
        assertThat(open.withNamedBounds(model, 100, 0).l2Bounds(model).get(1)).isEqualTo(ROW_NORM);
        assertThatThrownBy(() -> BoundedPlan.of(open, model, 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the bound of the residual sums is not chosen yet");
        ResidualNewton clipped =
                new ResidualNewton(new ResidualNewton.Settings(8, 0.15, 4, OptionalDouble.of(0.5), 2, 0.5, 0.35, 0.3));
        assertThat(clipped.l2Bounds(model).get(1)).isEqualTo(0.5 * ROW_NORM);
    }

    @Test
    void aBoundThatThePlanDoesNotNameIsRefusedAndCostsNothing() {
        SumParty party = joined();
        assertThat(party.terms().l2Bounds()).isEqualTo(plan.l2Bounds());
        assertHoldsToItsPlan(party);
        assertThat(party.roundsAnswered()).isEqualTo(3);
    }

    /** The twin takes the bound from whoever asks, and the test above notices. */
    @Test
    void aPartyThatTakesAnyBoundIsNoticed() throws BudgetExhausted {
        PrivateSession session = door.open("sums", plan.plan());
        JoinedLink gullible = new JoinedLink() {
            @Override
            public String name() {
                return "party";
            }

            @Override
            public PartyTerms terms() {
                return new PartyTerms(false, session.event(), plan.l2Bounds());
            }

            @Override
            public CompletionStage<Message> answer(Message message) {
                Message.SumRequest request = (Message.SumRequest) message;
                NoisySum sum = session.release(
                        new RegressionQueries<>(model).query(request.query(), request.numbers()), request.l2Bound());
                return CompletableFuture.completedFuture(new Message.SumReply(
                        "party", request.round(), LongVector.of(0), 0, sum.noiseStandardDeviation()));
            }
        };
        assertThatThrownBy(() -> assertHoldsToItsPlan(gullible)).isInstanceOf(AssertionError.class);
    }

    /**
     * Shares of noise cover each other only at one bound: with a larger one at one party than at the others, that party would be
     * left with little more than its own share.
     */
    @Test
    void aCoordinatorCannotAskTwoPartiesWithTwoBounds() {
        assertClipsAlike(joined(), joined());
    }

    /** The twin names both bounds of the rule, as parties once did. */
    @Test
    void partiesThatNameTwoBoundsAreNoticed() {
        SumParty wide = new SumParty("party", door, new RegressionQueries<>(model));
        wide.join(
                "sums",
                BoundedPlan.of(
                        new ResidualNewton(ResidualNewton.Settings.standard()).withNamedBounds(model, 100, 0),
                        model,
                        100));
        assertThatThrownBy(() -> assertClipsAlike(joined(), wide)).isInstanceOf(AssertionError.class);
    }

    private void assertClipsAlike(JoinedLink one, JoinedLink other) {
        reply(one, statistics(0, firstBound));
        reply(other, statistics(0, firstBound));
        assertThat(reply(one, residuals(1, 0.7 * ROW_NORM))).isInstanceOf(Message.SumReply.class);
        assertRefused(other, residuals(1, ROW_NORM), Message.Reason.BOUND_NOT_NAMED);
    }

    /** A round before the first has no mask, and would spend a release in vain. */
    @Test
    void aRoundBeforeTheFirstCostsNothing() {
        FactorParty party = Parties.joined(
                        List.of(data),
                        set -> door,
                        new VirtualClients(model, new VirtualClients.Settings(1, 3)),
                        NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 3, 0.7),
                        1,
                        2)
                .get(0);
        DoubleVector natural = DoubleVector.of(
                NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 3, 0.7).naturalParameters());
        List<?> before = ledger.entries();
        assertThat(reply(party, new Message.GlobalState(-1, natural, Message.GlobalState.NONE_USED)))
                .isEqualTo(new Message.Absence(party.name(), -1, Message.Reason.OUT_OF_STEP));
        assertThat(ledger.entries()).isEqualTo(before);
        assertThat(party.roundsAnswered()).isEqualTo(0);
    }

    @Test
    void aPhaseOutOfOrderIsRefusedAndCostsNothing() {
        SumParty party = joined();
        assertRefused(party, residuals(1, ROW_NORM), Message.Reason.OUT_OF_STEP);
        assertRefused(party, residuals(0, ROW_NORM), Message.Reason.OUT_OF_STEP);
        assertRefused(party, statistics(1, firstBound), Message.Reason.OUT_OF_STEP);
        assertRefused(party, statistics(-1, firstBound), Message.Reason.OUT_OF_STEP);
        assertRefused(party, statistics(9, firstBound), Message.Reason.OUT_OF_STEP);
        assertThat(party.roundsAnswered()).isEqualTo(0);
    }

    /** Two phases that look alike: a round belongs to one of them, and so do its bounds. */
    @Test
    void phasesOfTheSameDimensionAreToldApart() {
        ReleasePlan.Phase sums = new ReleasePlan.Phase("residual sums", 1, 3, new FullPass(), 1);
        BoundedPlan twice = new BoundedPlan(new ReleasePlan(List.of(sums, sums)), List.of(1.0, 0.5));
        SumParty party = new SumParty("party", door, new RegressionQueries<>(model));
        party.join("sums", twice);
        assertRefused(party, residuals(1, 0.5), Message.Reason.OUT_OF_STEP);
        assertRefused(party, residuals(0, 0.5), Message.Reason.BOUND_NOT_NAMED);
        assertThat(reply(party, residuals(0, 1))).isInstanceOf(Message.SumReply.class);
        assertRefused(party, residuals(1, 1), Message.Reason.BOUND_NOT_NAMED);
        assertThat(reply(party, residuals(1, 0.5))).isInstanceOf(Message.SumReply.class);
    }

    @Test
    void aSessionAsksNobodyForABoundThatOnePartyWouldRefuse() {
        SumParty party = joined();
        PartiesSession session = new PartiesSession(
                plan.plan(),
                List.of(party),
                100,
                Parties.RECORD,
                Provenance.SIMULATED_NOT_FOR_RELEASE,
                Optional.empty(),
                StandIn.NONE,
                Patience.UNLIMITED);
        ResidualModel sent = RegressionQueries.sent(model);
        assertThatThrownBy(() -> session.release(sent.originStatistics(4), 10 * firstBound))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the plan of party does not name an L2 bound of")
                .hasMessageEndingWith(": " + firstBound);
        assertThat(session.released()).isEqualTo(0);
        assertThat(session.traffic()).isEqualTo(Traffic.NONE);
        assertThatCode(() -> session.release(sent.originStatistics(4), firstBound))
                .doesNotThrowAnyException();
    }

    @Test
    void aPlanNamesABoundForEveryPhase() {
        assertThatThrownBy(() -> new BoundedPlan(plan.plan(), List.of(1.0)))
                .hasMessage("a plan names an L2 bound for each of its phases");
        assertThatThrownBy(() -> new BoundedPlan(plan.plan(), List.of(1.0, 0.0)))
                .hasMessageStartingWith("an L2 bound is a positive number");
        assertThatThrownBy(() -> BoundedPlan.of(plan.plan(), Double.POSITIVE_INFINITY))
                .hasMessageStartingWith("an L2 bound is a positive number");
    }
}
