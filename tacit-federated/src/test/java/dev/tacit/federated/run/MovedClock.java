package dev.tacit.federated.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** The time of this machine and what it was moved by, so that hours of patience take no hours. */
final class MovedClock extends Clock {
    private final AtomicLong moved = new AtomicLong();
    private final Duration byLooking;

    /** @param byLooking how far it moves whenever somebody looks at it */
    MovedClock(Duration byLooking) {
        this.byLooking = byLooking;
    }

    /** Time that passes as a moved clock says. */
    static Times times(MovedClock clock) {
        return new Times(clock, clock::millis);
    }

    void move(Duration time) {
        moved.addAndGet(time.toMillis());
    }

    @Override
    public long millis() {
        return Clock.systemUTC().millis() + moved.addAndGet(byLooking.toMillis());
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
