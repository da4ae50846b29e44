package dev.tacit.federated.run;

import dev.tacit.noise.SecureNoise;

/** How long to wait before trying again: twice as long each time up to a limit, and never the same for all parties. */
final class BackOff {
    private static final long FIRST_MILLIS = 250;
    private static final long MOST_MILLIS = 10_000;

    private final SecureNoise random = SecureNoise.create();
    private long millis = FIRST_MILLIS;

    /** The next time to wait: between half of the time and all of it. */
    long nextMillis() {
        long now = millis / 2 + random.below(millis / 2 + 1);
        millis = Math.min(MOST_MILLIS, 2 * millis);
        return now;
    }

    /** It worked. */
    void reset() {
        millis = FIRST_MILLIS;
    }
}
