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
 */
public record RunRequest(String label, ReleasePlan plan, Optional<String> name, Optional<RunPosition> position) {
    public RunRequest {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(position, "position");
    }

    /** A run from its start that is never resumed. */
    public static RunRequest of(String label, ReleasePlan plan) {
        return new RunRequest(label, plan, Optional.empty(), Optional.empty());
    }

    /** The same run under a name, so that it can be resumed. */
    public RunRequest named(String runName) {
        return new RunRequest(label, plan, Optional.of(runName), position);
    }

    /** The same run, continued after a checkpoint. */
    public RunRequest resumedAt(RunPosition checkpoint) {
        return new RunRequest(label, plan, name, Optional.of(checkpoint));
    }
}
