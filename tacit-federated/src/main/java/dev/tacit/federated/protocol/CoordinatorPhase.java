package dev.tacit.federated.protocol;

/** Where a round stands, as far as the coordinator's disk knows. */
public enum CoordinatorPhase {
    /** Parties draw keys, or there is no request yet. */
    GATHERING("waits for keys"),
    /** Request and set are durable. */
    ASKED("waits for vectors"),
    /** The list of survivors is durable. */
    LISTED("waits until enough parties agree"),
    /** A quorum is durable. */
    OPENING("waits for shares of seeds"),
    /** The sum is opened, or the round is given up. */
    DONE("is over");

    private final String words;

    CoordinatorPhase(String words) {
        this.words = words;
    }

    /** What the round does, after its number. */
    public String words() {
        return words;
    }
}
