package dev.tacit.glm.twin;

/** How often rows that release 3 weighs down are in the twin. */
public enum LongRows {
    /** As often as the released moments have them: too rarely; likelihoods of earlier versions have it. */
    CUT,

    /** As often as a table has them whose moments, weighed alike, are the released ones. */
    RESTORED
}
