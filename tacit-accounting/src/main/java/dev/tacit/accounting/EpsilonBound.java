package dev.tacit.accounting;

import dev.tacit.door.event.PrivacyEvent;

/** An accountant's answer to "which epsilon holds?". */
public sealed interface EpsilonBound {
    /** Epsilon is at most this; {@code source} names the theorem or engine. */
    record AtMost(double epsilon, String source) implements EpsilonBound {}

    /** The smallest valid epsilon of the composed dominating pairs lies in this interval; {@code epsilon} (the upper end) holds. */
    record Between(double lower, double epsilon, ErrorBudget errors, String source) implements EpsilonBound {}

    /** No finite epsilon holds at this delta. */
    record Unbounded(String reason) implements EpsilonBound {}

    /** This method cannot bound the event. */
    record Unsupported(PrivacyEvent offending, String reason) implements EpsilonBound {}

    /** The epsilon that holds: finite, or +∞ for {@link Unbounded} and {@link Unsupported}, so that comparing with a budget is always safe. */
    default double upper() {
        if (this instanceof AtMost atMost) {
            return atMost.epsilon();
        }
        return this instanceof Between between ? between.epsilon() : Double.POSITIVE_INFINITY;
    }
}
