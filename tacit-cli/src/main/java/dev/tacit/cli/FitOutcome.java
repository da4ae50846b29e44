package dev.tacit.cli;

import java.util.Optional;

/**
 * What a fit leaves: the folder's contents.
 *
 * @param check what simulated twins said about its intervals; empty if they were not asked
 */
record FitOutcome(FittedModel fitted, ReleaseRecord release, Optional<IntervalCheck> check) {
    FitOutcome(FittedModel fitted, ReleaseRecord release) {
        this(fitted, release, Optional.empty());
    }

    /** What is shown of the fit: its intervals as wide as twins need them. */
    FittedModel shown() {
        return check.map(said -> said.widening().of(fitted)).orElse(fitted);
    }

    /** With what twins said. */
    FitOutcome checked(IntervalCheck said) {
        return new FitOutcome(fitted, release, Optional.of(said));
    }
}
