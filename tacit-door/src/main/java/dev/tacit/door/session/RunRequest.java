package dev.tacit.door.session;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.RunPosition;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What a run wants from the door.
 *
 * @param label what the run is, in words that may be published; it stands in the ledger
 * @param plan all its releases
 * @param name the run's own name, if it may be resumed: the same name is charged once
 * @param position where a resumed run stands in its ledger; it must have a name
 * @param sealed where noisy sums are kept before they are used, so that a crash loses none
 * @param time when it was asked for, if the ledger shall say so
 * @param analyst who asked for it, if the ledger shall say so
 */
public record RunRequest(
        String label,
        ReleasePlan plan,
        Optional<String> name,
        Optional<RunPosition> position,
        SealedReleases sealed,
        Optional<Instant> time,
        Optional<String> analyst) {
    public RunRequest {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(sealed, "sealed");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(analyst, "analyst");
    }

    /** A run from its start that is never resumed. */
    public static RunRequest of(String label, ReleasePlan plan) {
        return new RunRequest(
                label,
                plan,
                Optional.empty(),
                Optional.empty(),
                SealedReleases.NONE,
                Optional.empty(),
                Optional.empty());
    }

    /** The same run under a name, so that it can be resumed. */
    public RunRequest named(String runName) {
        return new RunRequest(label, plan, Optional.of(runName), position, sealed, time, analyst);
    }

    /** The same run, continued after a checkpoint. */
    public RunRequest resumedAt(RunPosition checkpoint) {
        return new RunRequest(label, plan, name, Optional.of(checkpoint), sealed, time, analyst);
    }

    /** The same run, whose noisy sums are kept before they are used. */
    public RunRequest sealedIn(SealedReleases store) {
        return new RunRequest(label, plan, name, position, store, time, analyst);
    }

    /** The same run with when and by whom it was asked for; the ledger keeps both. */
    public RunRequest askedFor(Instant instant, String who) {
        return new RunRequest(label, plan, name, position, sealed, Optional.of(instant), Optional.of(who));
    }

    /** What the ledger is asked to record. */
    Charge charge(PrivacyEvent event) {
        return new Charge(label, event, name, time, analyst);
    }
}
