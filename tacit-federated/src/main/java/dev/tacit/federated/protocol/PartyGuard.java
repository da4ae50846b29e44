package dev.tacit.federated.protocol;

/** What must hold before a party does what a message asks. */
enum PartyGuard {
    /** At least M − d take part, the party is one of them, and its own key is the one that it sent. */
    ENOUGH_TAKE_PART,
    /** Every key is signed by the identity that the study pins. */
    KEYS_SIGNED,
    /** The shares that the others sealed for it can be opened. */
    SHARES_OPEN,
    /** The door would answer the request. */
    REQUEST_FITS,
    /** Request and set are those that are on disk. */
    SAME_SET,
    /** Survivors and lost are apart, and together they are the set. */
    LISTS_APART,
    /** At least M − d survive. */
    ENOUGH_SURVIVE,
    /** If it survives, the vector is its own; if it sent none, it is not said to survive. */
    OWN_VECTOR,
    /** Every survivor signed its vector for the request that this party answered, and in the same company. */
    VECTORS_SIGNED,
    /** The survivors are those that are on disk. */
    SAME_SURVIVORS,
    /** At least t parties signed exactly what it agreed to. */
    QUORUM_SIGNED
}
