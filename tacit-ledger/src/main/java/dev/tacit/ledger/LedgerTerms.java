package dev.tacit.ledger;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.filter.PrivacyFilter;
import dev.tacit.ledger.filter.RenyiCurve;
import dev.tacit.ledger.filter.RenyiFilter;
import dev.tacit.ledger.filter.RenyiOdometer;
import java.util.Objects;
import java.util.Optional;

/**
 * What a ledger promises, fixed before its first charge.
 *
 * @param unit who is protected, and against which neighbours
 * @param delta at which epsilons hold
 * @param odometer how everything charged is added up
 * @param limit what may be spent in all; empty if nothing is refused
 * @param id a random name that binds the ledger to what its holder keeps beside it; empty if nothing is kept
 */
public record LedgerTerms(
        PrivacyUnit unit, double delta, RenyiOdometer odometer, Optional<SpendingLimit> limit, Optional<String> id) {
    public LedgerTerms {
        Objects.requireNonNull(unit, "unit");
        PrivacyBudget.requireDelta(delta);
        Objects.requireNonNull(odometer, "odometer");
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(id, "id");
        if (limit.isPresent() && limit.get().budget().delta() != delta) {
            throw new IllegalArgumentException("a ledger has one delta");
        }
    }

    /** With a limit, and the odometer that suits Gaussian spending. */
    public LedgerTerms(PrivacyUnit unit, PrivacyBudget budget, PrivacyFilter filter) {
        this(
                unit,
                budget.delta(),
                RenyiOdometer.forDelta(budget.delta()),
                Optional.of(new SpendingLimit(budget, filter)),
                Optional.empty());
    }

    /** With a limit that is kept by the Rényi filter at the order that suits Gaussian-like spending. */
    public static LedgerTerms of(PrivacyUnit unit, PrivacyBudget budget) {
        return new LedgerTerms(unit, budget, RenyiFilter.forBudget(budget));
    }

    /** With a limit that is kept by the Rényi filter at the order that suits spending of the planned kind. */
    public static LedgerTerms forPlan(PrivacyUnit unit, PrivacyBudget budget, PrivacyEvent plan, RenyiCurve renyi) {
        PrivacyFilter filter = RenyiFilter.forPlan(budget, plan, unit.neighbours(), renyi);
        LedgerTerms terms = withoutLimit(unit, budget.delta(), plan, renyi);
        return new LedgerTerms(
                unit, terms.delta(), terms.odometer(), Optional.of(new SpendingLimit(budget, filter)), terms.id());
    }

    /** Without a limit: every charge is admitted, and the ledger says what all of them cost together. */
    public static LedgerTerms withoutLimit(PrivacyUnit unit, double delta, PrivacyEvent plan, RenyiCurve renyi) {
        RenyiOdometer odometer = RenyiOdometer.forPlan(delta, plan, unit.neighbours(), renyi);
        return new LedgerTerms(unit, delta, odometer, Optional.empty(), Optional.empty());
    }

    /** The same terms under a name. */
    public LedgerTerms identified(String name) {
        return new LedgerTerms(unit, delta, odometer, limit, Optional.of(name));
    }
}
