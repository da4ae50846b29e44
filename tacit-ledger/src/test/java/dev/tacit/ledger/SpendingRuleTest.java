package dev.tacit.ledger;

import static dev.tacit.ledger.LedgerFixtures.ACCOUNTING;
import static dev.tacit.ledger.LedgerFixtures.gaussian;
import static dev.tacit.ledger.LedgerFixtures.rhoLimit;
import static dev.tacit.ledger.LedgerFixtures.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.NotPrivate;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.PrivacyBudget;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

class SpendingRuleTest {
    private static final long SEED = 20261115;

    private final LedgerTerms terms = terms(1);
    private final double rhoLimit = rhoLimit(terms);
    private final InMemoryLedger ledger = new InMemoryLedger(terms, ACCOUNTING);

    private BudgetExhausted refused(PrivacyEvent event) {
        List<LedgerEntry> before = ledger.entries();
        BudgetExhausted refusal = catchThrowableOfType(BudgetExhausted.class, () -> ledger.charge("x", event));
        assertThat(refusal).isNotNull();
        assertThat(ledger.entries()).isEqualTo(before);
        return refusal;
    }

    @Test
    void spendsUntilTheFilterIsFull() throws BudgetExhausted {
        PrivacyEvent tenth = gaussian(rhoLimit / 10 * (1 - 1e-9));
        for (int i = 0; i < 10; i++) {
            ledger.charge("step", tenth);
        }
        refused(tenth);
        refused(gaussian(rhoLimit * 1e-6));
        assertThat(ledger.summary().spentShare().getAsDouble())
                .isCloseTo(1, within(1e-8))
                .isLessThanOrEqualTo(1);
        assertThat(LedgerFixtures.spent(ledger)).isEqualTo(new PrivacyEvent.Sequence(Collections.nCopies(10, tenth)));
        assertThat(ledger.summary().holds()).isEqualTo(new EpsilonBound.AtMost(1, "the ledger's filter"));
    }

    /** The fixture's exact bound is 10 rho, so it admits alone what the filter (about 0.02) does not. */
    @Test
    void aSinglePlanMayUseItsExactBoundAndThenNothingMore() throws BudgetExhausted {
        assertThat(rhoLimit).isLessThan(0.1);
        ledger.charge("plan", gaussian(0.001).times(100));
        assertThat(ledger.summary().spentShare().getAsDouble()).isGreaterThan(1);
        assertThat(ledger.summary().holds().upper()).isCloseTo(1, within(1e-9));
        BudgetExhausted refusal = refused(gaussian(1e-9));
        assertThat(refusal.details().spentShare()).isEqualTo(1);
        assertThat(refusal.details().leftShare()).isZero();
        refused(PrivacyEvent.nothing());
    }

    @Test
    void aSecondEntryMustPassTheFilterTogetherWithTheFirst() throws BudgetExhausted {
        ledger.charge("first", gaussian(rhoLimit * 0.6));
        refused(gaussian(rhoLimit * 0.5));
        ledger.charge("second", gaussian(rhoLimit * 0.3));
        refused(gaussian(rhoLimit * 0.2));
        List<LedgerSummary.Line> lines = ledger.summary().lines();
        assertThat(lines.get(0).share().getAsDouble()).isCloseTo(0.6, within(1e-9));
        assertThat(lines.get(1).cumulativeShare().getAsDouble()).isCloseTo(0.9, within(1e-9));
    }

    /** Whatever is tried in whatever order, the ledger is always in one of the two cases of the proof. */
    @Test
    void everyReachableLedgerIsOnePlanWithinItsBoundOrWithinTheFilter() throws Exception {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        for (int i = 0; i < 200; i++) {
            InMemoryLedger tried = new InMemoryLedger(terms, ACCOUNTING);
            for (int j = 0; j < 12; j++) {
                PrivacyEvent event =
                        gaussian(0.3 * Math.exp(random.nextDouble(-8, 0))).times(random.nextInt(4));
                try {
                    tried.charge("try", event);
                } catch (BudgetExhausted e) {
                    assertThat(e.details().fits()).isLessThan(e.details().repetitions() + 1);
                }
            }
            double rho = LedgerFixtures.rho(LedgerFixtures.spent(tried));
            boolean onePlan = tried.entries().size() <= 1 && 10 * rho <= 1;
            assertThat(onePlan || rho <= rhoLimit * (1 + 1e-12))
                    .as("seed %d, case %d", SEED, i)
                    .isTrue();
        }
    }

    @Test
    void saysSpentAskedLeftAndWhatStillFits() throws BudgetExhausted {
        ledger.charge("first", gaussian(rhoLimit * 0.5003));
        BudgetExhausted refusal = refused(gaussian(rhoLimit / 100).times(80));
        assertThat(refusal)
                .hasMessage("the budget of epsilon 1.0 at delta 1.0E-5 is exhausted: spent 0.501 of 1, "
                        + "this charge asks for 0.801, left 0.499; 49 of its 80 repetitions would still fit.");
        BudgetExhausted.Details details = refusal.details();
        assertThat(details.spentShare()).isCloseTo(0.5003, within(1e-9));
        assertThat(details.askedShare()).isCloseTo(0.8, within(1e-9));
        assertThat(details.leftShare()).isCloseTo(0.4997, within(1e-9));
        assertThat(details.epsilonAlone()).isEmpty();
        assertThat(details.budget()).isEqualTo(new PrivacyBudget(1, 1e-5));
    }

