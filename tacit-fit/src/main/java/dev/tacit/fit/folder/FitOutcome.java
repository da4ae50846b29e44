package dev.tacit.fit.folder;

import dev.tacit.fit.artefact.AuditNote;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.twin.IntervalCheck;
import java.util.Optional;

/**
 * What a fit leaves: the folder's contents.
 *
 * @param check what simulated twins said about its intervals; empty if they were not asked
 * @param audit what an audit that lies beside it says; empty if there is none
 */
public record FitOutcome(
        StoredPosterior fitted, ReleaseRecord release, Optional<IntervalCheck> check, Optional<AuditNote> audit) {
    public FitOutcome(StoredPosterior fitted, ReleaseRecord release) {
        this(fitted, release, Optional.empty(), Optional.empty());
    }

    /** What is shown of the fit: its intervals as wide as twins need them. */
    public StoredPosterior shown() {
        return check.map(said -> said.widening().of(fitted)).orElse(fitted);
    }

    /** With what twins said. */
    public FitOutcome checked(IntervalCheck said) {
        return new FitOutcome(fitted, release, Optional.of(said), audit);
    }
}
