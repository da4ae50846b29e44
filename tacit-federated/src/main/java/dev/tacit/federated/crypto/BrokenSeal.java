package dev.tacit.federated.crypto;

/** What was sealed cannot be opened: it was changed on the way, or is for somebody else or something else. */
public final class BrokenSeal extends Exception {
    private static final long serialVersionUID = 1L;

    BrokenSeal(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
