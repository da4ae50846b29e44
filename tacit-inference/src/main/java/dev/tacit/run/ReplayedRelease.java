package dev.tacit.run;

import dev.tacit.privacy.data.NoisySum;
import dev.tacit.privacy.data.PrivateSession;
import dev.tacit.privacy.data.RecordSum;
import dev.tacit.privacy.data.ReleasePlan;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Optional;

/**
 * A session that hands out a release that was made before a crash once more: no record is looked at and no noise drawn.
 *
 * @param session of the run that goes on
 * @param entry the release
 */
record ReplayedRelease(PrivateSession session, ReleaseEntry entry) implements PrivateSession {
    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        return entry.sum();
    }

    @Override
    public ReleasePlan plan() {
        return session.plan();
    }

    @Override
    public PrivacyEvent event() {
        return session.event();
    }

    @Override
    public Provenance provenance() {
        return session.provenance();
    }

    @Override
    public long released() {
        return entry.released() - 1;
    }

    @Override
    public long lostReleases() {
        return 0;
    }

    @Override
    public Optional<RunPosition> position() {
        return entry.position();
    }

    @Override
    public long publicSize() {
        return session.publicSize();
    }

    @Override
    public PrivacyUnit unit() {
        return session.unit();
    }
}
