package dev.tacit.cli.folder;

import dev.tacit.cli.artefact.FittedModel;
import dev.tacit.cli.artefact.ReleaseRecord;
import dev.tacit.cli.twin.IntervalCheck;
import java.util.Optional;

/**
 * What a fit leaves: the folder's contents.
 *
 * @param check what simulated twins said about its intervals; empty if they were not asked
 */
public record FitOutcome(FittedModel fitted, ReleaseRecord release, Optional<IntervalCheck> check) {
    public FitOutcome(FittedModel fitted, ReleaseRecord release) {
        this(fitted, release, Optional.empty());
    }

    /** What is shown of the fit: its intervals as wide as twins need them. */
    public FittedModel shown() {
        return check.map(said -> said.widening().of(fitted)).orElse(fitted);
    }

    /** With what twins said. */
    public FitOutcome checked(IntervalCheck said) {
        return new FitOutcome(fitted, release, Optional.of(said));
    }
}
