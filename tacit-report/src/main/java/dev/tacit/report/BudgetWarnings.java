package dev.tacit.report;

import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.List;

/**
 * What is formally a guarantee and protects hardly anybody: an epsilon above {@value #LARGEST_EPSILON}, or a delta above
 * one over the number of units, which a program would meet that publishes some people's records as they are.
 */
public final class BudgetWarnings {
    /** An attacker's odds may grow by a factor of e^10, about 22 000. */
    public static final double LARGEST_EPSILON = 10;

    private BudgetWarnings() {}

    /** One sentence for each problem of a run's budget and of what all runs cost together. */
    public static List<String> of(StatementFacts facts) {
        if (!facts.promises()) {
            return List.of();
        }
        List<String> warnings =
                new ArrayList<>(ofBudget("this run", facts.epsilon(), facts.delta(), facts.publicSize()));
        facts.ledger().ifPresent(total -> {
            if (total.entries() > 1 || total.delta() != facts.delta()) {
                warnings.addAll(ofBudget("all runs together", total.epsilon(), total.delta(), facts.publicSize()));
            }
            if (total.limit().isPresent()) {
                warnings.addAll(ofLimit(total.limit().getAsDouble()));
            }
        });
        return warnings;
    }

    /** One sentence for each problem of a budget. */
    public static List<String> ofBudget(String whose, double epsilon, double delta, long publicSize) {
        List<String> warnings = new ArrayList<>();
        if (epsilon > LARGEST_EPSILON) {
            warnings.add("The epsilon of " + whose + ", "
                    + (Double.isFinite(epsilon) ? Rounding.up(epsilon, 4) : "which has no bound")
                    + ", is above 10: it sets hardly any limit to what can be learned about one unit.");
        }
        if (publicSize > 0 && delta * publicSize > 1) {
            warnings.add("The delta of " + whose + ", " + Rounding.typedOrUp(delta)
                    + ", is above one over the number of"
                    + " units (1 / " + publicSize + "): publishing some units as they are would keep it. Choose a much"
                    + " smaller one.");
        }
        return warnings;
    }

    /** One sentence if a ledger's limit is no limit. */
    public static List<String> ofLimit(double epsilon) {
        return epsilon > LARGEST_EPSILON
                ? List.of("The ledger's limit, epsilon " + Rounding.up(epsilon, 4) + ", is above 10: reaching it would"
                        + " leave hardly any limit to what can be learned about one unit.")
                : List.of();
    }
}