    @Test
    void whatIsSaidToFitFitsAndOneMoreDoesNot() throws BudgetExhausted {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        for (int i = 0; i < 100; i++) {
            InMemoryLedger tried = new InMemoryLedger(terms, ACCOUNTING);
            if (random.nextBoolean()) {
                tried.charge("first", gaussian(rhoLimit * random.nextDouble(0.01, 1)));
            }
            PrivacyEvent step = gaussian(rhoLimit * random.nextDouble(0.001, 0.3));
            PrivacyEvent nested = step.times(1000).times(3).times(1L << random.nextInt(45));
            BudgetExhausted refusal = catchThrowableOfType(BudgetExhausted.class, () -> tried.charge("x", nested));
            long fits = refusal.details().fits();
            assertThatThrownBy(() -> tried.charge("x", step.times(fits + 1))).isInstanceOf(BudgetExhausted.class);
            tried.charge("x", step.times(fits));
        }
    }

    @Test
    void aFirstPlanThatIsTooLargeIsToldItsEpsilon() {
        BudgetExhausted refusal = refused(gaussian(0.0101).times(20));
        assertThat(refusal.details().epsilonAlone().getAsDouble()).isCloseTo(2.02, within(1e-9));
        assertThat(refusal.details().fits()).isEqualTo(9);
        assertThat(refusal)
                .hasMessageContaining("alone has epsilon 2.0")
                .hasMessageContaining("9 of its 20 repetitions");
    }

    @Test
    void whatCannotBeBoundedIsRefusedWithTheReason() {
        assertThat(refused(gaussian(1e-9).poissonSampled(0.5)))
                .hasMessageContaining("cannot be bounded (the fixture only knows Gaussian releases)");
        assertThat(refused(new NotPrivate("a plain mean"))).hasMessageContaining("more than any budget");
        assertThat(refused(gaussian(1).times(Long.MAX_VALUE).times(Long.MAX_VALUE))
                        .details()
                        .repetitions())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void chargingARunAgainSpendsNothing() throws BudgetExhausted {
        Charge charge = Charge.of("fit", gaussian(rhoLimit / 3)).forRun("run-1").at(Instant.EPOCH);
        LedgerEntry entry = ledger.charge(charge);
        assertThat(entry.confirmed()).isTrue();
        assertThat(entry.time()).contains(Instant.EPOCH);
        assertThat(ledger.charge(charge)).isEqualTo(entry);
        assertThat(ledger.charge(Charge.of("other label", charge.event()).forRun("run-1")))
                .isEqualTo(entry);
        assertThat(ledger.entries()).hasSize(1);
        assertThatThrownBy(() -> ledger.charge(Charge.of("fit", gaussian(1e-9)).forRun("run-1")))
                .isInstanceOf(LedgerConflict.class);
        ledger.charge(charge.forRun("run-2").at(Instant.EPOCH));
        assertThat(ledger.entries()).hasSize(2);
    }

    @Test
    void aRunAnnouncesItsReleasesOnce() throws BudgetExhausted {
        LedgerEntry start =
                ledger.charge(Charge.of("fit", gaussian(0.0001).times(10)).forRun("run"));
        LedgerEntry four = ledger.advance(start, 4);
        assertThat(four.released()).isEqualTo(4);
        assertThat(ledger.charge(Charge.of("fit", start.event()).forRun("run"))).isEqualTo(four);
        assertThatThrownBy(() -> ledger.advance(start, 6)).isInstanceOf(LedgerConflict.class);
        assertThatThrownBy(() -> ledger.advance(four, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThat(ledger.advance(four, 6).released()).isEqualTo(6);
        assertThat(ledger.resume(four.position()).released()).isEqualTo(6);
        LedgerEntry six = ledger.resume(four.position());
        assertThatThrownBy(() -> ledger.advance(six, 11)).isInstanceOf(IllegalArgumentException.class);
        assertThat(ledger.advance(six, 10).released()).isEqualTo(10);
    }

    @Test
    void releasesAreTheLeavesOfTheEvent() throws BudgetExhausted {
        PrivacyEvent step = gaussian(1e-9).then(gaussian(2e-9));
        assertThat(PaidReleases.of(
                        ledger.charge("x", step.times(5).then(gaussian(1e-9))).event()))
                .isEqualTo(11);
        assertThat(PaidReleases.of(ledger.charge(
                                "x", gaussian(1e-30).times(Long.MAX_VALUE / 2).times(3))
                        .event()))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(PaidReleases.of(
                        ledger.charge("x", PrivacyEvent.nothing().times(7)).event()))
                .isZero();
    }

    @Test
    void aCheckpointDoesNotFitALedgerThatIsBehind() throws BudgetExhausted {
        LedgerEntry entry = ledger.advance(ledger.charge("fit", gaussian(0.0001).times(4)), 3);
        InMemoryLedger fresh = new InMemoryLedger(terms, ACCOUNTING);
        assertThatThrownBy(() -> fresh.resume(entry.position())).isInstanceOf(LedgerConflict.class);
        assertThatThrownBy(() -> fresh.advance(entry, 4)).isInstanceOf(LedgerConflict.class);
        fresh.charge("fit", gaussian(0.0001).times(4));
        assertThatThrownBy(() -> fresh.resume(entry.position()))
                .isInstanceOf(LedgerConflict.class)
                .hasMessageContaining("behind");
    }

    @Test
    void memoryIsMarkedAsForgetful() {
        assertThat(ledger.durable()).isFalse();
        assertThat(ledger.unit().neighbours()).isEqualTo(terms.unit().neighbours());
        assertThat(ledger.summary().holds().upper()).isZero();
    }
}
