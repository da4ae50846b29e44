package dev.tacit.privacy.data;

import dev.tacit.privacy.ledger.RunPosition;
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
 */
public record RunRequest(
        String label, ReleasePlan plan, Optional<String> name, Optional<RunPosition> position, SealedReleases sealed) {
    public RunRequest {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(sealed, "sealed");
    }

    /** A run from its start that is never resumed. */
    public static RunRequest of(String label, ReleasePlan plan) {
        return new RunRequest(label, plan, Optional.empty(), Optional.empty(), SealedReleases.NONE);
    }

    /** The same run under a name, so that it can be resumed. */
    public RunRequest named(String runName) {
        return new RunRequest(label, plan, Optional.of(runName), position, sealed);
    }

    /** The same run, continued after a checkpoint. */
    public RunRequest resumedAt(RunPosition checkpoint) {
        return new RunRequest(label, plan, name, Optional.of(checkpoint), sealed);
    }

    /** The same run, whose noisy sums are kept before they are used. */
    public RunRequest sealedIn(SealedReleases store) {
        return new RunRequest(label, plan, name, position, store);
    }
}
