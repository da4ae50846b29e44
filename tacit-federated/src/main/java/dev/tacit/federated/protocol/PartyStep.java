package dev.tacit.federated.protocol;

/** One instruction of a party: each is a durable write, a release through the door, or something sent. */
enum PartyStep {
    /** Draws the secrets of a round and keeps them. */
    KEEP_SECRETS,
    /** Writes its keys to the journal. */
    LOG_KEYS,
    SEND_KEYS,
    /** Writes request and set to the journal. */
    LOG_SET,
    /** Sums, draws noise, seals, tells the ledger: the door's own order. */
    RELEASE,
    /** Writes the masked vector to the journal. */
    LOG_VECTOR,
    SEND_VECTOR,
    /** Writes the survivors and its agreement to the journal. */
    LOG_AGREED,
    /** Leaves copies of its folder that were made before behind: an agreement is given once. */
    OUTDATE_COPIES,
    SEND_AGREED,
    /** Writes what it gives away to the journal. */
    LOG_OPENING,
    SEND_OPENING,
    /** Writes to the journal that the round is over; its secrets are erased when nobody waits for the party. */
    CLOSE
}
