package dev.tacit.federated.protocol;

/** Where a party stands in a round, as far as its disk knows. */
public enum PartyPhase {
    /** Its keys of the round are not drawn. */
    WAITING("has no keys for the round yet"),
    /** Its keys are durable and may have been sent. */
    KEYED("waits to be asked"),
    /** The request and the set are durable; it answers this and nothing else. */
    BOUND("computes its sum"),
    /** Its vector is durable and in its ledger. */
    SHARED("waits for the list of survivors"),
    /** The ledger knows of its release and the value is gone; it never draws again, and still opens for others. */
    LOST("lost what it released, and waits for the list of survivors"),
    /** The survivors that it agreed to are durable. */
    AGREED("waits until enough have agreed"),
    /** What it gave away is durable. */
    OPENED("has opened the round"),
    /** The round is over for ever. */
    CLOSED("is done with the round");

    private final String words;

    PartyPhase(String words) {
        this.words = words;
    }

    /** What a party in this phase does, after its name. */
    public String words() {
        return words;
    }
}
