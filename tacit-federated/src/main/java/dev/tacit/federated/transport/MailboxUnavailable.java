package dev.tacit.federated.transport;

/** The other side cannot be reached now; trying again later loses nothing. */
public final class MailboxUnavailable extends Exception {
    private static final long serialVersionUID = 1L;

    public MailboxUnavailable(String sentence) {
        super(sentence);
    }

    public MailboxUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
