package dev.tacit.door.ledger;

import dev.tacit.door.unit.PrivacyBudget;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The budget does not allow a charge; nothing was written and nothing may be released.
 *
 * <p>Shares are shares of what the ledger's filter allows in all, so they add up: spent + left = 1.
 */
public final class BudgetExhausted extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * The numbers behind the sentence.
     *
     * @param budget what the ledger allows in all
     * @param spentShare share spent before this charge, at most 1
     * @param askedShare share that this charge would add, +∞ if it cannot be bounded
     * @param epsilonAlone the epsilon of this charge alone, if the ledger was empty
     * @param fits how many of the repetitions would still fit
     * @param repetitions how many repetitions were asked for
     * @param refusal why the event cannot be bounded, if so
     */
    public record Details(
            PrivacyBudget budget,
            double spentShare,
            double askedShare,
            OptionalDouble epsilonAlone,
            long fits,
            long repetitions,
            Optional<String> refusal) {

        /** Share that is left. */
        public double leftShare() {
            return Math.max(0, Math.nextDown(1 - spentShare));
        }
    }

    private final transient Details details;

    public BudgetExhausted(String sentence, Details details) {
        super(sentence);
        this.details = details;
    }

    /** The numbers behind the sentence. */
    public Details details() {
        return details;
    }
}
