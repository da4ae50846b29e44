package dev.tacit.accounting;

import dev.tacit.door.event.PrivacyEvent;

/** An accountant's answer to "which delta holds?". */
public sealed interface DeltaBound {
    /** Delta is at most this; {@code source} names the theorem or engine. */
    record AtMost(double delta, String source) implements DeltaBound {}

    /** The smallest valid delta of the composed dominating pairs lies in this interval; {@code delta} (the upper end) holds. */
    record Between(double lower, double delta, ErrorBudget errors, String source) implements DeltaBound {}

    /** This method cannot bound the event. */
    record Unsupported(PrivacyEvent offending, String reason) implements DeltaBound {}

    /** The delta that holds; 1, which always holds, for {@link Unsupported}. */
    default double upper() {
        if (this instanceof AtMost atMost) {
            return atMost.delta();
        }
        return this instanceof Between between ? between.delta() : 1;
    }
}
