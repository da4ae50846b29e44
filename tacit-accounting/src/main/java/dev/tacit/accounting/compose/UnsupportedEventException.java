package dev.tacit.accounting.compose;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.door.event.PrivacyEvent;

/** Inside an accountant: this part of the event cannot be bounded. It becomes an {@code Unsupported} answer and never leaves the package's API. */
public final class UnsupportedEventException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient PrivacyEvent offending;

    public UnsupportedEventException(PrivacyEvent offending, String reason) {
        super(reason);
        this.offending = offending;
    }

    /** The smallest part of the event that cannot be bounded. */
    public PrivacyEvent offending() {
        return offending;
    }

    /** The answer about epsilon: unbounded if the event is openly not private, otherwise a refusal. */
    public EpsilonBound asEpsilonBound() {
        return offending instanceof PrivacyEvent.NotPrivate
                ? new EpsilonBound.Unbounded(getMessage())
                : new EpsilonBound.Unsupported(offending, getMessage());
    }

    /** The answer about delta: 1 if the event is openly not private, otherwise a refusal. */
    public DeltaBound asDeltaBound() {
        return offending instanceof PrivacyEvent.NotPrivate
                ? new DeltaBound.AtMost(1, getMessage())
                : new DeltaBound.Unsupported(offending, getMessage());
    }
}
