package dev.tacit.partitioned.coordinator;

/** Who updates the global approximation when. */
public sealed interface Schedule {
    /** One party after the other; each sees what the one before it changed. */
    record Sequential() implements Schedule {}

    /** All parties see the same approximation, and their changes are added up; the only schedule with an aggregator. */
    record Synchronous() implements Schedule {}

    /**
     * Each party works at its own pace on the approximation it saw when it began, which others change meanwhile.
     *
     * <p>Party m needs a time of pace^m times an exponential number for an answer. A round is as many answers as there are
     * parties, and a fast party may give more than one of them; in all, each is asked as often as there are rounds.
     *
     * @param seed of the times
     * @param pace ratio of the mean times of neighbouring parties, 1 for equal ones
     */
    record Asynchronous(long seed, double pace) implements Schedule {
        public Asynchronous {
            if (!(pace > 0) || Double.isInfinite(pace)) {
                throw new IllegalArgumentException("pace is a positive number");
            }
        }
    }
}
