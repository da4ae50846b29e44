package dev.tacit.privacy.accountant;

import dev.tacit.privacy.event.PrivacyEvent;

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
}
