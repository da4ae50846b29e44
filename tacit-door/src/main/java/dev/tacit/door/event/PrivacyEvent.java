package dev.tacit.door.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What was done to private records, as a value: necessary and sufficient for accounting, and nothing else.
 *
 * <p>The structure is closed (this file), the leaves are open ({@link PrivacyProfile}). Events are plain values with {@code equals}. An
 * accountant that meets an event it cannot bound says so; it never guesses.
 */
public sealed interface PrivacyEvent {

    /** One release of a mechanism on all records (or, inside a sampling event, on the sampled ones). */
    record Release(PrivacyProfile profile) implements PrivacyEvent {
        public Release {
            Objects.requireNonNull(profile, "profile");
        }
    }

    /** Several events on the same records, each possibly chosen after seeing the earlier outputs; their parameters are fixed in advance. */
    record Sequence(List<PrivacyEvent> events) implements PrivacyEvent {
        public Sequence {
            events = List.copyOf(events);
        }
    }

    /** The same event, with fresh randomness, a number of times. */
    record Repeated(PrivacyEvent event, long times) implements PrivacyEvent {
        public Repeated {
            Objects.requireNonNull(event, "event");
            if (times < 0) {
                throw new IllegalArgumentException("an event is repeated 0 times or more");
            }
        }
    }

    /** The event sees each record independently with probability {@code rate}; which ones is secret and fresh at every event. */
    record PoissonSampled(double rate, PrivacyEvent event) implements PrivacyEvent {
        public PoissonSampled {
            Objects.requireNonNull(event, "event");
            if (!(rate >= 0 && rate <= 1)) {
                throw new IllegalArgumentException("a sampling rate is a number between 0 and 1");
            }
        }
    }

    /** The event sees exactly {@code batch} of {@code population} records, uniformly without replacement, secret and fresh at every event. */
    record FixedSizeSampled(long population, long batch, PrivacyEvent event) implements PrivacyEvent {
        public FixedSizeSampled {
            Objects.requireNonNull(event, "event");
            if (population < 1 || batch < 0 || batch > population) {
                throw new IllegalArgumentException(
                        "a fixed-size batch has between 0 and all of a population of at least 1");
            }
        }
    }

    /** Events on parts of the records; the partition does not depend on the data and a unit's part never changes. */
    record Disjoint(List<PrivacyEvent> events) implements PrivacyEvent {
        public Disjoint {
            events = List.copyOf(events);
        }
    }

    /** Something was computed from the records without protection. */
    record NotPrivate(String reason) implements PrivacyEvent {
        public NotPrivate {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** The event that reveals nothing. */
    static PrivacyEvent nothing() {
        return new Sequence(List.of());
    }

    /** A release of Gaussian noise; the multiplier is noise standard deviation over the L2 bound of one record. */
    static PrivacyEvent gaussian(double noiseMultiplier) {
        return new Release(PrivacyProfile.gaussian(noiseMultiplier));
    }

    /** This event a number of times. */
    default PrivacyEvent times(long times) {
        return new Repeated(this, times);
    }

    /** This event on a Poisson sample of the records. */
    default PrivacyEvent poissonSampled(double rate) {
        return new PoissonSampled(rate, this);
    }

    /** This event on a fixed-size sample of the records. */
    default PrivacyEvent fixedSizeSampled(long batch, long population) {
        return new FixedSizeSampled(population, batch, this);
    }

    /** This event, then another. */
    default PrivacyEvent then(PrivacyEvent next) {
        List<PrivacyEvent> events =
                new ArrayList<>(this instanceof Sequence sequence ? sequence.events() : List.of(this));
        events.addAll(next instanceof Sequence sequence ? sequence.events() : List.of(next));
        return new Sequence(events);
    }
}
