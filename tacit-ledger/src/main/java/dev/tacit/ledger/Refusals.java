package dev.tacit.ledger;

import dev.tacit.door.ledger.BudgetExhausted;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** What a ledger says when it refuses a charge. */
final class Refusals {
    private Refusals() {}

    static BudgetExhausted of(BudgetExhausted.Details details) {
        return new BudgetExhausted(sentence(details), details);
    }

    private static String sentence(BudgetExhausted.Details details) {
        String asked = details.refusal().isPresent()
                ? "this charge cannot be bounded (" + details.refusal().get() + ")"
                : "this charge asks for " + rounded(details.askedShare(), RoundingMode.CEILING);
        if (details.epsilonAlone().isPresent()
                && Double.isFinite(details.epsilonAlone().getAsDouble())) {
            asked += " and alone has epsilon " + rounded(details.epsilonAlone().getAsDouble(), RoundingMode.CEILING);
        }
        return "the budget of epsilon " + details.budget().epsilon() + " at delta "
                + details.budget().delta()
                + " is exhausted: spent " + rounded(details.spentShare(), RoundingMode.CEILING) + " of 1, " + asked
                + ", left " + rounded(details.leftShare(), RoundingMode.FLOOR) + "; "
                + (details.repetitions() == 1
                        ? "it does not fit."
                        : details.fits() + " of its " + details.repetitions() + " repetitions would still fit.");
    }

    private static String rounded(double value, RoundingMode mode) {
        return Double.isInfinite(value)
                ? "more than any budget"
                : new BigDecimal(value)
                        .round(new MathContext(3, mode))
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
