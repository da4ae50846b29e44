package dev.tacit.door.ledger;

import dev.tacit.door.event.PrivacyEvent;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A request to spend: an event whose parameters are all fixed now, before any of its releases.
 *
 * @param label what it is for, in words that may be published
 * @param event what will be done to the records
 * @param run the caller's name for a run that may be resumed; charging it twice spends once
 * @param time when, if the caller wants it recorded
 * @param analyst who asked for it, if the caller wants it recorded
 */
public record Charge(
        String label, PrivacyEvent event, Optional<String> run, Optional<Instant> time, Optional<String> analyst) {
    public Charge {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(analyst, "analyst");
    }

    /** A charge that is never resumed and carries neither time nor name. */
    public static Charge of(String label, PrivacyEvent event) {
        return new Charge(label, event, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The same charge for a run that may be resumed. */
    public Charge forRun(String name) {
        return new Charge(label, event, Optional.of(name), time, analyst);
    }

    /** The same charge with a time. */
    public Charge at(Instant instant) {
        return new Charge(label, event, run, Optional.of(instant), analyst);
    }

    /** The same charge with the name of who asked for it. */
    public Charge by(String name) {
        return new Charge(label, event, run, time, Optional.of(name));
    }
}
