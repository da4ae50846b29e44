package dev.tacit.spark;

import java.io.Serializable;

/**
 * What a task answers to a release: its part's sums, or why there are none. A reason is an answer and not an exception, because
 * Spark would try again and write it into logs.
 *
 * @param verdict whether the sums are there
 * @param sums in grid steps; empty if they are not
 */
record Share(Verdict verdict, long[] sums) implements Serializable {
    /** In the order in which they are told. */
    enum Verdict {
        SUMMED,
        /** The part is not what it was when it was first read. */
        CHANGED,
        /** This executor computes otherwise than the driver. */
        OTHER_MACHINE
    }

    static Share without(Verdict verdict) {
        return new Share(verdict, new long[0]);
    }

    /** Both together; integers, so the order does not matter. */
    Share and(Share other) {
        if (verdict != Verdict.SUMMED || other.verdict != Verdict.SUMMED) {
            return without(verdict.compareTo(other.verdict) >= 0 ? verdict : other.verdict);
        }
        long[] both = sums.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] += other.sums[i];
        }
        return new Share(Verdict.SUMMED, both);
    }
}
