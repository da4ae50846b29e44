package dev.tacit.accounting;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;

/**
 * One way to bound what an event reveals.
 *
 * <p>Every number returned is an upper bound, rounded up, for events whose parameters were fixed in advance. An event that the method cannot bound is
 * answered by {@code Unsupported}, never by a guess, NaN or an exception.
 */
public interface PrivacyAccountant {
    /** The name in JSON answers, for example {@code renyi}. */
    String name();

    /** The smallest epsilon this method can show for the given delta. */
    EpsilonBound epsilon(PrivacyEvent event, double delta, Neighbours neighbours);

    /** The smallest delta this method can show for the given epsilon. */
    DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours);
}
