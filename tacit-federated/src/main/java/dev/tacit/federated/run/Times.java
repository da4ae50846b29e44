package dev.tacit.federated.run;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What time it is, for what is written down, and how time passes, for patience.
 *
 * <p>They are two because clocks are set: one that jumps an hour forwards must not give a sum up.
 *
 * @param date the clock
 * @param passing milliseconds from some moment on, however the clock is set
 */
record Times(Clock date, LongSupplier passing) {
    /** This machine's, with a clock. */
    static Times of(Clock date) {
        return new Times(date, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    Instant now() {
        return date.instant();
    }

    long passedMillis() {
        return passing.getAsLong();
    }
}
