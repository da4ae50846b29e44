package dev.tacit.ledger.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import org.junit.jupiter.api.Test;

/** The ledger with the accountants that Tacit ships. */
class LedgerAccountingTest {
    private static final PrivacyEvent STEP = PrivacyEvent.gaussian(1).poissonSampled(0.01);
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    private static final PrivacyBudget BUDGET = new PrivacyBudget(2, 1e-5);
    private static final LedgerAccounting STANDARD =
            new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence);

    private static double exact(PrivacyEvent event) {
        return new ExactAccountant()
                .epsilon(event, BUDGET.delta(), UNIT.neighbours())
                .upper();
    }

    private static long largestPlan() {
        InMemoryLedger ledger = new InMemoryLedger(LedgerTerms.of(UNIT, BUDGET), STANDARD);
        BudgetExhausted refusal =
                catchThrowableOfType(BudgetExhausted.class, () -> ledger.charge("x", STEP.times(1_000_000)));
        return refusal.details().fits();
    }

    @Test
    void theFirstPlanGetsAllThatTheExactAccountantAllows() throws BudgetExhausted {
        long steps = largestPlan();
        assertThat(exact(STEP.times(steps))).isLessThanOrEqualTo(2);
        assertThat(exact(STEP.times(steps + 1))).isGreaterThan(2);
        InMemoryLedger ledger = new InMemoryLedger(LedgerTerms.of(UNIT, BUDGET), STANDARD);
        ledger.charge("all", STEP.times(steps));
        assertThat(ledger.summary().holds().upper()).isEqualTo(exact(STEP.times(steps)));
        assertThatThrownBy(() -> ledger.charge("more", STEP)).isInstanceOf(BudgetExhausted.class);
    }

    /**
     * What adaptivity costs: with the order made for the plan, the filter lets through what the Rényi accountant
     * would.
     */
    @Test
    void theFilterAtThePlannedOrderReachesTheRenyiAccountant() throws BudgetExhausted {
        LedgerTerms planned = LedgerTerms.forPlan(UNIT, BUDGET, STEP, STANDARD.renyi());
        LedgerTerms general = LedgerTerms.of(UNIT, BUDGET);
        long inHalves = stepsInRunsOf(planned, 10);
        assertThat(inHalves).isGreaterThanOrEqualTo(stepsInRunsOf(general, 10));
        PrivacyEvent total = STEP.times(inHalves);
        double renyi = new RenyiAccountant()
                .epsilon(total, BUDGET.delta(), UNIT.neighbours())
                .upper();
        assertThat(renyi).isBetween(0.97 * BUDGET.epsilon(), BUDGET.epsilon());
        assertThat(exact(total)).isLessThan(BUDGET.epsilon());
        assertThat(inHalves).isGreaterThan(largestPlan() / 2);
    }

    private static long stepsInRunsOf(LedgerTerms terms, long steps) throws BudgetExhausted {
        InMemoryLedger ledger = new InMemoryLedger(terms, STANDARD);
        ledger.charge("first", STEP.times(steps));
        for (long total = steps; ; total += steps) {
            try {
                ledger.charge("next", STEP.times(steps));
            } catch (BudgetExhausted e) {
                return total + e.details().fits();
            }
        }
    }

    @Test
    void refusalsCarryTheAccountantsReason() throws BudgetExhausted {
        InMemoryLedger ledger = new InMemoryLedger(LedgerTerms.of(UNIT, BUDGET), STANDARD);
        assertThatThrownBy(() -> ledger.charge("x", new PrivacyEvent.NotPrivate("a plain mean")))
                .isInstanceOf(BudgetExhausted.class)
                .hasMessageContaining("cannot be bounded (not private: a plain mean)");
        ledger.charge("first", STEP);
        assertThatThrownBy(() -> ledger.charge("x", PrivacyEvent.gaussian(5).fixedSizeSampled(5, 100)))
                .isInstanceOf(BudgetExhausted.class)
                .hasMessageContaining("cannot be bounded (");
    }

    @Test
    void bothKindsOfNeighboursAreCharged() throws BudgetExhausted {
        PrivacyUnit replaceOne = PrivacyUnit.record(Neighbours.REPLACE_ONE);
        InMemoryLedger ledger = new InMemoryLedger(LedgerTerms.of(replaceOne, BUDGET), STANDARD);
        ledger.charge("first", PrivacyEvent.gaussian(50));
        ledger.charge("second", PrivacyEvent.gaussian(50).fixedSizeSampled(5, 100));
        InMemoryLedger addRemove = new InMemoryLedger(LedgerTerms.of(UNIT, BUDGET), STANDARD);
        addRemove.charge("first", PrivacyEvent.gaussian(50));
        double twice = ledger.summary().lines().get(0).share().getAsDouble();
        assertThat(twice)
                .isBetween(
                        3.9 * addRemove.summary().spentShare().getAsDouble(),
                        4.1 * addRemove.summary().spentShare().getAsDouble());
    }
}
