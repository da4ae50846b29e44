package dev.tacit.federated.protocol;

/** Where a party stands in a round, as far as its disk knows. */
public enum PartyPhase {
    /** Its keys of the round are not drawn. */
    WAITING("draws its keys"),
    /** Its keys are durable and may have been sent. */
    KEYED("has sent its keys and waits to be asked for its sum"),
    /** The request and the set are durable; it answers this and nothing else. */
    BOUND("computes its sum"),
    /** Its vector is durable and in its ledger. */
    SHARED("has sent its masked sum and waits for the list of those who are in the sum"),
    /** The ledger knows of its release and the value is gone; it never draws again, and still opens for others. */
    LOST("lost what it released and waits for the list of those who are in the sum"),
    /** The survivors that it agreed to are durable. */
    AGREED("has signed the list of those who are in the sum and waits until enough others have"),
    /** What it gave away is durable. */
    OPENED("has sent its keys to open the sum"),
    /** The round is over for ever. */
    CLOSED("is done with the sum and waits for the next one");

    private final String words;

    PartyPhase(String words) {
        this.words = words;
    }

    /** What a party in this phase does, after its name. */
    public String words() {
        return words;
    }
}
