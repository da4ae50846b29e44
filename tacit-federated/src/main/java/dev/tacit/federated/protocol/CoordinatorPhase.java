package dev.tacit.federated.protocol;

/** Where a round stands, as far as the coordinator's disk knows. */
public enum CoordinatorPhase {
    /** Parties draw keys, or there is no request yet. */
    GATHERING("keys"),
    /** Request and set are durable. */
    ASKED("masked sums"),
    /** The list of survivors is durable. */
    LISTED("signatures on the list of those who are in the sum"),
    /** A quorum is durable. */
    OPENING("keys to open the sum"),
    /** The sum is opened, or the round is given up. */
    DONE("");

    private final String awaited;

    CoordinatorPhase(String awaited) {
        this.awaited = awaited;
    }

    /** What parties are waited for to send. */
    public String awaited() {
        return awaited;
    }

    /** What the round does, after its number. */
    public String words() {
        return this == DONE ? "is over" : "waits for " + awaited;
    }
}
